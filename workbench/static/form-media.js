// Files for a form: chosen, dropped, pasted or made here, and sent in pieces. Loaded when a form
// has a field for one.

const CHUNK = 512 * 1024;
let serial = 0;

const size = (bytes) => (bytes < 1e6 ? `${Math.ceil(bytes / 1000).toLocaleString()} kB` : `${(bytes / 1e6).toFixed(1)} MB`);

/* A file goes in pieces, the next ones when Python has taken the first: progress is what has arrived. */
const AHEAD = 4;
const uploader = ({ row, send, make, setText }, note) => {
  const bar = make("progress", { class: "wb-sending", max: 1, value: 0, hidden: true, "aria-label": `sending the file for ${row.name}` });
  let job = null;
  let limit = row.most;
  const say = (text, wrong) => { setText(note, text); note.classList.toggle("wb-refused", Boolean(wrong)); };
  const step = () => {
    while (job && job.next < job.total && job.next - job.done < AHEAD) {
      const index = job.next;
      job.next += 1;
      const { id, total, blob, bytes } = job;
      send.bytes({ op: "upload", id, index, total, name: blob.name || "", type: blob.type }, bytes.slice(index * CHUNK, (index + 1) * CHUNK));
    }
  };
  send.heard((reply) => {
    if (reply.op !== "uploaded" || !job || reply.id !== job.id) return;
    const { blob, total } = job;
    if (reply.refused) { job = null; bar.hidden = true; say(reply.refused, true); return; }
    job.done = reply.index + 1;
    bar.value = job.done / total;
    if (job.done < total) { step(); return; }
    job = null;
    bar.hidden = true;
    say(`${blob.name || "taken from here"}, ${size(blob.size)}`);
    send.touch();
  });
  return {
    bar,
    say,
    busy: () => Boolean(job),
    limit(most) { limit = most; },
    async start(blob) {
      if (blob.size > limit) { say(`${blob.name || "it"} has ${size(blob.size)}; at most ${size(limit)} can be sent`, true); return false; }
      const bytes = await blob.arrayBuffer();
      job = { id: `${Date.now()}-${++serial}`, blob, bytes, next: 0, done: 0, total: Math.max(1, Math.ceil(bytes.byteLength / CHUNK)) };
      bar.hidden = job.total < 2;
      bar.value = 0;
      say(job.total < 2 ? "" : "sending");
      step();
      return true;
    },
  };
};

/* Dropped, pasted or chosen files, for whatever takes them. */
const receiver = (zone, file, take) => {
  file.addEventListener("change", () => { if (file.files[0]) take(file.files[0]); });
  zone.addEventListener("dragover", (event) => { if ([...event.dataTransfer.types].includes("Files")) { event.preventDefault(); zone.classList.add("wb-over"); } });
  zone.addEventListener("dragleave", () => zone.classList.remove("wb-over"));
  zone.addEventListener("drop", (event) => {
    const dropped = event.dataTransfer.files[0];
    if (!dropped) return;
    event.preventDefault();
    event.stopPropagation();
    zone.classList.remove("wb-over");
    take(dropped);
  });
  zone.addEventListener("paste", (event) => {
    const pasted = [...event.clipboardData.files][0];
    if (pasted) { event.preventDefault(); event.stopPropagation(); take(pasted); }
  });
};

/* What few use comes as a module of its own: its name, when it is offered, and what it is called. */
const EXTRAS = {
  image: [["camera", false, "Camera"], ["picture", true, "Crop or mask"]],
  audio: [["recorder", false, "Record"], ["recorder", true, "Trim"]],
};

export const media = (given) => {
  const { row, send, make, setText } = given;
  const file = make("input", { type: "file", class: "wb-file", accept: row.accept && row.accept.includes("/") ? row.accept : null, "aria-label": `choose a file for ${row.name}` });
  const preview = make("div", { class: "wb-preview" });
  const note = make("span", { class: "wb-note", role: "status" });
  const pick = make("button", { type: "button", class: "wb-button", onclick: () => file.click() }, `Choose ${row.control === "file" ? "a file" : row.control}`);
  const panel = make("div", { class: "wb-extra", hidden: true });
  const sent = uploader(given, note);
  let blob = null;
  let url = null;
  let wanted = null;
  let stop = null;
  const shut = () => { stop?.(); stop = null; panel.hidden = true; panel.replaceChildren(); };
  const extra = async (name, needs) => {
    shut();
    try {
      const { default: open } = await send.load(name);
      panel.hidden = false;
      stop = open({ make, host: panel, blob: needs ? blob : null, done: (made) => { shut(); take(made); }, cancel: shut });
    } catch (error) { sent.say(String(error?.message || error), true); }
  };
  const extras = (EXTRAS[row.control] || []).map(([name, needs, text]) =>
    ({ needs, button: make("button", { type: "button", class: "wb-button", onclick: () => extra(name, needs) }, text) }));
  const zone = make("div", { class: "wb-drop", tabindex: "0", role: "group", "aria-label": `drop or paste ${row.control} for ${row.name}` },
    preview, make("div", { class: "wb-drop-row" }, pick, ...extras.map((each) => each.button), make("span", { class: "wb-note" }, "drop it here, or paste")), panel, sent.bar, note);
  const show = (next) => {
    if (url) URL.revokeObjectURL(url);
    blob = next;
    url = blob ? URL.createObjectURL(blob) : null;
    preview.replaceChildren();
    wanted = null;
    for (const each of extras) each.button.hidden = each.needs && !blob;
    if (!blob) return;
    const kind = blob.type.split("/")[0];
    if (kind === "image") preview.append(make("img", { src: url, alt: blob.name || "the picture chosen" }));
    if (kind === "audio") preview.append(make("audio", { src: url, controls: true }));
    if (kind === "video") preview.append(make("video", { src: url, controls: true }));
  };
  const take = async (next) => { if (await sent.start(next)) show(next); };
  receiver(zone, file, take);
  show(null);
  send.heard((reply) => {
    if (reply.op === "preview" && reply.uri && !url) preview.replaceChildren(make("img", { src: reply.uri, alt: "the picture that is set" }));
  });
  return {
    node: make("div", {}, zone, file),
    update(next) {
      sent.limit(next.most);
      // Answers to earlier edits may come while the file is still on its way.
      if (sent.busy()) return;
      if (!next.filled) { if (blob) { show(null); sent.say(""); } preview.replaceChildren(); file.value = ""; wanted = null; }
      else if (!note.textContent && next.note) sent.say(next.note);
      if (next.preview && !url && wanted !== next.note) { wanted = next.note; send.ask({ op: "preview" }); }
      if (next.filled && next.text) { show(null); sent.say(""); }
    },
    focus: () => pick.focus(),
  };
};

/* A button that puts a file of this computer where the kernel is. */
export const sender = (given) => {
  const { row, make, zone } = given;
  const note = make("span", { class: "wb-note", role: "status" });
  const sent = uploader(given, note);
  const file = make("input", { type: "file", class: "wb-file", "aria-label": `send a file for ${row.name}` });
  const pick = make("button", { type: "button", class: "wb-small", title: "put a file of this computer where the kernel is", onclick: () => file.click() }, "Send a file");
  receiver(zone, file, (blob) => sent.start(blob));
  return make("div", { class: "wb-inline wb-send" }, pick, file, sent.bar, note);
};
