// The form in the page. It draws what Python says (`view`, `run_view`) and reports what the
// person does, as custom messages. It decides nothing about values or types, and puts text into
// the page as text only.

const make = (tag, attributes = {}, ...children) => {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name === "class") node.className = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
};

const setText = (node, text) => {
  if (node.textContent !== text) node.textContent = text;
};

// Each form is a module of its own: names must differ between all forms of a page.
const page = Math.random().toString(36).slice(2, 8);
let serial = 0;
const unique = (word) => `wb-${word}-${page}-${++serial}`;
const CHUNK = 512 * 1024;

/* One control for each kind of field. Each returns {node, update(row), focus()}. */

const typed = (input) => (row, send) => {
  input.addEventListener("input", () => send.later({ op: "text", text: input.value }));
  input.addEventListener("change", () => send.touch());
  input.addEventListener("blur", () => send.touch());
  return {
    node: input,
    update(next) {
      const text = next.text ?? "";
      if (document.activeElement !== input && input.getRootNode().activeElement !== input && input.value !== text) {
        input.value = text;
        input.dispatchEvent(new Event("wb-grow"));
      }
      const hint = next.default ?? (next.examples || [])[0];
      input.placeholder = next.state === "null" ? "null" : next.state === "unset" && hint ? hint : "";
    },
    focus: () => input.focus(),
  };
};

const line = (row, send) => {
  const types = { date: "date", time: "text", email: "email", url: "url" };
  const input = make("input", { type: types[row.control] || "text", class: "wb-input", spellcheck: "false" });
  const control = typed(input)(row, send);
  if (!row.examples) return control;
  const list = make("datalist", { id: unique("list") }, ...row.examples.map((e) => make("option", { value: e })));
  input.setAttribute("list", list.id);
  return { ...control, node: make("div", {}, input, list), input };
};

const lines = (row, send, mono = false) => {
  const area = make("textarea", { class: mono ? "wb-input wb-code" : "wb-input", rows: 2, spellcheck: "false" });
  const grow = () => {
    area.style.height = "auto";
    area.style.height = `${Math.min(area.scrollHeight + 2, 320)}px`;
  };
  area.addEventListener("input", grow);
  area.addEventListener("wb-grow", grow);
  return typed(area)(row, send);
};

const secret = (row, send) => {
  const input = make("input", { type: "password", class: "wb-input", autocomplete: "off" });
  const reveal = make("button", { type: "button", class: "wb-small", "aria-pressed": "false", onclick: () => {
    input.type = input.type === "password" ? "text" : "password";
    reveal.setAttribute("aria-pressed", String(input.type === "text"));
    setText(reveal, input.type === "text" ? "Hide" : "Show");
  } }, "Show");
  input.addEventListener("input", () => send.later({ op: "text", text: input.value }));
  input.addEventListener("blur", () => send.touch());
  return {
    node: make("div", { class: "wb-inline" }, input, reveal),
    input,
    update(next) {
      if (!next.filled && document.activeElement !== input) input.value = "";
      input.placeholder = next.filled ? "set, not shown" : "";
    },
    focus: () => input.focus(),
  };
};

const number = (row, send) => {
  const input = make("input", { type: "text", inputmode: "decimal", class: "wb-input wb-number", spellcheck: "false" });
  const control = typed(input)(row, send);
  if (row.control !== "slider") return control;
  const step = row.multipleOf || (row.kind === "integer" ? 1 : (row.maximum - row.minimum) / 100);
  const slider = make("input", { type: "range", min: row.minimum, max: row.maximum, step, class: "wb-slider", tabindex: "-1", "aria-hidden": "true" });
  slider.addEventListener("input", () => {
    input.value = row.kind === "integer" ? slider.value : String(Number(Number(slider.value).toPrecision(6)));
    send.later({ op: "text", text: input.value });
  });
  input.addEventListener("input", () => { slider.value = input.value; });
  return {
    ...control,
    node: make("div", { class: "wb-inline" }, input, slider),
    input,
    update(next) {
      control.update(next);
      if (document.activeElement !== slider) slider.value = next.text || next.minimum;
      slider.classList.toggle("wb-unset", next.state !== "value");
    },
  };
};

/* Short enough to stand side by side. */
const few = (labels) => labels.length <= 6 && labels.join("").length <= 44;

const segments = (labels, pick) => {
  const name = unique("pick");
  const radios = labels.map((text, index) => {
    const input = make("input", { type: "radio", name, onchange: () => pick(index) });
    return { input, node: make("label", { class: "wb-segment" }, input, make("span", {}, text)) };
  });
  return {
    node: make("div", { class: "wb-segments", role: "radiogroup" }, ...radios.map((r) => r.node)),
    update: (picked) => radios.forEach((r, index) => { r.input.checked = index === picked; }),
    focus: () => radios[0]?.input.focus(),
  };
};

