#!/usr/bin/env python3
# Licensed under the Apache License, Version 2.0 (the "License");
# you may not use this file except in compliance with the License.
# You may obtain a copy of the License at
#
#     http://www.apache.org/licenses/LICENSE-2.0
#
# Unless required by applicable law or agreed to in writing, software
# distributed under the License is distributed on an "AS IS" BASIS,
# WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
# See the License for the specific language governing permissions and
# limitations under the License.

"""Serves the operator's page with made-up clusters, without a NameNode.

  serve.py [PORT]     then open http://127.0.0.1:PORT/

Each scenario has a path of its own, /NAME/ppr/, as a proxy with a path would have it. The pages come
from the sources, so an edit is there after a reload.
"""

import http.server
import json
import os
import sys
import threading
import time

from worlds import SCENARIOS

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "hdfs-ppr-namenode", "src",
                    "main", "resources", "org", "hdfsppr", "namenode", "web", "page")
TYPES = {".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8",
         ".css": "text/css; charset=utf-8"}


class Handler(http.server.BaseHTTPRequestHandler):
  protocol_version = "HTTP/1.1"

  def do_GET(self):
    self.server.requests.append((self.path, self.headers.get("If-None-Match")))
    parts = self.path.split("?")[0].split("/", 3)
    if self.path == "/":
      links = "".join('<li><a href="/%s/ppr/">%s</a>' % (n, n) for n in SCENARIOS)
      return self.answer(200, TYPES[".html"], ("<!DOCTYPE html><title>Scenarios</title><ul>" + links).encode())
    world = self.server.worlds.get(parts[1])
    if world is None or len(parts) < 4 or parts[2] != "ppr":
      return self.answer(404, "text/plain", b"no such scenario\n")
    path = "/" + parts[3]
    return self.document(world, path) if path.startswith("/v1/") else self.page(path)

  def document(self, world, path):
    if world.fault == "drop":
      self.close_connection = True
      self.connection.close()
      return None
    if world.fault is not None:
      said = {503: b"hdfs-ppr is off: the plugin stopped, as dfs.namenode.plugins says\n"}
      return self.answer(world.fault, "text/plain; charset=utf-8", said.get(world.fault, b""))
    document = self.server.made(world, path)
    if document is None:
      return self.answer(404, "text/plain; charset=utf-8", b"no such document\n")
    etag = '"%d"' % (4000 + world.second)
    if self.headers.get("If-None-Match") == etag:
      return self.answer(304, None, b"", etag)
    return self.answer(200, "application/json; charset=utf-8", document, etag)

  def page(self, path):
    name = "index.html" if path == "/" else path[1:]
    kind = TYPES.get(os.path.splitext(name)[1])
    file = os.path.join(PAGE, name)
    if kind is None or "/" in name or not os.path.isfile(file):
      return self.answer(404, "text/plain", b"no such page\n")
    with open(file, "rb") as source:
      return self.answer(200, kind, source.read())

  def answer(self, status, kind, body, etag=None):
    self.send_response(status)
    if kind:
      self.send_header("Content-Type", kind)
    if etag:
      self.send_header("ETag", etag)
    # What the NameNode sends with every page.
    self.send_header("Content-Security-Policy", "default-src 'self'; base-uri 'none'; "
                     "form-action 'none'; object-src 'none'; frame-ancestors 'self'")
    self.send_header("X-Content-Type-Options", "nosniff")
    self.send_header("X-Frame-Options", "SAMEORIGIN")
    self.send_header("Cache-Control", "no-cache")
    if status != 304:
      self.send_header("Content-Length", str(len(body)))
    self.end_headers()
    if status != 304:
      self.wfile.write(body)

  def log_message(self, *args):
    pass


class Server(http.server.ThreadingHTTPServer):
  """Worlds stand still until somebody moves their clocks."""

  daemon_threads = True

  def __init__(self, port):
    super().__init__(("127.0.0.1", port), Handler)
    self.worlds = {name: make() for name, make in SCENARIOS.items()}
    self.requests = []
    self.keeps = False  # a test that measures time wants no document made anew

  def made(self, world, path):
    """Returns a document as bytes. It is made once for each second of its world."""
    now = (world.second, world.state)
    kept = world.__dict__.setdefault("made", {})
    if path not in kept or kept[path][0] != now or not self.keeps:
      document = world.document(path)
      kept[path] = (now, None if document is None else json.dumps(document).encode())
    return kept[path][1]

  def handle_error(self, request, client_address):
    if not isinstance(sys.exc_info()[1], OSError):  # a browser that left
      super().handle_error(request, client_address)


def main():
  server = Server(int(sys.argv[1]) if len(sys.argv) > 1 else 8099)
  threading.Thread(target=server.serve_forever, daemon=True).start()
  print("http://127.0.0.1:%d/" % server.server_port, flush=True)
  began = time.monotonic()
  while True:
    for world in server.worlds.values():
      world.second = 60 + int(time.monotonic() - began)
    del server.requests[:-1000]
    time.sleep(0.5)


if __name__ == "__main__":
  main()
