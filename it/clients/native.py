#!/usr/bin/env python3
#
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
"""The client hdfs-native: copies a folder of files to HDFS or from it.

native.py write URL LOCAL REMOTE | native.py read URL REMOTE LOCAL
"""
import os
import posixpath
import sys

from hdfs_native import Client

# The read size, which is neither a divisor nor a multiple of a cell.
CALL_BYTES = 700_001
PART = "._COPYING_"


def write(client, local, remote):
    for name in sorted(os.listdir(local)):
        with open(os.path.join(local, name), "rb") as source, \
                client.create(posixpath.join(remote, name)) as target:
            while chunk := source.read(CALL_BYTES):
                target.write(chunk)


def read(client, remote, local):
    for status in client.list_status(remote, True):
        if status.isdir:
            continue
        path = os.path.join(local, posixpath.relpath(status.path, remote))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        # A file that exists under its final name has been read to its end.
        with client.read(status.path) as source, open(path + PART, "wb") as target:
            while chunk := source.read(CALL_BYTES):
                target.write(chunk)
        os.rename(path + PART, path)


if __name__ == "__main__":
    what, url, source, target = sys.argv[1:]
    {"write": write, "read": read}[what](Client(url), source, target)