/* A list that narrows as one types; Python searches where there are too many to be here. */
const searchable = (row, send) => {
  const id = unique("list");
  const input = make("input", { class: "wb-input", role: "combobox", "aria-expanded": "false", "aria-controls": id, "aria-autocomplete": "list", autocomplete: "off", spellcheck: "false", placeholder: `search ${row.choices.length + row.more} choices` });
  const list = make("ul", { class: "wb-list", id, role: "listbox", "aria-label": row.name, hidden: true });
  let shown = [];
  let active = -1;
  let latest = row;
  const word = () => (latest.picked === null || latest.picked === undefined ? latest.text || "" : latest.choices[latest.picked] ?? latest.text);
  const close = () => { list.hidden = true; active = -1; input.setAttribute("aria-expanded", "false"); input.removeAttribute("aria-activedescendant"); };
  const mark = (index) => {
    active = index;
    [...list.children].forEach((item, at) => item.setAttribute("aria-selected", String(at === index)));
    const item = list.children[index];
    if (item) { input.setAttribute("aria-activedescendant", item.id); item.scrollIntoView({ block: "nearest" }); }
  };
  const pick = ([index, label]) => { input.value = label; close(); send.touch(); send.now({ op: "pick", index }); };
  const open = (hits) => {
    shown = hits.slice(0, 100);
    list.replaceChildren(...shown.map((hit, at) => make("li", { id: `${id}-${at}`, role: "option", "aria-selected": "false",
      onpointerdown: (event) => { event.preventDefault(); pick(hit); } }, hit[1])));
    list.hidden = !shown.length;
    active = -1;
    input.setAttribute("aria-expanded", String(!list.hidden));
  };
  const search = (text) => {
    if (row.more) { send.ask({ op: "search", text }); return; }
    const wanted = text.trim().toLowerCase();
    open(row.choices.map((label, index) => [index, label]).filter((hit) => hit[1].toLowerCase().includes(wanted)));
  };
  send.heard((reply) => { if (reply.op === "found" && document.activeElement && input.getRootNode().activeElement === input) open(reply.choices); });
  input.addEventListener("input", () => { search(input.value); send.later({ op: "text", text: input.value }); });
  input.addEventListener("focus", () => { input.select(); search(""); });
  input.addEventListener("blur", () => { close(); send.touch(); });
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (list.hidden) search("");
      else mark(Math.max(0, Math.min(shown.length - 1, active + (event.key === "ArrowDown" ? 1 : -1))));
    } else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey && !list.hidden) {
      event.preventDefault();
      if (shown.length) pick(shown[Math.max(0, active)]);
    } else if (event.key === "Escape" && !list.hidden) { event.stopPropagation(); close(); }
  });
  return {
    node: make("div", { class: "wb-search-box" }, input, list),
    input,
    update(next) { latest = next; if (input.getRootNode().activeElement !== input) input.value = word(); },
    focus: () => input.focus(),
  };
};

const choice = (row, send) => {
  if (few(row.choices)) {
    const set = segments(row.choices, (index) => { send.touch(); send.now({ op: "pick", index }); });
    return { ...set, update: (next) => set.update(next.picked) };
  }
  if (row.choices.length > 15) return searchable(row, send);
  const select = make("select", { class: "wb-input" }, make("option", { value: "" }, "not set"),
    ...row.choices.map((label, index) => make("option", { value: index }, label)));
  select.addEventListener("change", () => {
    send.touch();
    send.now(select.value === "" ? { op: "clear" } : { op: "pick", index: Number(select.value) });
  });
  return { node: select, update: (next) => { select.value = next.picked ?? ""; }, focus: () => select.focus() };
};

const boolean = (row, send) => {
  const set = segments(["yes", "no"], (index) => { send.touch(); send.now({ op: "set", value: index === 0 }); });
  return { ...set, update: (next) => set.update(next.picked === true ? 0 : next.picked === false ? 1 : null) };
};

const checks = (row, send) => {
  const boxes = row.choices.map((text, index) => {
    const input = make("input", { type: "checkbox", onchange: () => { send.touch(); send.now({ op: "toggle", index }); } });
    return { input, node: make("label", { class: "wb-check" }, input, make("span", {}, text)) };
  });
  return {
    node: make("div", { class: "wb-checks" }, ...boxes.map((box) => box.node)),
    update: (next) => boxes.forEach((box, index) => { box.input.checked = (next.ticked || []).includes(index); }),
    focus: () => boxes[0].input.focus(),
  };
};

