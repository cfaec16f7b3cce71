// What the panel's modules share; it stands before each of them.
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

const hasAll = (text, search) =>
  search.toLowerCase().split(/\s+/).filter(Boolean).every((word) => text.toLowerCase().includes(word));

// What goes wrong in the page's own code is said in the page, with what a report needs.
const report = (root, error) => {
  const text = `${error}\n${error?.stack ?? ""}\n${navigator.userAgent}`;
  root.prepend(make("div", { class: "wb-fault", role: "alert" }, make("div", { class: "wb-fault-text" }, `The panel has failed at this: ${error}`),
    make("details", {}, make("summary", {}, "For a report"), make("pre", { class: "wb-code-text" }, text))));
};

const safely = (root, act) => (...given) => {
  try {
    const done = act(...given);
    done?.catch?.((error) => report(root, error));
    return done;
  } catch (error) {
    report(root, error);
    return undefined;
  }
};

// The rows of a list. One that shows the same as before stays where it is, with its focus:
// a press that has begun on it ends on it, whatever is drawn in between.
const rowsOf = (list) => {
  let had = new Map();
  return (items, build, key = JSON.stringify) => {
    const now = new Map();
    for (const item of items) {
      let name = key(item);
      while (now.has(name)) name += "'";
      now.set(name, had.get(name) ?? build(item));
    }
    for (const [name, node] of had) if (!now.has(name)) node.remove();
    [...now.values()].forEach((node, i) => { if (list.children[i] !== node) list.insertBefore(node, list.children[i] ?? null); });
    had = now;
    return [...now.values()];
  };
};

const action = (text, title, onclick) => {
  const button = make("button", { type: "button", class: "wb-act", title }, text);
  button.addEventListener("click", (event) => safely(button.closest(".wb-bench") ?? button.parentElement, onclick)(event));
  return button;
};

const copier = (node) => {
  const button = action("copy", "copy to the clipboard", async () => {
    try {
      await navigator.clipboard.writeText(node.textContent);
      button.textContent = "copied";
    } catch {
      // Without the right to the clipboard, the person copies what is selected.
      getSelection().selectAllChildren(node);
      button.textContent = "selected";
    }
    setTimeout(() => { button.textContent = "copy"; }, 1500);
  });
  return button;
};
