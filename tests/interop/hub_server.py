"""A Hub on loopback: the endpoints that ``huggingface_hub`` uses for files, commits, collections.

Repositories live in memory, with each commit's files. One is gated, one private; the only token
that it knows is WRITER.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

WRITER = "hf_of_the_writer"


class Hub(ThreadingHTTPServer):
    """Serves until it is closed; `seen` has every request's method and path."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.commits: dict[str, list[dict[str, bytes]]] = {}
        self.collections: dict[str, list[str]] = {}
        self.private, self.gated = set[str](), set[str]()
        self.seen: list[str] = []
        self.proposed: list[dict[str, bytes]] = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def put(self, repo: str, **files: str) -> None:
        """Commit files, whose names have "__" for "." and for "/" nothing."""
        named = {name.replace("__", "."): text.encode() for name, text in files.items()}
        before = self.commits.setdefault(repo, [])
        before.append({**(before[-1] if before else {}), **named})

    def at(self, repo: str, revision: str) -> dict[str, bytes] | None:
        commits = self.commits[repo]
        if revision == "main":
            return commits[-1] if commits else {}
        numbers = [at for at in range(len(commits)) if revision in (sha(at), f"v{at + 1}")]
        return commits[numbers[0]] if numbers else None


def sha(number: int) -> str:
    return hashlib.sha1(str(number).encode()).hexdigest()


class _Handler(BaseHTTPRequestHandler):
    server: Hub
    protocol_version = "HTTP/1.1"

    def log_message(self, *args: object) -> None:
        pass

    def _answer(self, status: int, body: Any = b"", **headers: str) -> None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    def _refused(self, repo: str) -> bool:
        """Whether the repository is not for who asks; then that has been said."""
        token = (self.headers.get("Authorization") or "").removeprefix("Bearer ")
        known = token == WRITER
        if token and not known:
            self._answer(401, {}, X_Error_Message="Invalid credentials in Authorization header")
        elif repo not in self.server.commits or (repo in self.server.private and not known):
            self._answer(404 if known else 401, {}, X_Error_Code="RepoNotFound")
        elif repo in self.server.gated:
            self._answer(403, {}, X_Error_Code="GatedRepo")
        else:
            return False
        return True

    def _file(self) -> None:
        match = re.fullmatch(r"/spaces/([^/]+/[^/]+)/resolve/([^/]+)/(.+)", self.path)
        assert match, self.path
        repo, revision, name = match.groups()
        if self._refused(repo):
            return
        files = self.server.at(repo, revision)
        if files is None:
            self._answer(404, {}, X_Error_Code="RevisionNotFound")
        elif name not in files:
            self._answer(404, {}, X_Error_Code="EntryNotFound")
        else:
            etag = hashlib.sha1(files[name]).hexdigest()
            number = self.server.commits[repo].index(files)
            self._answer(200, files[name], ETag=f'"{etag}"', X_Repo_Commit=sha(number))

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_GET(self) -> None:
        self.server.seen.append(f"{self.command} {self.path}")
        if self.path == "/api/agent-harnesses":
            self._answer(404)
            return
        if self.path.startswith("/api/spaces/"):
            repo = self.path.removeprefix("/api/spaces/")
            if not self._refused(repo):
                self._answer(200, {"id": repo, "sha": sha(0), "private": False, "tags": []})
            return
        slug = self.path.removeprefix("/api/collections/")
        if not self.path.startswith("/api/collections/"):
            self._file()
        elif slug in self.server.collections:
            items = [
                {"_id": str(at), "id": repo, "type": kind, "position": at}
                for at, (kind, _, repo) in enumerate(
                    each.partition(":") for each in self.server.collections[slug]
                )
            ]
            self._answer(200, {
                "slug": slug, "title": slug, "owner": {"name": "somebody"}, "items": items,
                "lastUpdated": "2026-01-01T00:00:00.000Z", "position": 0, "private": False,
                "theme": "green", "upvotes": 0,
            })  # fmt: skip
        else:
            self._answer(404, {"error": "Collection not found"})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.server.seen.append(f"{self.command} {self.path}")
        path, _, query = self.path.partition("?")
        if path == "/api/validate-yaml":
            self._answer(200, {"errors": [], "warnings": []})
        elif (self.headers.get("Authorization") or "") != f"Bearer {WRITER}":
            self._answer(401, {}, X_Error_Message="Invalid credentials in Authorization header")
        elif path == "/api/repos/create":
            given = json.loads(body)
            repo = f"{given.get('organization') or 'somebody'}/{given['name']}"
            made = repo not in self.server.commits
            # A new Space has a card, and nothing else.
            card = f"---\ntitle: {given['name'].title()}\nsdk: gradio\napp_file: app.py\n---\n"
            self.server.commits.setdefault(repo, [{"README.md": card.encode()}])
            if given.get("private") or given.get("visibility") == "private":
                self.server.private.add(repo)
            url = f"{self.server.url}/spaces/{repo}"
            self._answer(200 if made else 409, {"url": url, "name": repo})
        elif "/preupload/" in path:
            names = [each["path"] for each in json.loads(body)["files"]]
            told = [{"path": name, "uploadMode": "regular", "shouldIgnore": False, "oid": None} for name in names]  # fmt: skip
            self._answer(200, {"files": told})
        else:
            self._commit(path, body, "create_pr=1" in query)

    def _commit(self, path: str, body: bytes, proposed: bool) -> None:
        match = re.fullmatch(r"/api/spaces/([^/]+/[^/]+)/commit/main", path)
        assert match, path
        repo = match[1]
        lines = [json.loads(line)["value"] for line in body.decode().splitlines()]
        files = {v["path"]: base64.b64decode(v["content"]) for v in lines if "path" in v}
        commits = self.server.commits[repo]
        if proposed:
            self.server.proposed.append(files)
        else:
            commits.append({**(commits[-1] if commits else {}), **files})
        url = f"{self.server.url}/spaces/{repo}"
        self._answer(200, {
            "success": True, "commitOid": sha(len(commits)), "commitUrl": f"{url}/commit/{sha(len(commits))}",
            **({"pullRequestUrl": f"{url}/discussions/1"} if proposed else {}),
        })  # fmt: skip