/* A moment is text with its offset from UTC, which is never changed without being asked. */
const MOMENT = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/i;
const here = (date) => {
  const minutes = -date.getTimezoneOffset();
  const two = (n) => String(Math.floor(Math.abs(n))).padStart(2, "0");
  return minutes ? `${minutes < 0 ? "-" : "+"}${two(minutes / 60)}:${two(minutes % 60)}` : "Z";
};
const moment = (row, send) => {
  const input = make("input", { type: "text", class: "wb-input", spellcheck: "false" });
  const picker = make("input", { type: "datetime-local", class: "wb-moment", step: "1", tabindex: "-1", "aria-label": `day and time of ${row.name}` });
  const control = typed(input)(row, send);
  const enter = (time, offset) => { input.value = time + offset; send.later({ op: "text", text: input.value }); };
  const full = (time) => (time.length === 16 ? `${time}:00` : time);
  picker.addEventListener("change", () => {
    if (picker.value) enter(full(picker.value), MOMENT.exec(input.value)?.[3] || here(new Date(picker.value)));
  });
  const pick = make("button", { type: "button", class: "wb-small", onclick: () => {
    const found = MOMENT.exec(input.value);
    picker.value = found ? full(found[1] + (found[2] || "")).slice(0, 19) : "";
    picker.showPicker();
  } }, "Pick");
  const now = make("button", { type: "button", class: "wb-small", onclick: () => {
    const date = new Date();
    enter(new Date(date - 60000 * date.getTimezoneOffset()).toISOString().slice(0, 19), here(date));
  } }, "Now");
  return {
    ...control,
    node: make("div", { class: "wb-inline wb-moments" }, input, picker, pick, now),
    input,
    update(next) { control.update(next); input.placeholder ||= "2026-12-01T09:30:00+01:00"; },
  };
};

const color = (row, send) => {
  const input = make("input", { type: "text", class: "wb-input wb-number", spellcheck: "false" });
  const well = make("input", { type: "color", class: "wb-well", "aria-label": `pick a colour for ${row.name}` });
  const control = typed(input)(row, send);
  well.addEventListener("input", () => { input.value = well.value; send.later({ op: "text", text: well.value }); });
  return {
    ...control,
    node: make("div", { class: "wb-inline" }, well, input),
    input,
    update(next) { control.update(next); if (/^#[0-9a-f]{6}$/i.test(next.text)) well.value = next.text; },
  };
};

const constant = (row, send) => {
  const text = make("code", { class: "wb-const" });
  const include = make("button", { type: "button", class: "wb-small", onclick: () => send.now({ op: "begin" }) }, "Include");
  return {
    node: make("div", { class: "wb-inline" }, text, include),
    update(next) { setText(text, next.fixed); include.hidden = next.state === "value"; },
    focus: () => include.focus(),
  };
};

const tags = (row, send) => {
  const box = make("div", { class: "wb-tags" });
  const input = make("input", { class: "wb-tag-input", placeholder: "type, then Enter" });
  let values = [];
  const commit = (next) => { send.touch(); send.now({ op: "set", value: next }); };
  const take = () => {
    const parts = input.value.split(/[\n,]/).map((part) => part.trim()).filter(Boolean);
    if (!parts.length) return;
    input.value = "";
    commit([...values, ...parts]);
  };
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) { event.preventDefault(); event.stopPropagation(); take(); }
    if (event.key === "Backspace" && !input.value && values.length) commit(values.slice(0, -1));
  });
  input.addEventListener("blur", take);
  input.addEventListener("paste", () => setTimeout(() => { if (/[\n,]/.test(input.value)) take(); }));
  return {
    node: box,
    input,
    update(next) {
      values = (next.children || []).map((child) => child.text);
      const chips = values.map((value, index) => make("span", { class: "wb-tag" }, value,
        make("button", { type: "button", "aria-label": `remove ${value}`, onclick: () => commit(values.filter((_, i) => i !== index)) }, "×")));
      box.replaceChildren(...chips, input);
    },
    focus: () => input.focus(),
  };
};

