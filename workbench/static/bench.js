// The panel's two parts in one module: the list of tools, and the drawer under the form.
// Everything from outside goes into the page as text.

const tools = (model, root) => {
  const MOST = 200;
  const search = make("input", { type: "search", class: "wb-search", "aria-label": "search tools" });
  const list = make("div", { class: "wb-list", role: "listbox", "aria-label": "tools", tabindex: "-1" });
  root.append(search, list);
  const rows = rowsOf(list);
  const choose = (id) => { model.set("chosen", id); model.save_changes(); };
  const row = (entry) => typeof entry === "string" ? make("div", { class: "wb-group-name", title: entry }, entry)
    : make("button", { type: "button", class: "wb-entry", role: "option", "data-id": entry.id, title: entry.about ? `${entry.id}: ${entry.about}` : entry.id, onclick: () => choose(entry.id) },
      make("span", { class: "wb-entry-title" }, entry.title),
      ...entry.badges.map((word) => make("span", { class: `wb-dot wb-${word}`, title: word }, word)));
  const draw = () => {
    const all = model.get("entries");
    const found = all.filter((entry) => hasAll(`${entry.id} ${entry.title} ${entry.about} ${entry.group}`, search.value));
    const grouped = new Set(all.map((entry) => entry.group)).size > 1;
    search.hidden = all.length < 6;
    search.placeholder = `search ${all.length} tools`;
    const items = [];
    let group = null;
    for (const entry of found.slice(0, MOST)) {
      if (grouped && entry.group !== group) items.push(entry.group || "this notebook");
      group = entry.group;
      items.push(entry);
    }
    if (found.length > MOST) items.push(`${found.length - MOST} more: search for them`);
    if (!found.length) items.push(all.length ? "no tool has all these words" : "there are no tools");
    for (const node of rows(items, row)) {
      const chosen = node.dataset.id === model.get("chosen");
      node.classList.toggle("wb-chosen", chosen);
      if (node.dataset.id !== undefined) node.setAttribute("aria-selected", String(chosen));
    }
  };
  search.addEventListener("input", draw);
  search.addEventListener("keydown", (event) => {
    if (event.key === "Enter") list.querySelector(".wb-entry")?.click();
    if (event.key === "ArrowDown") { event.preventDefault(); list.querySelector(".wb-entry")?.focus(); }
  });
  list.addEventListener("keydown", (event) => {
    const entries = [...list.querySelectorAll(".wb-entry")];
    const steps = { ArrowDown: 1, ArrowUp: -1, Home: -entries.length, End: entries.length };
    if (!(event.key in steps)) return;
    event.preventDefault();
    const to = entries.indexOf(event.target) + steps[event.key];
    if (to < 0 && event.key === "ArrowUp" && !search.hidden) search.focus();
    else entries[Math.max(0, Math.min(entries.length - 1, to))]?.focus();
  });
  return { draw, names: ["change:entries", "change:chosen"] };
};

const runList = (model, root) => {
  const list = make("div", { class: "wb-runs", "aria-label": "under way" });
  root.append(list);
  const words = { pending: "waiting", running: "running", asks: "asks something" };
  const rows = rowsOf(list);
  let timer = null;
  const row = (run) => {
    const clock = make("span", { class: "wb-took" });
    const bar = make("progress", { "aria-label": "progress", max: 1 });
    const said = make("span", { class: "wb-given" });
    const node = make("div", { class: "wb-row" },
      make("button", { type: "button", class: "wb-what", title: "show its form", onclick: () => model.send({ op: "go", number: run.number }) },
        make("span", { class: "wb-entry-title" }, run.title), said),
      bar, clock, action("cancel", "stop this run", () => model.send({ op: "cancel", number: run.number })));
    node.tell = (now) => {
      const began = performance.now() - 1000 * now.elapsed_s;
      said.textContent = now.message || words[now.status] || now.status;
      if (typeof now.fraction === "number") bar.value = now.fraction;
      node.tick = () => { clock.textContent = `${((performance.now() - began) / 1000).toFixed(1)} s`; };
      node.tick();
    };
    return node;
  };
  const draw = () => {
    const runs = model.get("runs");
    const nodes = rows(runs, row, (run) => `${run.number} ${run.title}`);
    nodes.forEach((node, i) => node.tell(runs[i]));
    list.hidden = !nodes.length;
    clearInterval(timer);
    if (nodes.length) timer = setInterval(() => nodes.forEach((node) => node.tick()), 200);
  };
  return { draw, names: ["change:runs"], stop: () => clearInterval(timer) };
};

