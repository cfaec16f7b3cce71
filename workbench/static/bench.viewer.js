// A result, block by block. What is large is asked for when it is shown.

const PAGE_ROWS = 250;
const PAGE_NODES = 100;

// Address each piece by the numbers of its block and of the steps inside it.
const keyOf = (steps) => JSON.stringify(steps);

const blobUrl = (answer, urls) => {
  const url = URL.createObjectURL(new Blob([answer.buffers[0]], { type: answer.mime }));
  urls.push(url);
  return url;
};

const save = async (ask) => {
  const answer = await ask("file");
  const url = URL.createObjectURL(new Blob([answer.buffers[0]], { type: answer.mime }));
  make("a", { href: url, download: answer.name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
};

/* One drawing for each kind of block: (view, ask, place) gives a node. */

const textBlock = (view, ask) => {
  const shown = view.markdown ? make("div", { class: "wb-markdown" }, ...markdown(view.text)) : make("pre", { class: "wb-text" }, view.text);
  if (!view.more) return shown;
  let at = view.text.length, left = view.more;
  const more = action("", "show more of the text", async () => {
    const answer = await ask("text", { start: at });
    shown.append(answer.text);
    at += answer.text.length;
    left = answer.more;
    label();
  });
  const label = () => { more.textContent = `${left.toLocaleString()} more characters`; more.hidden = !left; };
  label();
  return make("div", {}, shown, more);
};

const imageBlock = (view, ask, { urls }) => {
  // Its room is kept until its bytes are there, so that nothing below moves under the pointer.
  const room = `width: ${view.width}px; aspect-ratio: ${view.width} / ${view.height}`;
  const image = make("img", { class: "wb-picture", alt: `picture, ${view.width} × ${view.height} pixels`, draggable: "false", style: room });
  const stage = make("div", { class: "wb-stage", tabindex: "0" }, image);
  const facts = make("span", { class: "wb-given" });
  let scale = null, whole = !view.note, natural = [view.width, view.height];
  const say = () => {
    const words = [`${view.width} × ${view.height} px`, view.mime.replace("image/", "").toUpperCase()];
    if (scale) words.push(`${Math.round(scale * 100)} %`);
    if (!whole) words.push("a preview");
    facts.textContent = words.join(" · ");
  };
  const zoom = async (to) => {
    scale = to && Math.min(16, Math.max(0.05, to));
    if (scale && !whole) {
      const answer = await ask("media", { whole: true });
      if (answer.buffers.length) { image.src = blobUrl(answer, urls); whole = true; }
    }
    image.style.width = scale ? `${view.width * scale}px` : "";
    image.style.maxWidth = scale ? "none" : "";
    image.classList.toggle("wb-crisp", Boolean(scale && scale > 2));
    stage.classList.toggle("wb-zoomed", Boolean(scale));
    say();
  };
  const now = () => scale ?? image.clientWidth / view.width;
  image.addEventListener("click", () => zoom(scale ? null : 1));
  stage.addEventListener("keydown", (event) => {
    const keys = { "+": () => zoom(now() * 1.5), "-": () => zoom(now() / 1.5), 0: () => zoom(null), 1: () => zoom(1) };
    if (event.key in keys) { event.preventDefault(); keys[event.key](); }
  });
  stage.addEventListener("wheel", (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoom(now() * (event.deltaY < 0 ? 1.2 : 1 / 1.2));
  }, { passive: false });
  ask("media").then((answer) => {
    image.src = blobUrl(answer, urls);
    if (!scale) image.style.cssText = "";
  });
  const word = (text, title, to) => make("button", { type: "button", class: "wb-choice", title, onclick: () => zoom(to()) }, text);
  const bar = make("div", { class: "wb-choices", role: "group", "aria-label": "zoom" }, word("fit", "as wide as there is room", () => null), word("100%", "one pixel for each", () => 1), word("−", "smaller", () => now() / 1.5), word("+", "larger", () => now() * 1.5));
  say();
  return make("div", {}, stage, make("div", { class: "wb-facts" }, bar, facts));
};

const drawWave = (canvas, peaks, at) => {
  const ratio = window.devicePixelRatio || 1;
  const width = canvas.clientWidth, height = canvas.clientHeight;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const pen = canvas.getContext("2d");
  const style = getComputedStyle(canvas);
  pen.scale(ratio, ratio);
  const step = width / peaks.length;
  peaks.forEach(([low, high], index) => {
    pen.fillStyle = index / peaks.length < at ? style.getPropertyValue("--wb-accent") : style.getPropertyValue("--wb-soft");
    const top = (1 - high) * height / 2;
    pen.fillRect(index * step, top, Math.max(1, step - (step > 3 ? 1 : 0)), Math.max(1, (high - low) * height / 2));
  });
};

const audioBlock = (view, ask, { urls, ends }) => {
  const player = make("audio", { controls: true, preload: "metadata", "aria-label": view.facts });
  const canvas = make("canvas", { class: "wb-wave", role: "img", "aria-label": "waveform", hidden: true });
  const facts = make("div", { class: "wb-facts" }, make("span", { class: "wb-given" }, view.facts));
  let peaks = [];
  const paint = () => { if (peaks.length && canvas.clientWidth) drawWave(canvas, peaks, player.duration ? player.currentTime / player.duration : 0); };
  ask("media").then((answer) => {
    player.src = blobUrl(answer, urls);
    if (answer.note) facts.append(make("span", { class: "wb-given" }, answer.note));
  });
  ask("wave").then((answer) => { peaks = answer.peaks; canvas.hidden = !peaks.length; paint(); });
  const watch = new ResizeObserver(paint);
  watch.observe(canvas);
  ends.push(() => watch.disconnect());
  ["timeupdate", "seeked", "loadedmetadata"].forEach((name) => player.addEventListener(name, paint));
  canvas.addEventListener("click", (event) => { if (player.duration) player.currentTime = player.duration * event.offsetX / canvas.clientWidth; });
  return make("div", {}, canvas, player, facts);
};

const videoBlock = (view, ask, { urls }) => {
  const player = view.animation ? make("img", { class: "wb-picture", alt: view.facts }) : make("video", { controls: true, preload: "metadata", class: "wb-picture", "aria-label": view.facts });
  ask("media").then((answer) => { player.src = blobUrl(answer, urls); });
  return make("div", {}, player, make("div", { class: "wb-facts" }, make("span", { class: "wb-given" }, view.facts)));
};

const tableBlock = (view, ask, { select, selected }) => {
  const body = make("tbody");
  const table = make("table", { class: "wb-table" });
  const box = make("div", { class: "wb-table-box", tabindex: "0", role: "region", "aria-label": "table" }, table);
  const more = action("", "show more rows", () => { limit += view.first; fill(); });
  let column = null, descending = false, shown = 0, limit = view.first, busy = false, turn = 0;
  const mark = () => body.querySelectorAll("td, th").forEach((cell) => cell.classList.toggle("wb-picked", cell.dataset.steps === selected()));
  const cell = (kind, steps, text) => make(kind, { "data-steps": keyOf(steps), title: kind === "td" ? text : "this row", onclick: () => { select(steps); mark(); } }, text);
  const fill = async () => {
    if (busy || shown >= Math.min(limit, view.count)) return;
    busy = true;
    const mine = turn;
    const answer = await ask("rows", { start: shown, count: Math.min(PAGE_ROWS, limit - shown), column, descending });
    busy = false;
    // Another order may have been asked for while these rows were on their way.
    if (mine !== turn) { fill(); return; }
    body.append(...answer.rows.map(([number, cells]) => make("tr", {}, cell("th", [number], String(number)), ...cells.map((text, at) => cell("td", [number, { column: at }], text)))));
    shown += answer.rows.length;
    mark();
    label();
    if (box.scrollHeight <= box.clientHeight + 40) fill();
  };
  const label = () => {
    more.hidden = shown < limit || shown >= view.count;
    more.textContent = `show more: ${shown.toLocaleString()} of ${view.count.toLocaleString()} rows are here`;
  };
  const head = make("tr");
  const drawHead = () => head.replaceChildren(make("th", { class: "wb-corner" }), ...view.columns.map((name, at) => {
    const order = at === column ? (descending ? "descending" : "ascending") : "none";
    const mark = { ascending: " ▲", descending: " ▼", none: "" }[order];
    return make("th", { "aria-sort": order }, make("button", { type: "button", class: "wb-column", title: `sort by ${name}`, onclick: () => sort(at) }, name, make("span", { class: "wb-order" }, mark)));
  }));
  const sort = (at) => {
    // Ascending, descending, and then as it was.
    [column, descending] = at !== column ? [at, false] : descending ? [null, false] : [at, true];
    select([{ column: at }]);
    turn += 1;
    shown = 0;
    body.replaceChildren();
    drawHead();
    fill();
  };
  box.addEventListener("scroll", () => { if (box.scrollTop + box.clientHeight > box.scrollHeight - 300) fill(); });
  drawHead();
  table.append(make("thead", {}, head), body);
  fill();
  const hidden = view.hidden ? `, ${view.hidden} more columns` : "";
  return make("div", {}, box, make("div", { class: "wb-facts" }, make("span", { class: "wb-given" }, `${view.count.toLocaleString()} rows × ${view.columns.length} columns${hidden}`), more));
};

const treeBlock = (view, ask, { select, selected }) => {
  const tree = make("div", { class: "wb-tree", role: "tree", "aria-label": "data" });
  const mark = () => tree.querySelectorAll(".wb-node").forEach((node) => node.classList.toggle("wb-picked", node.dataset.steps === selected()));
  const node = (item, steps, isOpen) => {
    const inside = make("div", { class: "wb-inside", role: "group", hidden: true });
    const words = { object: ["{", "}"], array: ["[", "]"] }[item.kind];
    const size = words ? `${words[0]} ${item.count.toLocaleString()} ${words[1]}` : item.text;
    const turn = make("span", { class: "wb-turn", "aria-hidden": "true" }, words && item.count ? "▸" : "");
    const line = make("div", { class: "wb-node", role: "treeitem", tabindex: "-1", "data-steps": keyOf(steps), "aria-expanded": words && item.count ? "false" : null },
      turn, item.key === undefined ? null : make("span", { class: "wb-key" }, String(item.key)), make("span", { class: `wb-leaf wb-${item.kind}` }, size));
    const load = async () => {
      const start = inside.querySelectorAll(":scope > div > .wb-node").length;
      const answer = await ask("inside", { start, count: PAGE_NODES }, steps);
      inside.querySelector(":scope > .wb-act")?.remove();
      inside.append(...answer.items.map((each, at) => node(each, [...steps, start + at], false)));
      const left = item.count - start - answer.items.length;
      if (left > 0) inside.append(action(`${Math.min(left, PAGE_NODES)} more of ${item.count.toLocaleString()}`, "show more", load));
      mark();
    };
    const toggle = () => {
      if (!words || !item.count) return;
      inside.hidden = !inside.hidden;
      turn.textContent = inside.hidden ? "▸" : "▾";
      line.setAttribute("aria-expanded", String(!inside.hidden));
      if (!inside.hidden && !inside.childElementCount) load();
    };
    line.addEventListener("click", (event) => { if (event.target !== turn) { select(steps); mark(); } toggle(); });
    if (isOpen) toggle();
    return make("div", {}, line, inside);
  };
  tree.append(node(view.node, [], true));
  tree.addEventListener("keydown", (event) => {
    const lines = [...tree.querySelectorAll(".wb-node")].filter((line) => line.offsetParent);
    const at = lines.indexOf(document.activeElement.closest(".wb-node") ?? lines[0]);
    const open = lines[at]?.getAttribute("aria-expanded");
    if (event.key === "ArrowDown") lines[at + 1]?.focus();
    else if (event.key === "ArrowUp") lines[at - 1]?.focus();
    else if ((event.key === "ArrowRight" && open === "false") || (event.key === "ArrowLeft" && open === "true") || event.key === "Enter") lines[at].click();
    else return;
    event.preventDefault();
  });
  tree.querySelector(".wb-node").tabIndex = 0;
  return tree;
};

// What a person may let a page do, least first; what it would like besides is said.
const pageOffers = (app, opener) => {
  const offer = (label, hint, given, says = hint) => make("div", { class: "wb-facts" }, opener(label, hint, given), make("span", { class: "wb-given" }, says));
  if (!app) return [offer("show as a page", "without scripts, and without anything from elsewhere", { scripts: false })];
  const { load, connect, rights } = app;
  const hosts = [...new Set([...load, ...connect])].join(", ");
  return [
    offer("run this app", "its scripts run in a frame that reaches neither this page nor the network; what it asks of its server comes to you", { scripts: true }),
    hosts ? offer("run it with the network", "the same, but it reaches what is named here", { scripts: true, load, connect }, `it asks for ${hosts}`) : null,
    rights.length ? make("div", { class: "wb-facts" }, make("span", { class: "wb-given" }, `It also asks for what no app gets here: ${rights.join(", ")}`)) : null,
  ];
};

const pageBlock = (view, ask, { ends, number }) => {
  const box = make("div", { class: "wb-frame-box" });
  let end = null;
  const close = () => { end?.(); end = null; };
  ends.push(close);
  const opener = (label, hint, given) => action(label, hint, async () => {
    close();
    const frame = sandboxed((await ask("page")).text, given);
    if (view.app && typeof number === "number") end = hostApp(frame, box, number, ask);
    else box.replaceChildren(frame);
  });
  return make("div", {}, ...pageOffers(view.app, opener), box, make("details", {}, make("summary", {}, "Source"), textBlock(view, ask)));
};

const errorBlock = (view) => make("div", { class: "wb-fault", role: "alert" }, make("strong", {}, view.head), make("div", { class: "wb-fault-text" }, view.text),
  view.trace ? make("details", {}, make("summary", {}, "Traceback"), make("pre", { class: "wb-code-text" }, view.trace)) : null);

const pairBlock = (view, ask, place) => {
  if (view.mode === "diff") return make("pre", { class: "wb-diff" }, ...view.diff.map((line) => make("div", { class: line[0] === "+" ? "wb-added" : line[0] === "-" ? "wb-removed" : "" }, line)));
  if (view.mode === "pictures") return sliderBlock(view, ask, place);
  const side = (inner, at) => make("div", { class: "wb-side" }, inner ? draw(inner, (op, extra, steps = []) => ask(op, extra, [at, ...steps]), place) : make("span", { class: "wb-given" }, "none"));
  if (view.same) return make("div", {}, side(view.first, 0), make("span", { class: "wb-given" }, "(the same)"));
  return make("div", { class: "wb-sides" }, side(view.first, 0), side(view.second, 1));
};

const sliderBlock = (view, ask, { urls }) => {
  const image = (inner, at) => {
    const made = make("img", { class: "wb-picture", alt: `picture ${at + 1}, ${inner.width} × ${inner.height} pixels` });
    ask("media", {}, [at]).then((answer) => { made.src = blobUrl(answer, urls); });
    return made;
  };
  const over = make("div", { class: "wb-over" }, image(view.second, 1));
  const line = make("div", { class: "wb-cut" });
  const stage = make("div", { class: "wb-slider-stage" }, image(view.first, 0), over, line);
  const range = make("input", { type: "range", min: 0, max: 100, value: 50, class: "wb-slider-range", "aria-label": "the first picture at the left, the second at the right" });
  const cut = () => { over.style.clipPath = `inset(0 0 0 ${range.value}%)`; line.style.left = `${range.value}%`; };
  const follow = (event) => {
    const box = stage.getBoundingClientRect();
    range.value = String(Math.round(100 * (event.clientX - box.left) / box.width));
    cut();
  };
  stage.addEventListener("pointerdown", (event) => { event.preventDefault(); stage.setPointerCapture(event.pointerId); follow(event); });
  stage.addEventListener("pointermove", (event) => { if (event.buttons) follow(event); });
  range.addEventListener("input", cut);
  cut();
  const size = (inner) => `${inner.width} × ${inner.height} px`;
  return make("div", {}, stage, range, make("div", { class: "wb-facts wb-ends" }, make("span", { class: "wb-given" }, size(view.first)), make("span", { class: "wb-given" }, size(view.second))));
};

const messagesBlock = (view, ask, place) => make("div", {}, ...view.said.map((message, at) => make("div", { class: "wb-message" },
  make("div", { class: "wb-given" }, message.role), draw(message.view, (op, extra, steps = []) => ask(op, extra, [at, 1, ...steps]), place))));

const linkBlock = (view, ask) => make("div", {}, make("strong", {}, view.title), " ", make("code", {}, view.uri), view.about ? make("div", { class: "wb-given" }, view.about) : null,
  view.readable ? action("read it", "read this resource from its server", () => ask("read")) : null);

const KINDS = {
  text: textBlock, image: imageBlock, audio: audioBlock, video: videoBlock, table: tableBlock, tree: treeBlock,
  page: pageBlock, error: errorBlock, pair: pairBlock, messages: messagesBlock, link: linkBlock,
  scalar: (view) => make("pre", { class: "wb-text wb-scalar" }, view.text),
  bytes: (view) => make("p", { class: "wb-given" }, view.text),
  note: (view) => make("p", { class: "wb-given" }, view.text),
  own: (view) => make("p", { class: "wb-given" }, `${view.text}, as it shows itself, is below.`),
  problems: (view) => make("div", { class: "wb-fault" }, make("strong", {}, "The result breaks the tool's output schema"), make("pre", { class: "wb-code-text" }, view.text)),
};

function draw(view, ask, place) {
  return KINDS[view.kind](view, ask, place);
}

/* What a person can do with a block, or with the piece of it that is picked. */

const FIXED = new Set(["error", "note", "problems", "pair"]);

const tools = (view, ask, picked) => {
  const of = make("span", { class: "wb-given wb-of" });
  const panel = make("div", { class: "wb-pop", hidden: true });
  const said = make("span", { class: "wb-given", role: "status" });
  const open = (name, fill) => () => {
    const isSame = panel.dataset.name === name && !panel.hidden;
    panel.hidden = isSame;
    panel.dataset.name = name;
    if (!isSame) fill();
  };
  const assign = () => {
    const name = make("input", { class: "wb-name", "aria-label": "name of the variable", spellcheck: "false", size: 14 });
    const keep = async () => {
      const answer = await ask("assign", { name: name.value }, picked());
      if (answer.said) { panel.hidden = true; said.textContent = answer.said; }
    };
    name.addEventListener("keydown", (event) => { if (event.key === "Enter") keep(); });
    ask("name", {}, picked()).then((answer) => { if (!name.value) { name.value = answer.name; name.select(); } });
    panel.replaceChildren(make("span", {}, "Assign to variable"), name, make("button", { type: "button", class: "wb-small", onclick: keep }, "Assign"));
    name.focus();
  };
  const use = async (tool) => {
    const answer = await ask("targets", { tool: typeof tool === "string" ? tool : "" }, picked());
    if (!answer.fields) return;
    const choice = make("select", { "aria-label": "tool", onchange: (event) => use(event.target.value) }, ...answer.tools.map((name) => make("option", { value: name, selected: name === answer.tool }, name)));
    const put = (field) => async () => {
      const done = await ask("use", { tool: answer.tool, path: field.path }, picked());
      if (done.said) { panel.hidden = true; said.textContent = done.said; }
    };
    const fields = answer.fields.map((field) => make("button", { type: "button", class: field.fits ? "wb-small wb-fits" : "wb-small", title: field.type, onclick: put(field) }, field.title));
    panel.replaceChildren(make("span", {}, "Use as input of"), choice, ...(fields.length ? fields : [make("span", { class: "wb-given" }, "it takes no input")]));
  };
  const grip = make("span", { class: "wb-grip", draggable: "true", title: "drag this into a field of the form", "aria-hidden": "true" }, "⠿");
  const bar = make("div", { class: "wb-block-bar" }, grip, of,
    make("span", { class: "wb-acts" },
      action("use as input", "put this into a field of a tool", open("use", use)),
      action("assign", "give this a name in the notebook", open("assign", assign)),
      action("download", "save this as a file", () => save((op) => ask(op, {}, picked())))), said);
  return { node: make("div", {}, bar, panel), of, grip, say: (text) => { said.textContent = text; } };
};

/* A piece is dragged into a field: the fields belong to another widget, so the page is watched while it lasts. */

const dragging = (grip, root, send) => {
  const fieldAt = (event) => {
    const field = event.target.closest?.(".wb-form .wb-field[data-path]");
    let around = root;
    while (around && !around.querySelector(".wb-form")) around = around.parentElement;
    return field && around?.contains(field) ? field : null;
  };
  let over = null;
  const light = (field) => {
    if (over !== field) over?.classList.remove("wb-receives");
    over = field;
    over?.classList.add("wb-receives");
  };
  const move = (event) => {
    const field = fieldAt(event);
    light(field);
    if (field) { event.preventDefault(); event.stopPropagation(); }
  };
  const drop = (event) => {
    const field = fieldAt(event);
    light(null);
    if (!field) return;
    event.preventDefault();
    event.stopPropagation();
    send(JSON.parse(field.dataset.path));
  };
  const end = () => {
    light(null);
    document.removeEventListener("dragover", move, true);
    document.removeEventListener("drop", drop, true);
  };
  grip.addEventListener("dragstart", (event) => {
    // JupyterLab would take the drag for one of a cell.
    event.stopPropagation();
    event.dataTransfer.setData("text/plain", "a result");
    event.dataTransfer.effectAllowed = "copy";
    document.addEventListener("dragover", move, true);
    document.addEventListener("drop", drop, true);
  });
  grip.addEventListener("dragend", end);
  return end;
};

/* While the result is live here, its copy in the next output, which is saved, is out of sight. */

const hidingCopy = (el) => {
  const output = () => el.closest(".jp-OutputArea-child");
  let hides = false;
  const apply = () => output()?.nextElementSibling?.classList.toggle("wb-copy", hides);
  const watch = new MutationObserver(apply);
  return {
    set(on) {
      hides = on;
      apply();
      const area = output()?.parentElement;
      if (area) watch.observe(area, { childList: true });
    },
    stop() { watch.disconnect(); hides = false; apply(); },
  };
};

const waiters = new Map();
let serial = 0;

const asker = (model, page, block) => (op, extra = {}, steps = []) => new Promise((resolve) => {
  const id = `${page}-${++serial}`;
  waiters.set(id, resolve);
  model.send({ op, id, block, steps, serial: model.get("head").serial, ...extra });
});

const heading = (head, model) => {
  const act = (op, text, title) => action(text, title, () => model.send({ op, number: head.number }));
  const own = typeof head.number === "number" ? [act("rerun", "run again", "the same call once more"), act("code", "code", "this call and its result as Python")] : [];
  return make("div", { class: "wb-result-head" },
    head.status ? make("span", { class: `wb-mark wb-${head.status}`, title: head.status }, { done: "✓", failed: "✗" }[head.status] || "") : null,
    make("span", { class: "wb-result-title" }, head.title), make("span", { class: "wb-given" }, head.about || ""), make("span", { class: "wb-acts" }, ...own));
};

function render({ model, el }) {
  const root = make("div", { class: "wb-bench wb-viewer" });
  root.addEventListener("keydown", (event) => event.stopPropagation());
  el.append(root);
  const page = Math.random().toString(36).slice(2, 8);
  const copy = hidingCopy(el);
  let urls = [], ends = [];
  const clear = () => {
    urls.forEach((url) => URL.revokeObjectURL(url));
    ends.forEach((end) => end());
    urls = [];
    ends = [];
  };
  const block = (view, at) => {
    const ask = asker(model, page, at);
    let steps = [];
    const bar = FIXED.has(view.kind) ? null : tools(view, ask, () => steps);
    const select = async (to) => {
      steps = keyOf(to) === keyOf(steps) ? [] : to;
      const answer = steps.length ? await ask("label", {}, steps) : { text: "" };
      bar.of.textContent = answer.text ?? "";
    };
    const place = make("div");
    place.append(safely(place, draw)(view, ask, { urls, ends, number: model.get("head").number, select, selected: () => (steps.length ? keyOf(steps) : null) }) ?? "");
    if (bar) ends.push(dragging(bar.grip, root, async (path) => bar.say((await ask("drop", { path }, steps)).said)));
    const title = view.title ?? view.from ?? view.name;
    const inner = [title && view.title !== "Structured content" ? make("div", { class: "wb-from" }, title) : null, place, bar?.node];
    if (view.title !== "Structured content") return make("div", { class: `wb-block wb-block-${view.kind}` }, ...inner);
    return make("details", { class: `wb-block wb-block-${view.kind}` }, make("summary", {}, title), ...inner);
  };
  const redraw = safely(root, () => {
    clear();
    const head = model.get("head"), blocks = model.get("blocks");
    root.hidden = !head.title;
    root.replaceChildren(...(head.title ? [heading(head, model), ...blocks.map(block)] : []));
    copy.set(Boolean(head.title) && !blocks.some((view) => view.kind === "own"));
  });
  const answered = (message, buffers) => {
    if (!message.failed) waiters.get(message.id)?.({ ...message, buffers });
    waiters.delete(message.id);
  };
  model.on("change:head", redraw);
  model.on("msg:custom", answered);
  redraw();
  return () => {
    model.off("change:head", redraw);
    model.off("msg:custom", answered);
    copy.stop();
    clear();
  };
}

export default { render };