const media = (row, send) => {
  const file = make("input", { type: "file", class: "wb-file", accept: row.accept && row.accept.includes("/") ? row.accept : null, "aria-label": `choose a file for ${row.name}` });
  const preview = make("div", { class: "wb-preview" });
  const note = make("span", { class: "wb-note" });
  const path = make("input", { class: "wb-input", placeholder: "or a path or data: address", spellcheck: "false" });
  const pick = make("button", { type: "button", class: "wb-button", onclick: () => file.click() }, `Choose ${row.control === "file" ? "a file" : row.control}`);
  const zone = make("div", { class: "wb-drop", tabindex: "0", "aria-label": `drop or paste ${row.control} for ${row.name}` },
    preview, make("div", { class: "wb-drop-row" }, pick, make("span", { class: "wb-note" }, "drop it here, or paste")), note);
  let url = null;
  let expecting = false;
  let wanted = null;
  const show = (blob) => {
    if (url) URL.revokeObjectURL(url);
    url = blob ? URL.createObjectURL(blob) : null;
    preview.replaceChildren();
    wanted = null;
    if (!blob) return;
    const kind = blob.type.split("/")[0];
    if (kind === "image") preview.append(make("img", { src: url, alt: blob.name || "the picture chosen" }));
    if (kind === "audio") preview.append(make("audio", { src: url, controls: true }));
    if (kind === "video") preview.append(make("video", { src: url, controls: true }));
  };
  const take = async (blob) => {
    if (!blob) return;
    show(blob);
    expecting = true;
    const bytes = await blob.arrayBuffer();
    const total = Math.max(1, Math.ceil(bytes.byteLength / CHUNK));
    const id = `${Date.now()}-${++serial}`;
    for (let index = 0; index < total; index += 1) {
      setText(note, total > 1 ? `sending ${Math.round((100 * index) / total)} %` : "");
      send.bytes({ op: "upload", id, index, total, name: blob.name || "", type: blob.type }, bytes.slice(index * CHUNK, (index + 1) * CHUNK));
    }
    setText(note, `${blob.name || "pasted"}, ${Math.ceil(bytes.byteLength / 1000).toLocaleString()} kB`);
    send.touch();
  };
  file.addEventListener("change", () => take(file.files[0]));
  zone.addEventListener("dragover", (event) => { event.preventDefault(); zone.classList.add("wb-over"); });
  zone.addEventListener("dragleave", () => zone.classList.remove("wb-over"));
  zone.addEventListener("drop", (event) => { event.preventDefault(); event.stopPropagation(); zone.classList.remove("wb-over"); take(event.dataTransfer.files[0]); });
  zone.addEventListener("paste", (event) => { const item = [...event.clipboardData.files][0]; if (item) { event.preventDefault(); event.stopPropagation(); take(item); } });
  const control = typed(path)(row, send);
  send.heard((reply) => {
    if (reply.op === "preview" && reply.uri && !url) preview.replaceChildren(make("img", { src: reply.uri, alt: "the picture that is set" }));
  });
  return {
    node: make("div", {}, zone, file, path),
    input: path,
    update(next) {
      control.update(next);
      path.placeholder = "or a path or data: address";
      // Answers to earlier edits may come while the file is still on its way.
      if (expecting && !next.filled) return;
      expecting = false;
      if (!next.filled) { show(null); setText(note, ""); file.value = ""; }
      else if (!note.textContent && next.note) setText(note, next.note);
      if (next.preview && !url && wanted !== next.note) { wanted = next.note; send.ask({ op: "preview" }); }
      if (next.filled && next.text) { show(null); setText(note, ""); }
    },
    focus: () => pick.focus(),
  };
};

const group = (row, send, draw) => {
  const rows = make("div", { class: "wb-rows" });
  const bar = make("div", { class: "wb-bar" });
  const begin = make("button", { type: "button", class: "wb-small", onclick: () => send.now({ op: row.kind === "array" || row.kind === "map" ? "add" : "begin" }) });
  bar.append(begin);
  if (row.kind === "map") {
    const key = make("input", { class: "wb-input wb-key", placeholder: "name of a new entry", "aria-label": `name of a new entry of ${row.name}` });
    begin.addEventListener("click", (event) => { event.stopImmediatePropagation(); }, true);
    const add = () => { send.now({ op: "add", name: key.value }); key.value = ""; };
    const plus = make("button", { type: "button", class: "wb-small", onclick: add }, "Add entry");
    key.addEventListener("keydown", (event) => { if (event.key === "Enter" && !event.ctrlKey) { event.preventDefault(); add(); } });
    bar.replaceChildren(key, plus);
  }
  const inner = draw(rows);
  return {
    node: make("div", { class: "wb-group" }, rows, bar),
    update(next) {
      inner(next.children || []);
      setText(begin, row.kind === "array" ? "Add item" : "Fill in");
      begin.hidden = !(row.kind === "array" || next.state !== "value") || (row.kind === "object" && next.required);
      rows.hidden = !(next.children || []).length;
    },
    focus: () => (rows.querySelector("input,textarea,select,button") || begin).focus(),
  };
};

const union = (row, send, draw) => {
  const rows = make("div", { class: "wb-rows wb-branch" });
  const inner = draw(rows);
  let picker;
  if (few(row.branches)) picker = segments(row.branches, (branch) => send.now({ op: "choose", branch }));
  else {
    const select = make("select", { class: "wb-input" }, make("option", { value: "" }, "choose a kind"),
      ...row.branches.map((title, index) => make("option", { value: index }, title)));
    select.addEventListener("change", () => send.now(select.value === "" ? { op: "clear" } : { op: "choose", branch: Number(select.value) }));
    picker = { node: select, update: (picked) => { select.value = picked ?? ""; }, focus: () => select.focus() };
  }
  return {
    node: make("div", {}, picker.node, rows),
    update(next) {
      picker.update(next.state === "unset" || next.state === "null" ? null : next.branch);
      inner(next.children || []);
      rows.hidden = !(next.children || []).length;
    },
    focus: () => { if (!rows.hidden) rows.querySelector("input,textarea,select,button")?.focus(); else picker.focus(); },
  };
};

const CONTROLS = {
  string: (row, send) => ({ secret, lines, color, datetime: moment }[row.control] || line)(row, send),
  integer: number,
  number,
  boolean,
  choice,
  const: constant,
  null: (row, send) => {
    const button = make("button", { type: "button", class: "wb-small", onclick: () => send.now({ op: "null" }) }, "null");
    return { node: button, update: (next) => button.classList.toggle("wb-on", next.state === "null"), focus: () => button.focus() };
  },
  media,
  object: group,
  map: group,
  tuple: group,
  array: (row, send, draw) => ({ tags, checks }[row.control] || group)(row, send, draw),
  union,
  json: (row, send) => lines(row, { ...send, later: (content) => send.later({ ...content, op: "json" }) }, true),
};

