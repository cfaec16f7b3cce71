// A picture from the camera, for a form's picture field. Loaded when it is asked for.

export default function open({ make, host, done, cancel }) {
  const video = make("video", { autoplay: true, playsinline: true, muted: true, class: "wb-canvas", "aria-label": "what the camera sees" });
  const note = make("span", { class: "wb-note", role: "status" }, "waiting for the camera");
  const shoot = make("button", { type: "button", class: "wb-button", disabled: true }, "Take the picture");
  const close = make("button", { type: "button", class: "wb-button", onclick: () => cancel() }, "Close");
  let stream = null;
  let ended = false;
  const stop = () => { ended = true; for (const track of stream?.getTracks() || []) track.stop(); };
  shoot.addEventListener("click", () => {
    const canvas = make("canvas", { width: video.videoWidth, height: video.videoHeight });
    canvas.getContext("2d").drawImage(video, 0, 0);
    canvas.toBlob((blob) => done(new File([blob], "camera.png", { type: "image/png" })), "image/png");
  });
  host.replaceChildren(video, make("div", { class: "wb-drop-row" }, shoot, close, note));
  const start = async () => {
    if (!navigator.mediaDevices) throw new Error("the browser gives no camera to a page that is not local or https");
    stream = await navigator.mediaDevices.getUserMedia({ video: true });
    if (ended) { stop(); return; }
    video.srcObject = stream;
    await video.play();
    note.textContent = "";
    shoot.disabled = false;
    shoot.focus();
  };
  start().catch((error) => { note.textContent = `no camera: ${error.message}`; });
  return stop;
}
