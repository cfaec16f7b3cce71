// Recording a sound and cutting its ends, for a form's sound field. Loaded when it is asked for.
// What is used is a WAV of the samples as they are: their level is not changed.

const wav = (buffer, from, to) => {
  const { numberOfChannels: channels, sampleRate: rate } = buffer;
  const frames = to - from;
  const view = new DataView(new ArrayBuffer(44 + frames * channels * 2));
  const word = (at, text) => [...text].forEach((letter, index) => view.setUint8(at + index, letter.charCodeAt(0)));
  word(0, "RIFF"); view.setUint32(4, 36 + frames * channels * 2, true); word(8, "WAVEfmt ");
  view.setUint32(16, 16, true); view.setUint16(20, 1, true); view.setUint16(22, channels, true);
  view.setUint32(24, rate, true); view.setUint32(28, rate * channels * 2, true);
  view.setUint16(32, channels * 2, true); view.setUint16(34, 16, true);
  word(36, "data"); view.setUint32(40, frames * channels * 2, true);
  const tracks = Array.from({ length: channels }, (_, index) => buffer.getChannelData(index));
  let at = 44;
  for (let frame = from; frame < to; frame += 1) {
    for (const track of tracks) { view.setInt16(at, Math.max(-32768, Math.min(32767, Math.round(track[frame] * 32768))), true); at += 2; }
  }
  return new File([view], "sound.wav", { type: "audio/wav" });
};

/* A context that decodes a WAV at its own rate; of other files the browser tells no rate. */
const contextFor = (bytes) => {
  const view = new DataView(bytes);
  const word = (at) => String.fromCharCode(...new Uint8Array(bytes, at, 4));
  const known = bytes.byteLength > 44 && word(0) === "RIFF" && word(12) === "fmt ";
  try { return new AudioContext(known ? { sampleRate: view.getUint32(24, true) } : {}); }
  catch { return new AudioContext(); }
};

const outline = (canvas, buffer, from, to) => {
  const on = canvas.getContext("2d");
  const { width, height } = canvas;
  const samples = buffer.getChannelData(0);
  const style = getComputedStyle(canvas);
  on.clearRect(0, 0, width, height);
  for (let x = 0; x < width; x += 1) {
    const [start, end] = [x, x + 1].map((each) => Math.floor((each * samples.length) / width));
    let most = 0;
    for (let index = start; index < end; index += Math.max(1, (end - start) >> 6)) most = Math.max(most, Math.abs(samples[index]));
    on.fillStyle = style.color;
    on.globalAlpha = start >= from && end <= to ? 0.9 : 0.25;
    on.fillRect(x, (height * (1 - most)) / 2, 1, Math.max(1, height * most));
  }
};

export default function open({ make, host, blob, done, cancel }) {
  const note = make("span", { class: "wb-note", role: "status" });
  const button = (text, click) => make("button", { type: "button", class: "wb-button", onclick: click }, text);
  const canvas = make("canvas", { class: "wb-canvas", width: 560, height: 80, role: "img", "aria-label": "the sound's outline" });
  let stream = null;
  let recorder = null;
  let timer = null;
  let sound = null;
  let context = null;

  const stop = () => {
    clearInterval(timer);
    if (recorder?.state === "recording") recorder.stop();
    for (const track of stream?.getTracks() || []) track.stop();
    context?.close();
    context = null;
  };
  const trim = async (recorded) => {
    const bytes = await recorded.arrayBuffer();
    context ||= contextFor(bytes);
    sound = await context.decodeAudioData(bytes);
    const ends = ["start", "end"].map((word, index) => make("input", { type: "range", min: 0, max: sound.length, step: 1, value: index ? sound.length : 0, class: "wb-slider", "aria-label": `${word} of the sound` }));
    const range = () => { const [a, b] = ends.map((each) => Number(each.value)); return [Math.min(a, b), Math.max(a, b)]; };
    const draw = () => {
      const [from, to] = range();
      outline(canvas, sound, from, to);
      note.textContent = `${((to - from) / sound.sampleRate).toFixed(2)} s of ${sound.duration.toFixed(2)} s`;
    };
    let playing = null;
    const play = () => {
      playing?.stop();
      const [from, to] = range();
      playing = context.createBufferSource();
      playing.buffer = sound;
      playing.connect(context.destination);
      playing.start(0, from / sound.sampleRate, (to - from) / sound.sampleRate);
    };
    const use = button("Use it", () => { const [from, to] = range(); if (to > from) done(wav(sound, from, to)); });
    for (const each of ends) each.addEventListener("input", draw);
    host.replaceChildren(canvas, ...ends, make("div", { class: "wb-drop-row" }, use, button("Listen", play), button("Close", cancel), note));
    draw();
    use.focus();
  };
  const record = async () => {
    if (!navigator.mediaDevices) throw new Error("the browser gives no microphone to a page that is not local or https");
    stream = await navigator.mediaDevices.getUserMedia({ audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: false } });
    const pieces = [];
    recorder = new MediaRecorder(stream);
    recorder.ondataavailable = (event) => pieces.push(event.data);
    recorder.onstop = () => {
      clearInterval(timer);
      for (const track of stream.getTracks()) track.stop();
      if (host.isConnected && !host.hidden) trim(new Blob(pieces, { type: recorder.mimeType })).catch(fail);
    };
    recorder.start();
    const since = performance.now();
    timer = setInterval(() => { note.textContent = `recording ${((performance.now() - since) / 1000).toFixed(1)} s`; }, 100);
    const end = button("Stop", () => recorder.stop());
    host.replaceChildren(make("div", { class: "wb-drop-row" }, end, button("Close", cancel), note));
    end.focus();
  };
  const fail = (error) => {
    note.textContent = `no sound: ${error.message}`;
    host.replaceChildren(make("div", { class: "wb-drop-row" }, note, button("Close", cancel)));
  };
  host.replaceChildren(note);
  (blob ? trim(blob) : record()).catch(fail);
  return stop;
}
