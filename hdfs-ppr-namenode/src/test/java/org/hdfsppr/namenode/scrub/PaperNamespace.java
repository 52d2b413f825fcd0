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
package org.hdfsppr.namenode.scrub;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;

/** A namespace of files that a test invents. */
final class PaperNamespace implements ScrubNamespace {
  static final GroupPolicy RS_3_2 = new GroupPolicy("rs", 3, 2, 1_000_000);
  private static final String POOL = "BP";

  private final int pageEntries;
  private final Map<String, List<ScrubTarget>> files = new TreeMap<>();
  final Map<String, byte[]> notes = new HashMap<>();
  /** How often a note was written, or was to be written. */
  int noteCalls;
  int listCalls;
  IOException failure;
  boolean withoutNotes;
  /** A file that makes the NameNode fail. */
  String poison;

  /** @param pageEntries how many entries a page has at most */
  PaperNamespace(int pageEntries) {
    this.pageEntries = pageEntries;
  }

  static NodeRef node(int number) {
    return new NodeRef("uuid-" + number, "10.0.0." + number, "dn" + number, 9866,
        NodeRef.NO_REPAIR_PORT, "/r" + number % 2);
  }

  /** Describes a group of full units on the nodes with these numbers, unit after unit. */
  static ScrubTarget group(long start, long id, long unitBytes, int... nodes) {
    List<UnitHolder> holders = new ArrayList<>();
    for (int unit = 0; unit < nodes.length; unit++) {
      holders.add(new UnitHolder(unit, node(nodes[unit])));
    }
    return group(start, id, unitBytes, holders, false);
  }

  static ScrubTarget group(long start, long id, long unitBytes, List<UnitHolder> holders,
      boolean isOpen) {
    return new ScrubTarget(start, new GroupId(POOL, id, 1_001), unitBytes * RS_3_2.dataUnits,
        RS_3_2, holders, isOpen);
  }

  /** Adds a file; one without groups is replicated. */
  void put(String path, ScrubTarget... groups) {
    files.put(path, List.of(groups));
  }

  void delete(String path) {
    files.keySet().removeIf(file -> file.equals(path) || file.startsWith(path + "/"));
  }

  private void check() throws IOException {
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public Listing list(String path, String after) throws IOException {
    listCalls++;
    check();
    if (files.containsKey(path)) {
      return new Listing(List.of(entry("", path, false)), false);
    }
    String prefix = path.equals("/") ? path : path + "/";
    Map<String, Entry> entries = new TreeMap<>();
    for (String file : files.keySet()) {
      if (file.startsWith(prefix)) {
        String rest = file.substring(prefix.length());
        int slash = rest.indexOf('/');
        String name = slash < 0 ? rest : rest.substring(0, slash);
        entries.put(name, entry(name, file, slash >= 0));
      }
    }
    if (entries.isEmpty()) {
      throw new FileNotFoundException(path);
    }
    List<Entry> behind = new ArrayList<>();
    entries.forEach((name, entry) -> {
      if (name.compareTo(after) > 0) {
        behind.add(entry);
      }
    });
    int end = Math.min(pageEntries, behind.size());
    return new Listing(behind.subList(0, end), end < behind.size());
  }

  private Entry entry(String name, String file, boolean isDirectory) {
    return new Entry(name, isDirectory, !isDirectory && !files.get(file).isEmpty());
  }

  @Override
  public List<ScrubTarget> groups(String file) throws IOException {
    check();
    if (file.equals(poison)) {
      throw new IllegalStateException("the NameNode fails at " + file);
    }
    return files.getOrDefault(file, Collections.emptyList());
  }

  @Override
  public Optional<byte[]> note(String path) throws IOException {
    check();
    if (withoutNotes) {
      throw new IOException("extended attributes are off");
    }
    return Optional.ofNullable(notes.get(path));
  }

  @Override
  public void keepNote(String path, byte[] note) throws IOException {
    noteCalls++;
    check();
    if (withoutNotes) {
      throw new IOException("extended attributes are off");
    }
    notes.put(path, note);
  }
}