const callList = (model, root) => {
  const head = make("summary", { class: "wb-fold-head" });
  const search = make("input", { type: "search", class: "wb-search", placeholder: "search calls", "aria-label": "search calls" });
  const compare = make("button", { type: "button", class: "wb-small", onclick: () => model.send({ op: "compare", numbers: [...marked] }) }, "Compare");
  const list = make("div", { class: "wb-calls" });
  const code = make("div", { class: "wb-code-box", hidden: true });
  const fold = make("details", { class: "wb-fold-calls" }, head, make("div", { class: "wb-calls-bar" }, search, compare), list, code);
  root.append(fold);
  const marked = new Set();
  const ask = (op, call) => () => model.send({ op, number: call.number });
  const mark = (call) => (event) => {
    if (event.target.checked) marked.add(call.number); else marked.delete(call.number);
    // Two are compared: a third takes the place of the first.
    if (marked.size > 2) marked.delete([...marked][0]);
    draw();
  };
  const rows = rowsOf(list);
  const row = (call) => {
    if (typeof call === "string") return make("div", { class: "wb-group-name" }, call);
    const box = make("input", { type: "checkbox", class: "wb-mark-box", "aria-label": `compare call ${call.number}`, onchange: mark(call) });
    const time = new Date(1000 * call.started_at);
    return make("div", { class: call.pinned ? "wb-row wb-call wb-pinned" : "wb-row wb-call" }, box,
      make("span", { class: `wb-mark wb-${call.status}`, title: call.status }, call.status === "done" ? "✓" : "✗"),
      make("button", { type: "button", class: "wb-what", title: `${call.about}\nfill the form with these arguments`, onclick: ask("fill", call) },
        make("span", { class: "wb-number" }, `#${call.number}`), make("span", { class: "wb-entry-title" }, call.title), make("span", { class: "wb-given" }, call.about)),
      make("span", { class: "wb-given wb-came", title: call.result }, call.result),
      make("span", { class: "wb-took", title: time.toLocaleString() }, `${call.elapsed_s.toFixed(2)} s`),
      make("span", { class: "wb-acts" },
        action("show", "show this result below", ask("view", call)),
        action("run again", "the same call once more", ask("rerun", call)),
        action("code", "this call and its result as Python", ask("code", call)),
        make("button", { type: "button", class: "wb-act wb-star", "aria-pressed": String(call.pinned), title: call.pinned ? "take the pin away" : "pin: keep at hand", onclick: ask("pin", call) }, call.pinned ? "★" : "☆")));
  };
  const snippet = (label, text) => {
    const shown = make("pre", { class: "wb-code-text" }, text);
    return make("div", { class: "wb-snippet" }, make("span", { class: "wb-given" }, label), shown, copier(shown));
  };
  const draw = () => {
    const all = [...model.get("calls")].reverse();
    const found = all.filter((call) => hasAll(`#${call.number} ${call.title} ${call.about} ${call.result} ${call.status}`, search.value));
    fold.hidden = !all.length;
    const total = model.get("total");
    head.textContent = `Calls (${total})`;
    search.hidden = all.length < 6;
    compare.disabled = marked.size !== 2;
    compare.hidden = all.length < 2;
    compare.title = marked.size === 2 ? "show both side by side below" : "mark two calls first";
    const more = total - all.length;
    const items = [...found, ...(found.length ? [] : ["no call has all these words"]), ...(more > 0 ? [`${more} earlier calls are in bench.history`] : [])];
    rows(items, row).forEach((node, i) => {
      const box = node.querySelector(".wb-mark-box");
      if (box) box.checked = marked.has(items[i].number);
    });
    const made = model.get("code");
    code.hidden = !made.call;
    code.replaceChildren(...(made.call ? [snippet("the call", made.call), snippet("its result", made.value)] : []));
  };
  search.addEventListener("input", draw);
  return { draw, names: ["change:calls", "change:total", "change:code"] };
};

const modelView = (model, root) => {
  const choices = make("div", { class: "wb-choices", role: "radiogroup", "aria-label": "provider" });
  const size = make("span", { class: "wb-given" });
  const notes = make("ul", { class: "wb-notes" });
  const text = make("pre", { class: "wb-code-text" });
  const box = make("div", { class: "wb-code-box" }, make("div", { class: "wb-snippet" }, text, copier(text)));
  const fold = make("details", { class: "wb-fold-seen" }, make("summary", { class: "wb-fold-head" }, "What a model sees"), make("div", { class: "wb-seen-bar" }, choices, size), notes, box);
  root.append(fold);
  let dialect = "mcp";
  const rows = rowsOf(choices);
  const ask = () => { if (fold.open) model.send({ op: "schema", dialect }); };
  const choice = (name) => make("button", { type: "button", role: "radio", class: "wb-choice", onclick: () => { dialect = name; ask(); draw(); } }, name);
  fold.addEventListener("toggle", ask);
  const draw = () => {
    fold.hidden = !model.get("chosen");
    for (const node of rows(model.get("dialects"), choice)) node.setAttribute("aria-checked", String(node.textContent === dialect));
    const seen = model.get("seen");
    const fresh = seen.tool === model.get("chosen") && seen.dialect === dialect;
    size.textContent = fresh ? seen.size : "";
    text.textContent = fresh ? seen.text : "";
    box.hidden = !fresh;
    notes.replaceChildren(...(fresh ? seen.notes : []).map((note) => make("li", {}, note)));
  };
  model.on("change:chosen", ask);
  return { draw, names: ["change:seen", "change:chosen"], stop: () => model.off("change:chosen", ask) };
};

const faultBox = (model, root) => {
  const text = make("div", { class: "wb-fault-text" });
  const trace = make("pre", { class: "wb-code-text" });
  const folded = make("details", {}, make("summary", {}, "Traceback"), trace);
  const box = make("div", { class: "wb-fault", role: "alert" }, text, folded);
  root.append(box);
  const draw = () => {
    const fault = model.get("fault");
    box.hidden = !fault.message;
    text.textContent = fault.message || "";
    trace.textContent = fault.trace || "";
    folded.hidden = !fault.trace;
  };
  return { draw, names: ["change:fault"] };
};

const KINDS = { tools: [tools], drawer: [faultBox, runList, callList, modelView] };

function render({ model, el }) {
  const kind = model.get("kind");
  const root = make("div", { class: `wb-bench wb-bench-${kind}` });
  // What is typed here is not a command to the notebook.
  root.addEventListener("keydown", (event) => event.stopPropagation());
  el.append(root);
  const parts = KINDS[kind].map((part) => part(model, root)).map((part) => ({ ...part, draw: safely(root, part.draw) }));
  for (const part of parts) {
    part.names.forEach((name) => model.on(name, part.draw));
    part.draw();
  }
  return () => {
    for (const part of parts) {
      part.names.forEach((name) => model.off(name, part.draw));
      part.stop?.();
    }
  };
}

export default { render };
