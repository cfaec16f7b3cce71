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

/* Text that may be very long: its first lines, and the rest when it is asked for. */
const clamped = (attributes) => {
  const text = make("div", attributes);
  const more = make("button", { type: "button", class: "wb-link", hidden: true, "aria-expanded": "false", onclick() {
    const open = text.classList.toggle("wb-clamp");
    more.setAttribute("aria-expanded", String(!open));
    setText(more, open ? "more" : "less");
  } }, "more");
  return {
    text,
    more,
    show(value) {
      const given = value || "";
      text.hidden = !given;
      if (text.textContent === given) return;
      text.textContent = given;
      more.hidden = given.length < 400 && given.split("\n").length < 6;
      text.classList.toggle("wb-clamp", !more.hidden);
    },
  };
};

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
  const input = make("input", { type: "text", inputmode: { email: "email", url: "url" }[row.control], class: "wb-input", spellcheck: "false", dir: "auto" });
  const plain = typed(input)(row, send);
  // A date field shows dates only: other text that is set must be seen, too.
  const control = row.control !== "date" ? plain : { ...plain, update(next) {
    if (document.activeElement !== input) input.type = !next.text || /^\d{4}-\d\d-\d\d$/.test(next.text) ? "date" : "text";
    plain.update(next);
  } };
  if (row.control === "time") input.placeholder = "13:30:00Z";
  if (!row.examples) return control;
  const list = make("datalist", { id: unique("list") }, ...row.examples.map((e) => make("option", { value: e })));
  input.setAttribute("list", list.id);
  return { ...control, node: make("div", {}, input, list), input };
};

const lines = (row, send, mono = false) => {
  const area = make("textarea", { class: mono ? "wb-input wb-code" : "wb-input", rows: 2, spellcheck: "false", dir: "auto" });
  const grow = () => {
    area.style.height = "auto";
    area.style.height = `${Math.min(area.scrollHeight + 2, 320)}px`;
  };
  area.addEventListener("input", grow);
  area.addEventListener("wb-grow", grow);
  return typed(area)(row, send);
};

const code = (row, send) => lines(row, send, true);

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
  const step = row.step || row.multipleOf || (row.kind === "integer" ? 1 : (row.maximum - row.minimum) / 100);
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
  const input = make("input", { class: "wb-input", role: "combobox", "aria-expanded": "false", "aria-controls": id, "aria-autocomplete": "list", autocomplete: "off", spellcheck: "false", dir: "auto" });
  const hint = row.control === "path" ? "a path" : row.control === "choices" ? "choose or type" : `search ${row.choices.length + row.more} choices`;
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
  const pick = ([index, label]) => {
    input.value = label;
    close();
    send.touch();
    send.now(index === null ? { op: "text", text: label } : { op: "pick", index });
    if (index === null && label.endsWith("/")) search(label);
  };
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
  input.addEventListener("focus", () => { input.select(); search(row.control === "path" ? input.value : ""); });
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
    update(next) {
      latest = next;
      if (input.getRootNode().activeElement !== input) input.value = word();
      input.placeholder = next.state === "null" ? "null" : hint;
    },
    focus: () => input.focus(),
  };
};

const choice = (row, send) => {
  if (row.control === "segments" || (!row.control && few(row.choices))) {
    const set = segments(row.choices, (index) => { send.touch(); send.now({ op: "pick", index }); });
    return { ...set, update: (next) => set.update(next.picked) };
  }
  if (row.control === "search" || row.more || (!row.control && row.choices.length > 15)) return searchable(row, send);
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

/* What is typed is one text, as it is; what is pasted is split into lines, or at its commas. */
const tags = (row, send) => {
  const box = make("div", { class: "wb-tags" });
  const input = make("input", { class: "wb-tag-input", placeholder: "type, then Enter", dir: "auto" });
  let values = [];
  const commit = (next) => { send.touch(); send.now({ op: "set", value: next }); };
  const take = () => {
    const text = input.value;
    if (!text) return;
    input.value = "";
    commit([...values, text]);
  };
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) { event.preventDefault(); event.stopPropagation(); take(); }
    if (event.key === "Backspace" && !input.value && values.length) commit(values.slice(0, -1));
  });
  input.addEventListener("blur", take);
  input.addEventListener("paste", (event) => {
    const text = event.clipboardData.getData("text");
    const parts = text.split(/[\n\t]/.test(text.trim()) ? /[\r\n\t]+/ : ",").map((part) => part.trim()).filter(Boolean);
    if (parts.length < 2) return;
    event.preventDefault();
    commit([...values, ...parts]);
  });
  return {
    node: box,
    input,
    update(next) {
      values = next.tags || [];
      const chips = values.map((value, index) => make("span", { class: "wb-tag" }, make("bdi", {}, value || "(empty)"),
        make("button", { type: "button", "aria-label": `remove ${value}`, onclick: () => commit(values.filter((_, i) => i !== index)) }, "×")));
      // The input stays where it is: moving it would take the focus away.
      for (const child of [...box.children]) if (child !== input) child.remove();
      if (!input.parentNode) box.append(input);
      input.before(...chips);
    },
    focus: () => input.focus(),
  };
};

