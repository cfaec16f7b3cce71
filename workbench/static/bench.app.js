// The page of an app (MCP Apps, 2026-01-26). It runs in two frames that have no origin and reach
// nothing; what it asks for comes here as messages, and each is answered, put to the person, or refused.

const APP_ERA = "2026-01-26";
const APP_HEIGHT = [60, 2_000];
const APP_LINES = 200;
const REFUSED = -32000, UNKNOWN = -32601;
const PASS_ON = `<script>addEventListener("message", (event) => {
  const inner = document.querySelector("iframe")?.contentWindow;
  if (event.source === parent) inner?.postMessage(event.data, "*");
  else if (event.source === inner) parent.postMessage(event.data, "*");
});</script>`;

const POLICY = ({ scripts, load = [], connect = [] }) => {
  const from = (...own) => [...own, ...load].join(" ") || "'none'";
  const data = from("data:", "blob:");
  const code = scripts ? `; script-src ${from("'unsafe-inline'", "'unsafe-eval'", "data:", "blob:")}; worker-src ${data}; connect-src ${["data:", "blob:", ...connect].join(" ")}` : "";
  return `default-src 'none'; base-uri 'none'; form-action 'none'; img-src ${data}; media-src ${data}; font-src ${from("data:")}; style-src ${from("'unsafe-inline'")}${code}`;
};

// Two frames: the policy of the outer one keeps the inner one from going elsewhere.
const sandboxed = (text, given) => {
  const head = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${POLICY(given)}">`;
  const attributes = { class: "wb-frame", sandbox: given.scripts ? "allow-scripts" : "", referrerpolicy: "no-referrer", title: "a page from a tool" };
  const inner = make("iframe", attributes);
  inner.srcdoc = head + text;
  const outer = make("iframe", attributes);
  outer.srcdoc = `${head}<style>html, body { margin: 0; height: 100%; } iframe { width: 100%; height: 100%; border: 0; display: block; }</style>${given.scripts ? PASS_ON : ""}${inner.outerHTML}`;
  return outer;
};

const themeOf = (node) => {
  const scheme = getComputedStyle(node).colorScheme;
  const isDark = scheme.includes("light") ? scheme.includes("dark") && matchMedia("(prefers-color-scheme: dark)").matches : scheme.includes("dark");
  const own = (name) => getComputedStyle(node).getPropertyValue(name).trim();
  const variables = {
    "--color-background-primary": own("--wb-paper"), "--color-background-secondary": own("--wb-sunken"), "--color-background-tertiary": own("--wb-sunken"),
    "--color-text-primary": own("--wb-ink"), "--color-text-secondary": own("--wb-soft"), "--color-text-tertiary": own("--wb-soft"),
    "--color-border-primary": own("--wb-line"), "--color-border-secondary": own("--wb-hair"), "--font-sans": getComputedStyle(node).fontFamily,
  };
  return { theme: isDark ? "dark" : "light", styles: { variables } };
};

const contextOf = (place, node, tool) => ({
  ...themeOf(place), toolInfo: { tool }, displayMode: "inline", availableDisplayModes: ["inline"],
  containerDimensions: { width: node.clientWidth, maxHeight: APP_HEIGHT[1] },
  locale: navigator.language, timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone, userAgent: "workbench", platform: "web",
});

// Put a question to the person, under the page that asks; resolves with the word that is chosen.
const consent = (place, words, choices) => new Promise((resolve) => {
  const choose = (word) => () => { bar.remove(); resolve(word); };
  const buttons = choices.map((word) => make("button", { type: "button", class: "wb-small", onclick: choose(word) }, word));
  const bar = make("div", { class: "wb-consent", role: "group", "aria-label": "the app asks" }, ...words, make("div", { class: "wb-consent-acts" }, ...buttons));
  place.append(bar);
});

const wordsOf = (content) => [content ?? []].flat().map((block) => (block?.type === "text" ? String(block.text) : JSON.stringify(block))).join("\n");

/* An app at work in its frame: `place` is for what it asks and says, `ask` the way to the kernel; gives what ends it. */