/* A row: label, state, control, problems. */

const field = (row, context) => {
  const id = unique("field");
  let pending = null;
  let latest = row;
  let touched = false;
  let sent = 0;
  const post = (content, buffer) => {
    context.sequence += 1;
    sent = context.sequence;
    context.post({ ...content, path: latest.path, sequence: sent }, buffer);
  };
  const send = {
    now(content) { send.flush(); post(content); },
    later(content) {
      clearTimeout(pending?.timer);
      pending = { content, timer: setTimeout(send.flush, 120) };
      context.pending.add(send.flush);
    },
    flush() {
      context.pending.delete(send.flush);
      if (!pending) return;
      clearTimeout(pending.timer);
      const { content } = pending;
      pending = null;
      post(content);
    },
    bytes: (content, buffer) => post(content, buffer),
    ask: (content) => context.post({ ...content, path: latest.path }),
    heard: (listener) => context.listeners.set(JSON.stringify(row.path), listener),
    // A problem that appears while a button is pressed would move the button away.
    touch() { send.flush(); touched = true; setTimeout(paint, 200); },
  };
  const control = (CONTROLS[row.kind] || CONTROLS.json)(row, send, (host) => rowsIn(host, context));
  const label = make("label", { class: "wb-label", id: `${id}-label` });
  const mark = make("span", { class: "wb-required", title: "required" });
  const kind = make("span", { class: "wb-type" });
  const state = make("span", { class: "wb-state" });
  const asJson = make("button", { type: "button", class: "wb-link", onclick: () => post({ op: "as_json" }) });
  const empty = make("button", { type: "button", class: "wb-link", title: "enter text of no characters", onclick: () => { touched = true; send.now({ op: "set", value: "" }); } }, "empty");
  const toNull = make("button", { type: "button", class: "wb-link", onclick: () => send.now({ op: "null" }) }, "null");
  const clear = make("button", { type: "button", class: "wb-link", onclick: () => send.now({ op: "clear" }) }, "clear");
  const up = make("button", { type: "button", class: "wb-link", title: "move up", onclick: () => send.now({ op: "move", to: latest.path.at(-1) - 1 }) }, "↑");
  const down = make("button", { type: "button", class: "wb-link", title: "move down", onclick: () => send.now({ op: "move", to: latest.path.at(-1) + 1 }) }, "↓");
  const twice = make("button", { type: "button", class: "wb-link", onclick: () => send.now({ op: "duplicate" }) }, "duplicate");
  const remove = make("button", { type: "button", class: "wb-link", onclick: () => send.now({ op: "remove" }) }, "remove");
  const about = make("div", { class: "wb-about", id: `${id}-about` });
  const problems = make("div", { class: "wb-problems", id: `${id}-problems`, "aria-live": "polite" });
  const head = make("div", { class: "wb-head" }, label, mark, kind, make("span", { class: "wb-space" }), state, asJson, empty, toNull, clear, up, down, twice, remove);
  const node = make("div", { class: "wb-field" }, head, about, control.node, problems);
  const focusable = control.input || (control.node.matches("input,textarea,select") ? control.node : null);
  if (focusable) {
    focusable.id = id;
    label.htmlFor = id;
    focusable.setAttribute("aria-describedby", `${id}-about ${id}-problems`);
  } else {
    control.node.setAttribute("aria-labelledby", `${id}-label`);
    if (!control.node.hasAttribute("role")) control.node.setAttribute("role", "group");
  }
  const paint = () => {
    if (sent > context.answered) return;
    const visible = touched || context.tried() || (latest.state === "text");
    const texts = visible ? latest.problems : [];
    problems.replaceChildren(...texts.map((text) => make("div", {}, text)));
    node.classList.toggle("wb-wrong", texts.length > 0);
    if (focusable) focusable.setAttribute("aria-invalid", String(texts.length > 0));
  };
  return {
    node,
    top: () => node.parentElement === context.needed || node.parentElement === context.rest,
    find: (word) => { node.hidden = !`${latest.name} ${latest.title} ${latest.description}`.toLowerCase().includes(word); },
    kind: `${row.kind}/${row.control}/${(row.choices || []).length}/${(row.branches || []).length}`,
    focus: () => control.focus(),
    wrong: () => latest.problems.length > 0,
    update(next) {
      latest = next;
      node.dataset.path = JSON.stringify(next.path);
      const index = typeof next.path.at(-1) === "number";
      setText(label, next.title || (index ? `${Number(next.name) + 1}.` : next.name || "value"));
      label.title = next.title ? next.name : "";
      setText(mark, next.required && !index ? "*" : "");
      setText(kind, next.type);
      setText(about, next.description);
      about.hidden = !next.description;
      head.hidden = Boolean(next.inner);
      if (next.inner) (focusable || control.node).setAttribute("aria-label", next.title || next.name);
      const set = next.state === "value" || next.state === "text";
      const blank = next.kind === "string" && next.state === "value" && !next.filled && next.control !== "secret";
      setText(state, next.state === "null" ? "null" : blank ? "empty text" : set || next.required ? "" : "not set");
      asJson.hidden = !next.composite || context.to !== "form" || (next.raw && next.state === "text");
      setText(asJson, next.raw ? "as fields" : "as JSON");
      empty.hidden = next.kind !== "string" || next.control === "secret" || set;
      twice.hidden = !(next.removable && index);
      toNull.hidden = !next.nullable || next.state === "null" || next.kind === "json";
      clear.hidden = next.state === "unset" || (next.required && (next.kind === "object" || next.kind === "const")) || Boolean(next.removable);
      up.hidden = !(next.removable && index && next.path.at(-1) > 0);
      down.hidden = !(next.removable && index && !next.last);
      remove.hidden = !next.removable;
      node.classList.toggle("wb-is-unset", !set);
      node.classList.toggle("wb-deprecated", next.deprecated);
      // An answer to something older than what was last done here would undo it for a moment.
      if (sent <= context.answered) control.update(next);
      paint();
    },
  };
};

