"""A Gradio app with an endpoint for each thing that an endpoint can do.

Run as a script it serves the app to whoever has the token, and prints its address. It has a
process of its own, since Gradio leaves sockets and loops open.
"""

from __future__ import annotations

import sys
import threading
import time


def make_app():
    """An app with an endpoint for each thing that an endpoint can do."""
    import gradio as gr
    from PIL import Image

    def greet(name: str, times: int = 2, style: str = "plain") -> str:
        """Greet somebody."""
        return f"{style} {name} " * int(times)

    def slow(steps, progress=gr.Progress()):  # noqa: B008  # how Gradio injects it
        for step in range(int(steps)):
            progress((step, int(steps)), desc="working")
            time.sleep(0.3)
        return "done"

    def steps(count):
        for step in range(int(count)):
            yield f"step {step}"

    def fail(name):
        raise gr.Error("no way")

    with gr.Blocks(title="Many things") as app:
        name = gr.Textbox(label="Name")
        times = gr.Slider(1, 5, value=2, step=1, label="Times")
        style = gr.Dropdown(["plain", "fancy"], value="plain", label="Style")
        text, number = gr.Textbox(), gr.Number()
        image, image_out, gallery = (
            gr.Image(type="pil"),
            gr.Image(format="png"),
            gr.Gallery(format="png"),
        )
        audio, video, file = gr.Audio(), gr.Video(), gr.File()
        files, json = gr.File(file_count="multiple"), gr.JSON()
        flags, frame = gr.CheckboxGroup(["a", "b"]), gr.Dataframe()
        endpoints = {
            "greet": (greet, [name, times, style], text),
            "flip": (lambda picture: picture.rotate(90, expand=True), image, image_out),
            "sound": (lambda sound: sound, audio, audio),
            "video": (lambda film: film, video, video),
            "file": (lambda path: path, file, file),
            "count": (lambda paths: len(paths), files, number),
            "json": (lambda value: value, json, json),
            "flags": (lambda chosen: chosen, flags, json),
            "two": (lambda picture: (picture, "caption"), image, [image_out, text]),
            "many": (lambda picture: [picture, Image.new("RGB", (9, 9))], image, gallery),
            "path": (lambda name: __file__, name, text),
            "frame": (lambda rows: rows, frame, frame),
            "slow": (slow, number, text),
            "steps": (steps, number, text),
            "fail": (fail, name, text),
        }
        for api_name, (function, inputs, outputs) in endpoints.items():
            gr.Button().click(function, inputs, outputs, api_name=api_name)
    return app


def guarded(app):
    """The app behind a door: who has no token is told so."""
    import gradio as gr
    from fastapi import FastAPI
    from starlette.responses import JSONResponse

    outer = FastAPI()

    @outer.middleware("http")
    async def let_in(request, call_next):
        given = (request.headers.get("authorization"), request.headers.get("x-hf-authorization"))
        if "Bearer sesame" in given:
            return await call_next(request)
        return JSONResponse({"detail": "who are you?"}, status_code=401)

    return gr.mount_gradio_app(outer, app, path="/")


def main():
    import uvicorn

    server = uvicorn.Server(uvicorn.Config(guarded(make_app()), port=0, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    print(f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/", flush=True)
    sys.stdin.read()  # until the one who started this closes the pipe
    server.should_exit = True
    thread.join(timeout=10)


if __name__ == "__main__":
    main()