const hostApp = (frame, place, number, ask) => {
  const questions = make("div"), said = make("details", { hidden: true }, make("summary", {}, "What the app says"));
  place.replaceChildren(frame, questions, said);
  let shown = null, ready = false, trusted = false, asking = Promise.resolve();
  const post = (message) => frame.contentWindow?.postMessage({ jsonrpc: "2.0", ...message }, "*");
  const tell = (method, params = {}, allowed = "none") => ask("app", { number, method, params, allowed });
  const note = (kind, text) => {
    said.hidden = false;
    if (kind === "model") said.querySelector(".wb-said-model")?.remove();
    const head = { model: "for the model", message: "to the conversation", log: "log" }[kind];
    said.append(make("div", { class: `wb-said wb-said-${kind}` }, make("span", { class: "wb-given" }, head), make("pre", { class: "wb-text" }, String(text).slice(0, 20_000))));
    if (said.childElementCount > APP_LINES) said.children[1].remove();
  };
  const decide = async ({ name, source, badges, arguments: given }) => {
    const danger = badges.includes("destructive");
    if (trusted && !danger) return true;
    const words = [make("div", {}, "The app wants to call ", make("strong", {}, name), ` of ${source}`, danger ? ", which may destroy something." : "."), make("pre", { class: "wb-code-text" }, given)];
    const word = await consent(questions, words, danger ? ["Allow", "Refuse"] : ["Allow", "Allow all", "Refuse"]);
    trusted ||= word === "Allow all";
    return word !== "Refuse";
  };
  const call = async (params) => {
    const answer = await tell("tools/call", params, trusted ? "all" : "none");
    if (!answer.asks) return answer;
    // One question at a time: who allows all at the first is not asked the second.
    asking = asking.then(() => decide(answer.asks));
    return await asking ? tell("tools/call", params, "this") : { error: { code: REFUSED, message: "the person has refused this call" } };
  };
  const openLink = async ({ url }) => {
    const isWeb = /^https?:\/\//i.test(url);
    if (isWeb && await consent(questions, [make("div", {}, "The app wants to open ", make("code", {}, url))], ["Open", "Refuse"]) === "Open") {
      window.open(url, "_blank", "noopener,noreferrer");
      return { result: {} };
    }
    return { error: { code: REFUSED, message: isWeb ? "the person has refused this link" : "only http and https are opened" } };
  };
  const initialize = async () => {
    const answer = await tell("open");
    if (answer.error) return answer;
    shown = answer.result;
    return { result: {
      protocolVersion: APP_ERA, hostInfo: { name: "workbench", version: "0" },
      hostCapabilities: { openLinks: {}, serverTools: {}, serverResources: {}, logging: {}, message: { text: {} }, updateModelContext: { text: {}, structuredContent: {} }, sandbox: { csp: {}, permissions: {} } },
      hostContext: contextOf(place, frame, shown.tool),
    } };
  };
  const REQUESTS = {
    "ui/initialize": initialize,
    ping: async () => ({ result: {} }),
    "tools/call": call,
    "resources/read": (params) => tell("resources/read", params),
    "ui/open-link": openLink,
    "ui/request-display-mode": async () => ({ result: { mode: "inline" } }),
    "ui/message": async ({ content }) => { note("message", wordsOf(content)); return { result: {} }; },
    "ui/update-model-context": async ({ content, structuredContent }) => {
      note("model", [wordsOf(content), structuredContent ? JSON.stringify(structuredContent, null, 2) : ""].filter(Boolean).join("\n"));
      return { result: {} };
    },
  };
  const NOTICES = {
    "ui/notifications/initialized": () => {
      if (ready || !shown) return;
      ready = true;
      post({ method: "ui/notifications/tool-input", params: { arguments: shown.arguments } });
      post({ method: "ui/notifications/tool-result", params: shown.result });
    },
    "ui/notifications/size-changed": ({ height }) => {
      if (Number.isFinite(height)) frame.style.height = `${Math.min(APP_HEIGHT[1], Math.max(APP_HEIGHT[0], height))}px`;
    },
    "notifications/message": ({ level, data }) => note("log", `${level ?? ""} ${typeof data === "string" ? data : JSON.stringify(data)}`.trim()),
  };
  const heard = async (event) => {
    const message = event.data;
    if (event.source !== frame.contentWindow || message?.jsonrpc !== "2.0" || typeof message.method !== "string") return;
    const params = message.params ?? {};
    const known = (table) => (Object.hasOwn(table, message.method) ? table[message.method] : null);
    if (message.id === undefined) { known(NOTICES)?.(params); return; }
    const answer = await (known(REQUESTS)?.(params) ?? { error: { code: UNKNOWN, message: `there is no ${message.method} here` } });
    post({ id: message.id, ...(answer.error ? { error: answer.error } : { result: answer.result }) });
  };
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const recolour = () => { if (ready) post({ method: "ui/notifications/host-context-changed", params: themeOf(place) }); };
  const themes = new MutationObserver(recolour);
  themes.observe(document.body, { attributes: true, attributeFilter: ["data-jp-theme-name", "class"] });
  dark.addEventListener("change", recolour);
  addEventListener("message", heard);
  return () => {
    if (ready) post({ id: "teardown", method: "ui/resource-teardown", params: { reason: "the result is shown no more" } });
    removeEventListener("message", heard);
    themes.disconnect();
    dark.removeEventListener("change", recolour);
  };
};
