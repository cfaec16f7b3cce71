"""With torch: tensors in every layout go in, tensors come out. Without it, all else works."""

from __future__ import annotations

import numpy as np
import pytest

from workbench import AgentAudio, AgentImage, tool

torch = pytest.importorskip("torch", reason="torch is not installed")

PIXELS = np.arange(4 * 5 * 3, dtype=np.uint8).reshape(4, 5, 3)


def layouts():
    pixels = torch.from_numpy(PIXELS)
    unit = pixels.float() / 255
    return {
        "HWC": pixels,
        "CHW": pixels.permute(2, 0, 1),
        "NCHW of one": pixels.permute(2, 0, 1)[None],
        "float": unit,
        "bfloat16": (unit > 0.1).to(torch.bfloat16),
        "requires_grad": unit.clone().requires_grad_(),
    }


@pytest.mark.parametrize("name", layouts())
def test_pictures_from_tensors(name):
    expected = (PIXELS / 255 > 0.1) * 255 if name == "bfloat16" else PIXELS
    assert (np.asarray(AgentImage(layouts()[name])) == expected).all()


def test_sounds_from_and_to_tensors():
    stereo = torch.linspace(-1, 1, 200).reshape(2, 100)
    sound = AgentAudio(stereo.requires_grad_(), 8000)
    assert sound.shape == (100, 2)
    assert torch.allclose(sound.to_torch(), stereo.detach())
    assert AgentAudio(torch.zeros(100, dtype=torch.float16)).to_torch().shape == (1, 100)


def test_tools_take_tensors_as_annotated():
    def total(x: torch.Tensor) -> float:
        return float(x.sum())

    made = tool(total)
    assert made(torch.ones(3)) == 3.0
    assert made([1.0, 2.0]) == 3.0
