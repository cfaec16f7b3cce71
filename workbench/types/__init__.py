"""Values that are native objects, know where they came from, and show themselves."""

from workbench.types.audio import AgentAudio
from workbench.types.base import AgentType
from workbench.types.html import media_html, thumbnails_html
from workbench.types.image import AgentImage
from workbench.types.sniff import sniff
from workbench.types.text import AgentText
from workbench.types.video import AgentVideo
from workbench.types.wrap import unwrap, wrap

__all__ = [
    "AgentAudio",
    "AgentImage",
    "AgentText",
    "AgentType",
    "AgentVideo",
    "media_html",
    "sniff",
    "thumbnails_html",
    "unwrap",
    "wrap",
]
