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

const action = (text, title, onclick) => make("button", { type: "button", class: "wb-act", title, onclick }, text);

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