/* Where files are dropped: a module of its own, since most forms have none. */
const media = (row, send) => {
  const address = make("input", { class: "wb-input", dir: "auto", spellcheck: "false" });
  const node = make("div", {}, address);
  const control = typed(address)(row, send);
  let zone = null;
  let latest = row;
  send.load("media").then(({ media: open }) => {
    zone = open({ row: latest, send, make, setText, unique });
    node.prepend(zone.node);
    zone.update(latest);
  });
  return {
    node,
    input: address,
    update(next) {
      latest = next;
      control.update(next);
      address.placeholder = next.filled && !next.text ? "set, not shown" : next.accept ? "or a path or data: address" : "or its text";
      zone?.update(next);
    },
    focus: () => (zone || address).focus(),
  };
};

/* The path of a file where the kernel is; one that is dropped here is put there first. */
const path = (row, send) => {
  const search = searchable(row, send);
  const node = make("div", { class: "wb-path" }, search.node);
  let latest = row;
  send.load("media").then(({ sender }) => node.append(sender({ row: latest, send, make, setText, zone: node })));
  return { ...search, node, update(next) { latest = next; search.update(next); } };
};

/* Where a member of a name of its own is added. */
const adder = (row, send) => {
  const key = make("input", { class: "wb-input wb-key", placeholder: "name of a new entry", "aria-label": `name of a new entry of ${row.name}`, dir: "auto" });
  const list = make("datalist", { id: unique("list") }, ...(row.names || []).map((name) => make("option", { value: name })));
  if (row.names?.length) key.setAttribute("list", list.id);
  const add = () => { send.now({ op: "add", name: key.value }); key.value = ""; };
  key.addEventListener("keydown", (event) => { if (event.key === "Enter" && !event.ctrlKey) { event.preventDefault(); add(); } });
  return [key, list, make("button", { type: "button", class: "wb-small", onclick: add }, "Add entry")];
};

