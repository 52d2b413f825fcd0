/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hdfsppr.client.files;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the files and the snapshots of a random run contain, by their paths. */
final class FileOracle {
  private final Map<String, byte[]> files = new TreeMap<>();
  /** By the path of the snapshot, then by the path of the file in it. */
  private final Map<String, Map<String, byte[]>> snapshots = new TreeMap<>();

  /** Returns the files that are in the tree, without those that only snapshots have. */
  List<String> paths() {
    return new ArrayList<>(files.keySet());
  }

  List<String> snapshots() {
    return new ArrayList<>(snapshots.keySet());
  }

  boolean has(String path) {
    return files.containsKey(path);
  }

  byte[] content(String path) {
    return files.get(path);
  }

  /** Returns all files, also those of snapshots, with their contents. */
  Map<String, byte[]> all() {
    Map<String, byte[]> all = new TreeMap<>(files);
    snapshots.values().forEach(all::putAll);
    return all;
  }

  void put(String path, byte[] content) {
    files.put(path, content);
  }

  void remove(String path) {
    files.remove(path);
  }

  void append(String path, byte[] more) {
    byte[] before = files.get(path);
    byte[] after = Arrays.copyOf(before, before.length + more.length);
    System.arraycopy(more, 0, after, before.length, more.length);
    files.put(path, after);
  }

  /** Renames a file, or a directory with all that is in it. What was there is overwritten. */
  void rename(String from, String to) {
    for (String path : paths()) {
      if (isIn(path, from)) {
        byte[] content = files.remove(path);
        files.put(to + path.substring(from.length()), content);
      }
    }
  }

  void snapshot(String root, String name) {
    String at = root + "/.snapshot/" + name;
    Map<String, byte[]> now = new TreeMap<>();
    files.forEach((path, content) -> {
      if (isIn(path, root)) {
        now.put(at + path.substring(root.length()), content);
      }
    });
    snapshots.put(at, now);
  }

  void dropSnapshot(String snapshot) {
    snapshots.remove(snapshot);
  }

  /** Returns whether a path is another one, or lies below it. */
  static boolean isIn(String path, String above) {
    return path.equals(above) || path.startsWith(above + "/");
  }
}
