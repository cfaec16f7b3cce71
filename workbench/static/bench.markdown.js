// Markdown as nodes, made one by one: no HTML is parsed, and nothing is fetched. Pictures stand
// as the words that describe them; links lead somewhere only when a person follows them.

const INLINE = /(`+)(.+?)\1|!\[([^\]]*)\]\(([^)\s]+)[^)]*\)|\[([^\]]*)\]\(([^)\s]+)[^)]*\)|\*\*(.+?)\*\*|__(.+?)__|\*(\S.*?)\*|~~(.+?)~~/;

const inline = (text) => {
  const nodes = [];
  let rest = text;
  for (let found = INLINE.exec(rest); found; found = INLINE.exec(rest)) {
    nodes.push(rest.slice(0, found.index));
    const [whole, , code, alt, source, label, address, bold, strong, soft, gone] = found;
    if (code !== undefined) nodes.push(make("code", {}, code));
    else if (source !== undefined) nodes.push(make("span", { class: "wb-given", title: source }, `[picture: ${alt || source}]`));
    else if (address !== undefined) nodes.push(/^https?:\/\//i.test(address)
      ? make("a", { href: address, target: "_blank", rel: "noopener noreferrer nofollow", title: address }, ...inline(label || address))
      : make("span", { title: address }, ...inline(label)));
    else if ((bold ?? strong) !== undefined) nodes.push(make("strong", {}, ...inline(bold ?? strong)));
    else if (gone !== undefined) nodes.push(make("s", {}, ...inline(gone)));
    else nodes.push(make("em", {}, ...inline(soft)));
    rest = rest.slice(found.index + whole.length);
  }
  nodes.push(rest);
  return nodes.filter((node) => node !== "");
};

const cellsOf = (line) => line.trim().replace(/^\||\|$/g, "").split("|").map((cell) => cell.trim());

const BLOCKS = [
  // Each takes lines from the front of the list where it knows the first, and gives a node.
  (lines) => {
    const fence = /^\s*(```+|~~~+)/.exec(lines[0]);
    if (!fence) return null;
    lines.shift();
    const inside = [];
    while (lines.length && !lines[0].trim().startsWith(fence[1])) inside.push(lines.shift());
    lines.shift();
    return make("pre", {}, make("code", {}, inside.join("\n")));
  },
  (lines) => {
    const head = /^(#{1,6})\s+(.*?)\s*#*$/.exec(lines[0]);
    return head && lines.shift() !== undefined ? make(`h${Math.min(6, head[1].length + 2)}`, {}, ...inline(head[2])) : null;
  },
  (lines) => (/^\s*([-*_])(\s*\1){2,}\s*$/.test(lines[0]) && lines.shift() !== undefined ? make("hr") : null),
  (lines) => {
    if (!/^\s*>/.test(lines[0])) return null;
    const inside = [];
    while (lines.length && /^\s*>/.test(lines[0])) inside.push(lines.shift().replace(/^\s*>\s?/, ""));
    return make("blockquote", {}, ...markdown(inside.join("\n")));
  },
  (lines) => {
    const item = /^\s*(?:[-*+]|(\d+)[.)])\s+/;
    const first = item.exec(lines[0]);
    if (!first) return null;
    const items = [];
    while (lines.length && lines[0].trim()) {
      if (item.test(lines[0])) items.push(lines.shift().replace(item, ""));
      else items.push(`${items.pop()} ${lines.shift().trim()}`);
    }
    return make(first[1] ? "ol" : "ul", {}, ...items.map((text) => make("li", {}, ...inline(text))));
  },
  (lines) => {
    if (!(lines[0].includes("|") && /^[\s|:-]*-[\s|:-]*$/.test(lines[1] ?? ""))) return null;
    const head = cellsOf(lines.shift());
    lines.shift();
    const rows = [];
    while (lines.length && lines[0].includes("|")) rows.push(cellsOf(lines.shift()));
    const row = (kind, cells) => make("tr", {}, ...cells.map((cell) => make(kind, {}, ...inline(cell))));
    return make("table", {}, make("thead", {}, row("th", head)), make("tbody", {}, ...rows.map((cells) => row("td", cells))));
  },
  (lines) => {
    const inside = [lines.shift()];
    while (lines.length && lines[0].trim() && !/^\s*(#{1,6}\s|>|```|[-*+]\s|\d+[.)]\s)/.test(lines[0])) inside.push(lines.shift());
    return make("p", {}, ...inline(inside.join(" ")));
  },
];

function markdown(text) {
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  const nodes = [];
  while (lines.length) {
    if (!lines[0].trim()) lines.shift();
    else for (const block of BLOCKS) {
      const node = block(lines);
      if (node) { nodes.push(node); break; }
    }
  }
  return nodes;
}