const group = (row, send, draw) => {
  const rows = make("div", { class: "wb-rows" });
  const bar = make("div", { class: "wb-bar" });
  const begin = make("button", { type: "button", class: "wb-small", onclick: () => send.now({ op: row.kind === "array" ? "add" : "begin" }) });
  const more = row.grows && row.kind !== "array" ? adder(row, send) : [];
  bar.append(...more, ...(row.kind === "map" ? [] : [begin]));
  const inner = draw(rows);
  return {
    node: make("div", { class: "wb-group" }, rows, bar),
    update(next) {
      inner(next.children || []);
      setText(begin, row.kind === "array" ? "Add item" : "Fill in");
      const there = next.state === "value" || (row.kind === "object" && next.required);
      begin.hidden = row.kind !== "array" && there;
      for (const part of more) part.hidden = row.kind !== "map" && !there;
      rows.hidden = !(next.children || []).length;
    },
    focus: () => (rows.querySelector("input,textarea,select,button") || bar.querySelector("input,button"))?.focus(),
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
  string: (row, send) => ({ secret, lines, code, color, datetime: moment, path, choices: searchable }[row.control] || line)(row, send),
  integer: (row, send) => (row.control === "choices" ? searchable : number)(row, send),
  number: (row, send) => (row.control === "choices" ? searchable : number)(row, send),
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
  const listeners = [];
  const post = (content, buffer) => {
    context.sequence += 1;
    sent = context.sequence;
    context.post({ path: latest.path, ...content, sequence: sent, patch: true }, buffer);
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
    heard: (listener) => listeners.push(listener),
    load: (name) => context.load(name),
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
  const link = (text, click, title) => make("button", { type: "button", class: "wb-link", title, "aria-label": text.length === 1 && title, onclick: click }, text);
  const move = (by, button) => {
    const to = latest.path.at(-1) + by;
    context.follow = { path: JSON.stringify([...latest.path.slice(0, -1), to]), button };
    send.now({ op: "move", at: to });
  };
  const up = link("↑", () => move(-1, "up"), "move up");
  const down = link("↓", () => move(1, "down"), "move down");
  const twice = link("duplicate", () => send.now({ op: "duplicate" }));
  const remove = link("remove", () => send.now({ op: "remove" }));
  /* What is asked for once stands under the name until it is left. */
  const once = (part) => {
    part.addEventListener("blur", () => part.remove());
    head.after(part);
    part.focus();
  };
  const rename = link("rename", () => once(make("input", { class: "wb-input wb-key", value: latest.name, "aria-label": `another name for ${latest.name}`, onkeydown(event) {
    if (event.key === "Escape") { event.stopPropagation(); this.blur(); }
    if (event.key !== "Enter") return;
    event.preventDefault();
    if (this.value && this.value !== latest.name) send.now({ op: "rename", name: this.value });
    this.blur();
  } })));
  const fetch = link("notebook", () => send.ask({ op: "values" }), "enter a variable of the notebook, or an earlier result");
  send.heard((reply) => {
    if (reply.op !== "values") return;
    once(make("select", { class: "wb-input wb-values", "aria-label": `values of the notebook for ${latest.name}`, onchange() {
      touched = true;
      send.now({ op: "take", key: this.value });
      this.blur();
    } }, make("option", { value: "" }, reply.values.length ? "a value of the notebook" : "nothing in the notebook fits"),
    ...reply.values.map(([key, text]) => make("option", { value: key }, text))));
  });
  const grip = make("span", { class: "wb-grip", draggable: "true", title: "drag to move", "aria-hidden": "true", ondragstart: (event) => {
    context.drag = latest.path;
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", "");
    event.stopPropagation();
  }, ondragend: () => { context.drag = null; } }, "⠿");
  const about = clamped({ class: "wb-about", id: `${id}-about`, dir: "auto" });
  const problems = make("div", { class: "wb-problems", id: `${id}-problems`, "aria-live": "polite" });
  const head = make("div", { class: "wb-head" }, label, mark, kind, make("span", { class: "wb-space" }), make("span", { class: "wb-seldom" }, fetch, asJson, empty, rename, twice), state, toNull, clear);
  if (typeof row.path.at(-1) === "number") { head.prepend(grip); head.append(up, down); }
  head.append(remove);
  const node = make("div", { class: "wb-field" }, head, about.text, about.more, control.node, problems);
  const sibling = () => context.drag && context.drag.length === latest.path.length && String(context.drag.slice(0, -1)) === String(latest.path.slice(0, -1));
  node.addEventListener("dragover", (event) => {
    if (!sibling()) return;
    event.preventDefault();
    event.stopPropagation();
    node.classList.add("wb-target");
  });
  for (const name of ["dragleave", "drop"]) node.addEventListener(name, () => node.classList.remove("wb-target"));
  node.addEventListener("drop", (event) => {
    if (!sibling()) return;
    event.preventDefault();
    event.stopPropagation();
    post({ op: "move", path: context.drag, at: latest.path.at(-1) });
    context.drag = null;
  });
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
    const texts = (visible && latest.problems) || [];
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
    heard: (reply) => { if (JSON.stringify(reply.path) === JSON.stringify(latest.path)) for (const listener of listeners) listener(reply); },
    follow: (which) => { ({ up, down }[which].hidden ? (which === "up" ? down : up) : { up, down }[which]).focus(); },
    is: (path) => !latest.inner && JSON.stringify(latest.path) === path,
    update(next) {
      latest = next;
      node.dataset.path = JSON.stringify(next.path);
      const index = typeof next.path.at(-1) === "number";
      setText(label, next.title || (index ? `${Number(next.name) + 1}.` : next.name || "value"));
      label.title = next.title ? next.name : "";
      setText(mark, next.required && !index ? "*" : "");
      setText(kind, next.type);
      about.show(next.description);
      head.hidden = Boolean(next.inner);
      if (next.inner) (focusable || control.node).setAttribute("aria-label", next.title || next.name);
      const set = next.state === "value" || next.state === "text";
      const blank = next.kind === "string" && next.state === "value" && !next.filled && next.control !== "secret";
      setText(state, next.readonly ? "read-only" : next.state === "null" ? "null" : blank ? "empty text" : next.as_default ? "default" : set || next.required ? "" : "not set");
      asJson.hidden = !next.composite || context.to !== "form" || (next.raw && next.state === "text");
      setText(asJson, next.raw ? "as fields" : "as JSON");
      empty.hidden = next.kind !== "string" || next.control === "secret" || set;
      twice.hidden = !(next.removable && index);
      toNull.hidden = !next.nullable || next.state === "null" || next.kind === "json";
      clear.hidden = next.state === "unset" || (next.required && (next.kind === "object" || next.kind === "const")) || Boolean(next.removable);
      up.hidden = !(next.removable && index && next.path.at(-1) > 0);
      down.hidden = !(next.removable && index && !next.last);
      remove.hidden = !next.removable;
      grip.hidden = !(next.removable && index);
      rename.hidden = !(next.removable && !index);
      fetch.hidden = next.kind === "const" || next.kind === "null" || next.kind === "boolean";
      node.classList.toggle("wb-readonly", Boolean(next.readonly));
      if (next.readonly) for (const part of node.querySelectorAll("input,textarea,select,button")) part.disabled = true;
      node.classList.toggle("wb-is-unset", !set);
      node.classList.toggle("wb-deprecated", Boolean(next.deprecated));
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

const formIn = (host, post, to, load) => {
  let tried = false;
  const context = { to, load, drag: null, follow: null, post: (content, buffer) => post({ ...content, to }, buffer), pending: new Set(), fields: new Set(), sequence: 0, answered: 0, tried: () => tried };
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
    heard: (reply) => { for (const entry of context.fields) entry.heard(reply); },
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
      if (tried && more.some((row) => row.problems?.length)) fold.open = true;
      for (const entry of context.follow ? context.fields : []) if (entry.is(context.follow.path)) entry.follow(context.follow.button);
      context.follow = null;
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
  const about = clamped({ class: "wb-tool-about", dir: "auto" });
  const header = make("header", { class: "wb-header" }, make("div", { class: "wb-title-row" }, heading, badges, source), about.text, about.more);
  const body = make("div", { class: "wb-body" });
  const loads = new Map();
  const load = (name) => {
    if (!loads.has(name)) {
      let give;
      const promise = new Promise((resolve) => { give = resolve; });
      loads.set(name, { promise, give });
      post({ op: "module", name });
    }
    return loads.get(name).promise;
  };
  const loaded = ({ name, text }) => {
    // As anywidget loads this very module: no other source of code is needed or allowed.
    const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    loads.get(name)?.give(import(/* @vite-ignore */ url).finally(() => URL.revokeObjectURL(url)));
  };
  const form = formIn(body, post, "form", load);

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
    post({ op: "whole", as: tab, text: area.value, sequence: form.sequence(), patch: true });
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
  const patch = ({ from, rows, rest }) => {
    const old = model.get("view");
    // Each view of the widget hears of it; the first has done it already.
    if (old.version === from + 1) return;
    if (old.version !== from) { post({ op: "view" }); return; }
    const fields = [...old.fields];
    for (const [at, row] of rows) fields[at] = row;
    model.set("view", { ...old, ...rest, fields, version: from + 1 });
  };
  const heard = (reply) => {
    if (reply.op === "patch") patch(reply);
    else if (reply.op === "module") loaded(reply);
    else if (reply.op === "shown") showTab(reply.as, reply.text);
    else (reply.to === "question" ? asking?.form : form)?.heard(reply);
  };

  const runButton = make("button", { type: "button", class: "wb-run" }, "Run");
  const cancel = make("button", { type: "button", class: "wb-button", onclick: () => post({ op: "cancel" }) }, "Cancel");
  const status = make("span", { class: "wb-status", role: "status" });
  const blocked = make("span", { class: "wb-blocked" });
  const sure = make("span", { class: "wb-sure", hidden: true });
  const seconds = make("input", { type: "number", min: "0", step: "any", class: "wb-input", placeholder: "no limit" });
  seconds.addEventListener("input", () => { model.set("timeout_s", seconds.valueAsNumber > 0 ? seconds.valueAsNumber : null); model.save_changes(); });
  const drawLimit = () => { if (document.activeElement !== seconds) seconds.value = model.get("timeout_s") ?? ""; };
  const limit = make("label", { class: "wb-limit" }, "Give up after ", seconds, " s");
  const actions = make("div", { class: "wb-actions" }, runButton, cancel, sure, status, blocked, limit);
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
  // JSON that is pasted beside the fields fills them.
  root.tabIndex = -1;
  root.addEventListener("paste", (event) => {
    const text = event.clipboardData.getData("text").trim();
    if (tab !== "form" || event.target.closest("input,textarea,select,.wb-drop") || !text.startsWith("{")) return;
    event.preventDefault();
    post({ op: "whole", as: "json", text, sequence: form.sequence() });
  });
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
      about.show(view.about);
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
      asking = { form: formIn(host, post, "question", load), text: make("p", { class: "wb-question" }), url: make("code", { class: "wb-url" }) };
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
  model.on("change:timeout_s", drawLimit);
  drawLimit();
  drawView();
  drawRun();
  // What changed while no view was there to hear of it.
  if (model.get("view").version) post({ op: "view" });
  return () => {
    clearInterval(timer);
    model.off("msg:custom", heard);
    model.off("change:view", drawView);
    model.off("change:run_view", drawRun);
    model.off("change:timeout_s", drawLimit);
  };
}

export default { render };
