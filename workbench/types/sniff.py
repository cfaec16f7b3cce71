"""What bytes are, told from the bytes; names and labels are only asked when bytes are silent.

The signatures are those of the WHATWG MIME Sniffing Standard, section 6, with those of the
formats' own specifications for what the standard leaves out.
"""

from __future__ import annotations

import re

__all__ = ["canonical", "describe_bytes", "extension", "sniff"]

_MAGIC: tuple[tuple[int, bytes, str], ...] = (
    (0, b"\x89PNG\r\n\x1a\n", "image/png"),
    (0, b"\xff\xd8\xff", "image/jpeg"),
    (0, b"GIF87a", "image/gif"),
    (0, b"GIF89a", "image/gif"),
    (0, b"BM", "image/bmp"),
    (0, b"II*\x00", "image/tiff"),
    (0, b"MM\x00*", "image/tiff"),
    (0, b"II+\x00", "image/tiff"),
    (0, b"MM\x00+", "image/tiff"),
    (0, b"\x00\x00\x01\x00", "image/x-icon"),
    (0, b"\x00\x00\x00\x0cjP  \r\n\x87\n", "image/jp2"),
    (0, b"\xff\x4f\xff\x51", "image/jp2"),
    (0, b"8BPS", "image/vnd.adobe.photoshop"),
    (0, b"qoif", "image/qoi"),
    (0, b"OggS", "audio/ogg"),
    (0, b"fLaC", "audio/flac"),
    (0, b"ID3", "audio/mpeg"),
    (0, b"caff", "audio/x-caf"),
    (0, b".snd", "audio/basic"),
    (0, b"#!AMR", "audio/amr"),
    (0, b"riff\x2e\x91\xcf\x11", "audio/x-w64"),
    (0, b"RF64", "audio/wav"),
    (0, b"BW64", "audio/wav"),
    (0, b"MThd", "audio/midi"),
    (0, b"\x1aE\xdf\xa3", "video/webm"),
    (0, b"0&\xb2u\x8ef\xcf\x11", "video/x-ms-asf"),
    (0, b"FLV\x01", "video/x-flv"),
    (0, b"\x00\x00\x01\xba", "video/mpeg"),
    (0, b"\x00\x00\x01\xb3", "video/mpeg"),
    (0, b"%PDF-", "application/pdf"),
    (0, b"PK\x03\x04", "application/zip"),
    (0, b"\x1f\x8b", "application/gzip"),
)

_CONTAINERS = {
    (b"RIFF", b"WAVE"): "audio/wav",
    (b"RIFX", b"WAVE"): "audio/wav",
    (b"RIFF", b"WEBP"): "image/webp",
    (b"RIFF", b"AVI "): "video/x-msvideo",
    (b"FORM", b"AIFF"): "audio/aiff",
    (b"FORM", b"AIFC"): "audio/aiff",
}

_BRANDS = {
    b"avif": "image/avif",
    b"avis": "image/avif",
    b"heic": "image/heic",
    b"heix": "image/heic",
    b"hevc": "image/heic",
    b"mif1": "image/heic",
    b"msf1": "image/heic",
    b"M4A ": "audio/mp4",
    b"M4B ": "audio/mp4",
    b"qt  ": "video/quicktime",
    b"3gp4": "video/3gpp",
    b"3gp5": "video/3gpp",
}

_EXTENSIONS = {
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "image/gif": ".gif",
    "image/webp": ".webp",
    "image/bmp": ".bmp",
    "image/tiff": ".tiff",
    "image/x-icon": ".ico",
    "image/avif": ".avif",
    "image/heic": ".heic",
    "image/jp2": ".jp2",
    "image/x-portable-anymap": ".pnm",
    "image/x-tga": ".tga",
    "image/sgi": ".sgi",
    "image/icns": ".icns",
    "image/qoi": ".qoi",
    "image/vnd.adobe.photoshop": ".psd",
    "image/svg+xml": ".svg",
    "audio/wav": ".wav",
    "audio/mpeg": ".mp3",
    "audio/ogg": ".ogg",
    "audio/flac": ".flac",
    "audio/aiff": ".aiff",
    "audio/mp4": ".m4a",
    "audio/aac": ".aac",
    "audio/webm": ".webm",
    "audio/basic": ".au",
    "audio/x-caf": ".caf",
    "audio/x-w64": ".w64",
    "audio/amr": ".amr",
    "video/mp4": ".mp4",
    "video/webm": ".webm",
    "video/ogg": ".ogv",
    "video/quicktime": ".mov",
    "video/x-matroska": ".mkv",
    "video/x-msvideo": ".avi",
    "video/mpeg": ".mpg",
    "text/plain": ".txt",
    "text/markdown": ".md",
    "text/html": ".html",
    "application/json": ".json",
    "application/pdf": ".pdf",
}