/* Rows are kept by path, so that typing is never interrupted by an answer from Python. */
const rowsIn = (host, context) => {
  const known = new Map();
  return (rows) => {
    const wanted = new Set();
    rows.forEach((row, at) => {
      row.last = at === rows.length - 1;
      const key = JSON.stringify(row.path) + (row.inner ? "|" : "");
      wanted.add(key);
      let entry = known.get(key);
      const kind = `${row.kind}/${row.control}/${(row.choices || []).length}/${(row.branches || []).length}`;
      if (!entry || entry.kind !== kind) {
        entry?.node.remove();
        entry = field(row, context);
        known.set(key, entry);
        context.fields.add(entry);
      }
      if (host.children[at] !== entry.node) host.insertBefore(entry.node, host.children[at] || null);
      entry.update(row);
    });
    for (const [key, entry] of known) {
      if (wanted.has(key)) continue;
      entry.node.remove();
      known.delete(key);
      context.fields.delete(entry);
    }
  };
};

const FOLD = 8;
const SEARCH = 20;

const formIn = (host, post, to) => {
  let tried = false;
  const context = { to, listeners: new Map(), post: (content, buffer) => post({ ...content, to }, buffer), pending: new Set(), fields: new Set(), sequence: 0, answered: 0, tried: () => tried };
  const needed = make("div", { class: "wb-rows" });
  const rest = make("div", { class: "wb-rows" });
  const summary = make("summary", {});
  const fold = make("details", { class: "wb-fold" }, summary, rest);
  const general = make("div", { class: "wb-problems" });
  const search = make("input", { type: "search", class: "wb-input", placeholder: "find a parameter", "aria-label": "find a parameter", hidden: true });
  Object.assign(context, { needed, rest });
  const narrow = () => {
    const word = search.value.trim().toLowerCase();
    for (const entry of context.fields) if (entry.top()) entry.find(word);
    if (word) fold.open = true;
  };
  search.addEventListener("input", narrow);
  host.append(search, needed, fold, general);
  const drawNeeded = rowsIn(needed, context);
  const drawRest = rowsIn(rest, context);
  let folding = null;
  return {
    sequence: () => { context.sequence += 1; return context.sequence; },
    heard: (reply) => context.listeners.get(JSON.stringify(reply.path))?.(reply),
    flush: () => [...context.pending].forEach((flush) => flush()),
    focusProblem() {
      const first = [...host.querySelectorAll(".wb-field.wb-wrong")][0];
      for (const entry of context.fields) if (entry.node === first) { fold.open = fold.open || rest.contains(first); entry.focus(); }
    },
    update(view) {
      tried = Boolean(view.tried);
      context.answered = view.sequence || 0;
      const rows = [...view.fields].sort((a, b) => Number(b.required) - Number(a.required));
      if (folding === null) folding = rows.length > FOLD && rows.some((row) => row.required);
      const first = folding ? rows.filter((row) => row.required) : rows;
      const more = folding ? rows.filter((row) => !row.required) : [];
      drawNeeded(first);
      drawRest(more);
      fold.hidden = !more.length;
      search.hidden = rows.length <= SEARCH;
      narrow();
      setText(summary, `${more.length} more, optional`);
      if (tried && more.some((row) => row.problems.length)) fold.open = true;
      general.replaceChildren(...(tried ? view.general : []).map((text) => make("div", {}, text)));
      if (!view.fields.length && !host.querySelector(".wb-none")) host.prepend(make("p", { class: "wb-none wb-note" }, "No parameters."));
    },
  };
};

