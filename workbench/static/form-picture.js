// Cutting a picture, and painting a mask over it, for a form's picture field. Loaded when it is
// asked for. What is painted becomes transparent, or white on black where the mask alone is used.

const SIDES = [["left", 0], ["top", 1], ["width", 2], ["height", 3]];

/* What is painted, to be seen on any picture. */
const chequer = document.createElement("canvas");
Object.assign(chequer, { width: 8, height: 8 });
for (let x = 0; x < 8; x += 4) {
  for (let y = 0; y < 8; y += 4) {
    chequer.getContext("2d").fillStyle = x === y ? "#fff" : "#000";
    chequer.getContext("2d").fillRect(x, y, 4, 4);
  }
}

export default function open({ make, host, blob, done, cancel }) {
  const canvas = make("canvas", { class: "wb-canvas", tabindex: "0", "aria-label": "the picture; paint or drag over it" });
  const mask = document.createElement("canvas");
  const name = (blob.name || "picture").replace(/\.[^.]*$/, "");
  let picture = null;
  let box = [0, 0, 0, 0];
  let mode = "crop";
  let last = null;
  let painted = false;

  const brush = make("input", { type: "range", min: 2, max: 200, value: 40, "aria-label": "width of the brush" });
  const numbers = SIDES.map(([side, at]) => make("input", { type: "number", min: 0, class: "wb-input wb-side", "aria-label": `${side} in pixels`,
    oninput: (event) => { box[at] = Number(event.target.value) || 0; fit(); draw(); } }));
  const fit = () => {
    const { width, height } = picture;
    const [left, top] = [Math.min(Math.max(0, box[0]), width - 1), Math.min(Math.max(0, box[1]), height - 1)];
    box = [left, top, Math.min(Math.max(1, box[2]), width - left), Math.min(Math.max(1, box[3]), height - top)].map(Math.round);
  };
  const draw = () => {
    const to = canvas.getContext("2d");
    to.clearRect(0, 0, canvas.width, canvas.height);
    to.drawImage(picture, 0, 0);
    to.globalAlpha = 0.55;
    if (mode === "mask") to.drawImage(mask, 0, 0);
    else {
      to.fillStyle = "#000";
      const [x, y, w, h] = box;
      for (const part of [[0, 0, canvas.width, y], [0, y + h, canvas.width, canvas.height], [0, y, x, h], [x + w, y, canvas.width, h]]) to.fillRect(...part);
    }
    to.globalAlpha = 1;
    numbers.forEach((input, at) => { if (document.activeElement !== input) input.value = box[at]; });
  };
  const at = (event) => {
    const place = canvas.getBoundingClientRect();
    return [((event.clientX - place.left) * canvas.width) / place.width, ((event.clientY - place.top) * canvas.height) / place.height];
  };
  const paint = (from, to) => {
    const on = mask.getContext("2d");
    Object.assign(on, { strokeStyle: on.createPattern(chequer, "repeat"), lineCap: "round", lineWidth: Number(brush.value) });
    on.beginPath();
    on.moveTo(...from);
    on.lineTo(...to);
    on.stroke();
    painted = true;
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    last = at(event);
    if (mode === "mask") { paint(last, last); draw(); }
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!last) return;
    const now = at(event);
    if (mode === "mask") { paint(last, now); last = now; }
    else { box = [Math.min(last[0], now[0]), Math.min(last[1], now[1]), Math.abs(now[0] - last[0]), Math.abs(now[1] - last[1])]; fit(); }
    draw();
  });
  canvas.addEventListener("pointerup", () => { last = null; });

  const give = (made, kind) => made.toBlob((cut) => done(new File([cut], `${name}-${kind}.png`, { type: "image/png" })), "image/png");
  const sheet = (width, height) => { const made = document.createElement("canvas"); Object.assign(made, { width, height }); return [made, made.getContext("2d")]; };
  const crop = () => {
    const [made, to] = sheet(box[2], box[3]);
    to.drawImage(picture, -box[0], -box[1]);
    give(made, "cut");
  };
  const hole = () => {
    const [made, to] = sheet(picture.width, picture.height);
    to.drawImage(picture, 0, 0);
    to.globalCompositeOperation = "destination-out";
    to.drawImage(mask, 0, 0);
    give(made, "masked");
  };
  const alone = () => {
    const [made, to] = sheet(picture.width, picture.height);
    const [white, on] = sheet(picture.width, picture.height);
    on.drawImage(mask, 0, 0);
    on.globalCompositeOperation = "source-in";
    on.fillStyle = "#fff";
    on.fillRect(0, 0, white.width, white.height);
    to.fillStyle = "#000";
    to.fillRect(0, 0, made.width, made.height);
    to.drawImage(white, 0, 0);
    give(made, "mask");
  };
  const button = (text, click) => make("button", { type: "button", class: "wb-button", onclick: click }, text);
  const forCrop = make("div", { class: "wb-drop-row" }, ...SIDES.map(([side, at]) => make("label", { class: "wb-check" }, side, numbers[at])), button("Use the part", crop));
  const forMask = make("div", { class: "wb-drop-row" }, make("label", { class: "wb-check" }, "brush", brush),
    button("Wipe", () => { mask.getContext("2d").clearRect(0, 0, mask.width, mask.height); painted = false; draw(); }),
    button("Use with the hole", () => painted && hole()), button("Use the mask alone", () => painted && alone()));
  const modes = ["crop", "mask"].map((each) => make("button", { type: "button", class: "wb-button", "aria-pressed": "false", onclick: () => turn(each) }, each === "crop" ? "Crop" : "Mask"));
  const turn = (next) => {
    mode = next;
    modes.forEach((each, index) => each.setAttribute("aria-pressed", String(["crop", "mask"][index] === mode)));
    forCrop.hidden = mode !== "crop";
    forMask.hidden = mode !== "mask";
    draw();
  };
  host.replaceChildren(make("div", { class: "wb-drop-row" }, ...modes, button("Close", cancel)), canvas, forCrop, forMask);
  createImageBitmap(blob).then((made) => {
    picture = made;
    for (const each of [canvas, mask]) Object.assign(each, { width: made.width, height: made.height });
    brush.value = Math.max(4, Math.round(Math.max(made.width, made.height) / 16));
    brush.max = Math.max(8, Math.round(Math.max(made.width, made.height) / 3));
    box = [0, 0, made.width, made.height];
    turn("crop");
  }).catch(() => { host.replaceChildren(make("span", { class: "wb-note" }, "this is no picture that the browser can open"), button("Close", cancel)); });
  return () => picture?.close();
}
