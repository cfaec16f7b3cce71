// Two lists in one module: the tools to choose from, and the calls that were made.
// Everything from outside goes into the page as text.

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

const tools = (model, root) => {
  const search = make("input", { type: "search", class: "wb-search", placeholder: "search tools", "aria-label": "search tools" });
  const list = make("div", { class: "wb-list", role: "listbox", "aria-label": "tools", tabindex: "-1" });
  root.append(search, list);
  const choose = (id) => { model.set("chosen", id); model.save_changes(); };
  const draw = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const entries = model.get("entries").filter((entry) =>
      words.every((word) => `${entry.id} ${entry.title} ${entry.about}`.toLowerCase().includes(word)));
    const groups = new Set(model.get("entries").map((entry) => entry.group));
    search.hidden = model.get("entries").length < 6;
    const rows = [];
    let group = null;
    for (const entry of entries.slice(0, 200)) {
      if (groups.size > 1 && entry.group !== group) rows.push(make("div", { class: "wb-group-name", title: entry.group }, entry.group || "here"));
      group = entry.group;
      const chosen = entry.id === model.get("chosen");
      rows.push(make("button", { type: "button", class: chosen ? "wb-entry wb-chosen" : "wb-entry", role: "option", "aria-selected": String(chosen), title: entry.about, onclick: () => choose(entry.id) },
        make("span", { class: "wb-entry-title" }, entry.title),
        ...entry.badges.filter((word) => word !== "read-only").map((word) => make("span", { class: `wb-dot wb-${word}` }, word))));
    }
    if (entries.length > 200) rows.push(make("div", { class: "wb-group-name" }, `${entries.length - 200} more: search for them`));
    if (!entries.length) rows.push(make("div", { class: "wb-group-name" }, "no tool has all these words"));
    list.replaceChildren(...rows);
  };
  search.addEventListener("input", draw);
  search.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Enter") list.querySelector(".wb-entry")?.click();
    if (event.key === "ArrowDown") list.querySelector(".wb-entry")?.focus();
  });
  list.addEventListener("keydown", (event) => {
    const entries = [...list.querySelectorAll(".wb-entry")];
    const at = entries.indexOf(event.target);
    const to = event.key === "ArrowDown" ? at + 1 : event.key === "ArrowUp" ? at - 1 : null;
    if (to === null) return;
    event.preventDefault();
    event.stopPropagation();
    (entries[to] || (to < 0 ? search : entries[at]))?.focus();
  });
  return draw;
};

const calls = (model, root) => {
  const head = make("summary", { class: "wb-calls-head" });
  const list = make("div", { class: "wb-calls" });
  const code = make("pre", { class: "wb-code-text" });
  const copy = make("button", { type: "button", class: "wb-act", onclick: () => navigator.clipboard?.writeText(code.textContent) }, "copy");
  const box = make("div", { class: "wb-code-box", hidden: true }, code, copy);
  root.append(make("details", {}, head, list, box));
  const ask = (op, entry) => () => model.send({ op, number: Number(entry.id) });
  return () => {
    const entries = [...model.get("entries")].reverse();
    root.hidden = !entries.length;
    head.textContent = `Calls (${entries.length})`;
    list.replaceChildren(...entries.map((entry) => make("div", { class: "wb-call" },
      make("span", { class: `wb-mark wb-${entry.status}`, title: entry.status }, entry.status === "done" ? "✓" : "✗"),
      make("button", { type: "button", class: "wb-call-what", title: "fill the form with these arguments", onclick: ask("fill", entry) },
        make("span", { class: "wb-entry-title" }, entry.title), make("span", { class: "wb-given" }, entry.about)),
      make("span", { class: "wb-given wb-came" }, entry.result),
      make("span", { class: "wb-took" }, `${entry.elapsed_s.toFixed(2)} s`),
      make("button", { type: "button", class: "wb-act", onclick: ask("rerun", entry) }, "run again"),
      make("button", { type: "button", class: "wb-act", onclick: ask("code", entry) }, "code"))));
    box.hidden = !model.get("code");
    code.textContent = model.get("code");
  };
};

function render({ model, el }) {
  const kind = model.get("kind");
  const root = make("div", { class: `wb-picker wb-picker-${kind}` });
  el.append(root);
  const draw = (kind === "tools" ? tools : calls)(model, root);
  const names = ["change:entries", "change:chosen", "change:code"];
  names.forEach((name) => model.on(name, draw));
  draw();
  return () => names.forEach((name) => model.off(name, draw));
}

export default { render };