function render({ model, el }) {
  const post = (content, buffer) => model.send(content, undefined, buffer ? [buffer] : undefined);
  const root = make("div", { class: "wb-form" });
  el.append(root);

  const heading = make("h3", { class: "wb-title" });
  const badges = make("span", { class: "wb-badges" });
  const source = make("span", { class: "wb-source" });
  const about = make("p", { class: "wb-tool-about" });
  const header = make("header", { class: "wb-header" }, make("div", { class: "wb-title-row" }, heading, badges, source), about);
  const body = make("div", { class: "wb-body" });
  const form = formIn(body, post, "form");

  /* The same as text. Python writes it, reads it, and does not let go of text that it cannot read. */
  let tab = "form";
  let pendingText = null;
  const area = make("textarea", { class: "wb-input wb-code wb-whole", spellcheck: "false", rows: 8 });
  const listed = make("div", { class: "wb-problems", "aria-live": "polite" });
  const whole = make("div", { class: "wb-body", hidden: true }, area, listed);
  const flushText = () => {
    if (!pendingText) return;
    clearTimeout(pendingText);
    pendingText = null;
    post({ op: "whole", as: tab, text: area.value, sequence: form.sequence() });
  };
  area.addEventListener("input", () => { clearTimeout(pendingText); pendingText = setTimeout(flushText, 250); });
  const flush = () => { form.flush(); flushText(); };
  const ask = (as) => { flush(); if (as !== tab) post({ op: "show", as }); };
  const tabs = [["form", "Form"], ["json", "JSON"], ["python", "Python"]].map(([as, text]) =>
    make("button", { type: "button", class: "wb-tab", role: "tab", "data-as": as, onclick: () => ask(as) }, text));
  const earlier = make("select", { class: "wb-earlier", "aria-label": "earlier inputs", hidden: true });
  earlier.addEventListener("change", () => { if (earlier.value !== "") post({ op: "refill", index: Number(earlier.value), sequence: form.sequence() }); earlier.value = ""; });
  const reset = make("button", { type: "button", class: "wb-link", title: "enter the defaults again", onclick: () => { flush(); post({ op: "reset", sequence: form.sequence() }); if (tab !== "form") post({ op: "show", as: tab }); } }, "Reset");
  const tools = make("div", { class: "wb-tools" }, make("div", { class: "wb-tabs", role: "tablist", "aria-label": "ways to enter" }, ...tabs), make("span", { class: "wb-space" }), earlier, reset);
  const drawListed = () => listed.replaceChildren(...(tab === "form" ? [] : model.get("view").listed || []).map((text) => make("div", {}, text)));
  const showTab = (as, text) => {
    tab = as;
    body.hidden = as !== "form";
    whole.hidden = as === "form";
    drawListed();
    area.setAttribute("aria-label", `all arguments as ${as}`);
    for (const button of tabs) button.setAttribute("aria-selected", String(button.dataset.as === as));
    if (as === "form") return;
    area.value = text;
    area.style.height = "auto";
    area.style.height = `${Math.min(Math.max(area.scrollHeight + 2, 120), 480)}px`;
  };
  showTab("form");
  const heard = (reply) => {
    if (reply.op === "found" || reply.op === "preview") form.heard(reply);
    if (reply.op === "shown") showTab(reply.as, reply.text);
  };

  const runButton = make("button", { type: "button", class: "wb-run" }, "Run");
  const cancel = make("button", { type: "button", class: "wb-button", onclick: () => post({ op: "cancel" }) }, "Cancel");
  const status = make("span", { class: "wb-status", role: "status" });
  const blocked = make("span", { class: "wb-blocked" });
  const sure = make("span", { class: "wb-sure", hidden: true });
  const actions = make("div", { class: "wb-actions" }, runButton, cancel, sure, status, blocked);
  const bar = make("div", { class: "wb-progress", hidden: true, role: "progressbar", "aria-label": "progress" }, make("div", {}));
  const message = make("div", { class: "wb-note" });
  const output = make("pre", { class: "wb-output", hidden: true, "aria-label": "what the tool prints" });
  const errorText = make("div", { class: "wb-error-text" });
  const trace = make("pre", {});
  const folded = make("details", {}, make("summary", {}, "Traceback"), trace);
  const error = make("div", { class: "wb-error", hidden: true, role: "alert" }, errorText, folded);
  const fault = make("div", { class: "wb-error", hidden: true, role: "alert" });
  const asked = make("div", { class: "wb-ask", hidden: true });
  root.append(header, tools, body, whole, actions, bar, message, asked, output, error, fault);

  let asking = null;
  let timer = null;
  let runs = 0;
  let startedAt = 0;

  const destructive = () => (model.get("view").badges || []).includes("destructive");
  const go = () => { sure.hidden = true; flush(); post({ op: "run" }); runs += 1; };
  const askFirst = () => {
    sure.replaceChildren("It may delete or overwrite. ",
      make("button", { type: "button", class: "wb-danger", onclick: go }, "Run it"),
      make("button", { type: "button", class: "wb-button", onclick: () => { sure.hidden = true; runButton.focus(); } }, "Keep"));
    sure.hidden = false;
    sure.querySelector("button").focus();
  };
  const press = () => {
    flush();
    if (!runButton.disabled) (destructive() && !model.get("view").problems ? askFirst : go)();
  };
  runButton.addEventListener("click", press);
  root.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); event.stopPropagation(); press(); }
    else if (event.key === "Escape" && !cancel.hidden) { event.stopPropagation(); post({ op: "cancel" }); }
    // JupyterLab's own shortcuts are not for text that is typed into a form.
    else if (event.target.matches("input,textarea,select")) event.stopPropagation();
  });

  const drawView = () => {
    const view = model.get("view");
    header.hidden = !view.tool;
    actions.hidden = !view.tool;
    if (view.tool) {
      setText(heading, view.heading);
      heading.title = view.tool;
      setText(source, view.source || "");
      source.title = view.source || "";
      setText(about, view.about || "");
      about.hidden = !view.about;
      badges.replaceChildren(...view.badges.map((word) => make("span", { class: `wb-badge wb-${word}` }, word)));
    }
    form.update(view);
    tools.hidden = !view.fields.length;
    earlier.hidden = !(view.inputs || []).length;
    earlier.replaceChildren(make("option", { value: "" }, "Earlier inputs"), ...(view.inputs || []).map((text, index) => make("option", { value: index }, text)));
    drawListed();
    setText(blocked, view.tried && view.problems ? `${view.problems} ${view.problems === 1 ? "problem" : "problems"} to mend first` : "");
    if (view.tried && view.problems && runs) { runs = 0; if (tab === "form") form.focusProblem(); else area.focus(); }
  };

  const words = { pending: "waiting", running: "running", done: "done", failed: "failed", cancelled: "cancelled" };
  const drawRun = () => {
    const run = model.get("run_view");
    const live = run.status === "running" || run.status === "pending";
    runButton.disabled = live;
    setText(runButton, live ? "Running" : run.status ? "Run again" : "Run");
    cancel.hidden = !live;
    status.className = `wb-status wb-${run.status || "idle"}`;
    startedAt = performance.now() - 1000 * (run.elapsed_s || 0);
    const tick = () => setText(status, run.status ? `${words[run.status]} ${live ? ((performance.now() - startedAt) / 1000).toFixed(1) : (run.elapsed_s || 0).toFixed(2)} s` : "");
    clearInterval(timer);
    tick();
    if (live) timer = setInterval(tick, 200);
    const progress = live ? run.progress : null;
    bar.hidden = !progress;
    if (progress) {
      const known = typeof progress.fraction === "number";
      bar.classList.toggle("wb-unknown", !known);
      bar.firstChild.style.width = known ? `${100 * progress.fraction}%` : "";
      if (known) bar.setAttribute("aria-valuenow", Math.round(100 * progress.fraction));
    }
    setText(message, progress?.message || (live && run.partial?.length ? run.partial.at(-1) : ""));
    const text = [...(run.log || []), ...(run.output ? [run.output] : [])].join("\n");
    const atEnd = output.scrollTop + output.clientHeight >= output.scrollHeight - 8;
    setText(output, text);
    output.hidden = !text;
    if (atEnd) output.scrollTop = output.scrollHeight;
    error.hidden = !run.error;
    setText(errorText, run.error?.message || "");
    setText(trace, run.error?.trace || "");
    folded.hidden = !run.error?.trace;
    fault.hidden = !run.fault;
    setText(fault, run.fault ? `Something went wrong in the form itself: ${run.fault}` : "");
    drawQuestion(run.question);
  };

  const drawQuestion = (question) => {
    asked.hidden = !question;
    if (!question) { asking = null; asked.replaceChildren(); return; }
    if (!asking) {
      const host = make("div", {});
      const answer = (how) => () => { asking.form.flush(); post({ op: "answer", how }); };
      asking = { form: formIn(host, post, "question"), text: make("p", { class: "wb-question" }), url: make("code", { class: "wb-url" }) };
      asked.replaceChildren(make("div", { class: "wb-ask-head" }, "The tool asks"), asking.text, asking.url, host,
        make("div", { class: "wb-actions" }, make("button", { type: "button", class: "wb-run", onclick: answer("accept") }, "Accept"),
          make("button", { type: "button", class: "wb-button", onclick: answer("decline") }, "Decline"),
          make("button", { type: "button", class: "wb-button", onclick: answer("cancel") }, "Dismiss")));
    }
    setText(asking.text, question.message);
    setText(asking.url, question.url || "");
    asking.url.hidden = !question.url;
    asking.form.update(question);
  };

  model.on("msg:custom", heard);
  model.on("change:view", drawView);
  model.on("change:run_view", drawRun);
  drawView();
  drawRun();
  return () => {
    clearInterval(timer);
    model.off("msg:custom", heard);
    model.off("change:view", drawView);
    model.off("change:run_view", drawRun);
  };
}

export default { render };