_ALIASES = {
    "image/jpg": "image/jpeg",
    "image/pjpeg": "image/jpeg",
    "image/x-png": "image/png",
    "image/svg": "image/svg+xml",
    "image/tif": "image/tiff",
    "image/vnd.microsoft.icon": "image/x-icon",
    "image/ico": "image/x-icon",
    "image/heif": "image/heic",
    "audio/mp3": "audio/mpeg",
    "audio/x-mp3": "audio/mpeg",
    "audio/mpga": "audio/mpeg",
    "audio/x-wav": "audio/wav",
    "audio/wave": "audio/wav",
    "audio/vnd.wave": "audio/wav",
    "audio/x-flac": "audio/flac",
    "audio/x-aiff": "audio/aiff",
    "audio/aif": "audio/aiff",
    "audio/m4a": "audio/mp4",
    "audio/x-m4a": "audio/mp4",
    "audio/vorbis": "audio/ogg",
    "audio/opus": "audio/ogg",
    "audio/x-aac": "audio/aac",
}

_SVG = re.compile(
    rb"\A(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--.*?-->\s*|<!DOCTYPE[^>\[]*(?:\[.*?\])?>\s*)*<svg[\s>/]",
    re.IGNORECASE | re.DOTALL,
)
_HTML = re.compile(rb"\A\s*<(?:!doctype\s+html|html|head|body)\b", re.IGNORECASE)


def sniff(data: bytes) -> str | None:
    """The media type of bytes, by their signature; None where they have none.

    Parameters
    ----------
    data : bytes
        At least the first few kilobytes of a file.

    Examples
    --------
    >>> sniff(b"GIF89a...")
    'image/gif'
    >>> sniff(b"just text") is None
    True
    """
    for offset, magic, mime in _MAGIC:
        if data.startswith(magic, offset):
            return _refined(mime, data)
    found = _CONTAINERS.get((data[:4], data[8:12]))
    if found:
        return found
    if data[4:8] == b"ftyp":
        return _BRANDS.get(data[8:12]) or _compatible_brand(data) or "video/mp4"
    if _SVG.match(data[:4096]):
        return "image/svg+xml"
    return _mpeg_audio(data)


def _compatible_brand(data: bytes) -> str | None:
    """The type by the list of compatible brands (ISO/IEC 14496-12, section 4.3)."""
    length = min(int.from_bytes(data[:4], "big"), 256)
    brands = [data[at : at + 4] for at in range(16, length, 4)]
    found = [_BRANDS[brand] for brand in brands if brand in _BRANDS]
    return found[0] if found and found[0].startswith("image/") else None


def _refined(mime: str, data: bytes) -> str:
    """Tell apart containers that hold sound or pictures."""
    if mime == "audio/ogg" and b"\x80theora" in data[:512]:
        return "video/ogg"
    if mime == "video/webm":
        head = data[:4096]
        if b"matroska" in head:
            return "video/x-matroska"
        return "audio/webm" if b"V_" not in head and b"A_" in head else mime
    return mime


def _mpeg_audio(data: bytes) -> str | None:
    """MPEG audio without a tag: an eleven-bit sync word and a possible header after it."""
    if len(data) < 4 or data[0] != 0xFF or data[1] & 0xE0 != 0xE0:
        return None
    if data[1] & 0xF6 == 0xF0:
        return "audio/aac"
    version, layer = data[1] >> 3 & 3, data[1] >> 1 & 3
    bitrate, rate = data[2] >> 4, data[2] >> 2 & 3
    possible = version != 1 and layer != 0 and bitrate not in (0, 15) and rate != 3
    return "audio/mpeg" if possible else None


def canonical(mime: str) -> str:
    """A media type in its registered spelling, without parameters.

    Examples
    --------
    >>> canonical("image/JPG; q=1")
    'image/jpeg'
    """
    bare = mime.partition(";")[0].strip().lower()
    return _ALIASES.get(bare, bare)


def extension(mime: str) -> str:
    """The usual file extension, with its dot; ".bin" where there is none.

    Examples
    --------
    >>> extension("audio/mp3")
    '.mp3'
    """
    return _EXTENSIONS.get(canonical(mime), ".bin")


def describe_bytes(data: bytes) -> str:
    """What bytes seem to be, for an error message."""
    if not data:
        return "it is empty (0 bytes)"
    mime = sniff(data)
    if mime:
        return f"its bytes are {mime}"
    if _HTML.match(data[:512]):
        return f"it looks like an HTML page: {bytes(data[:40])!r}"
    return f"it starts with {bytes(data[:24])!r}"
