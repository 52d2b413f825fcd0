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
package org.hdfsppr.namenode.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.hdfsppr.namenode.core.CorePaper.Node;
import org.hdfsppr.namenode.core.ProtectedFileScanner.DirectoryTour;
import org.junit.jupiter.api.Test;

/** Tests how the files of directories are brought together. */
class TestDirectoryTour {
  private final CorePaper files = new CorePaper();

  private Map<Long, String> tour(DirectoryTour tour) throws IOException {
    Map<Long, String> found = new TreeMap<>();
    for (int i = 0; i < 100 && !tour.isAtEnd(); i++) {
      Optional<DirectoryTour.Part> part = tour.next();
      part.ifPresent(one -> found.merge(one.directoryId, one.files.stream()
          .map(entry -> entry.name).collect(Collectors.joining(",")), (a, b) -> a + ";" + b));
    }
    assertTrue(tour.isAtEnd());
    return found;
  }

  @Test
  void eachDirectoryComesOnce() throws IOException {
    Node top = files.mkdir(1, "top");
    Node below = files.mkdir(top.inodeId, "b");
    Node others = files.mkdir(top.inodeId, "c");
    Node trash = files.mkdir(top.inodeId, ".Trash");
    for (Node directory : new Node[] {top, below, others, trash}) {
      for (String name : new String[] {"a", "d", "e", "f", "g"}) {
        files.create(directory.inodeId, name, CorePaper.RS, 1);
      }
    }
    assertEquals(Map.of(top.inodeId, "a,d,e,f,g", below.inodeId, "a,d,e,f,g"),
        tour(new DirectoryTour(files, top.inodeId, true, id -> id == others.inodeId)));
    assertEquals(Map.of(top.inodeId, "a,d,e,f,g"),
        tour(new DirectoryTour(files, top.inodeId, false, id -> false)));
  }

  @Test
  void aDirectoryThatIsGoneHasNoFiles() throws IOException {
    assertEquals(Map.of(77L, ""), tour(new DirectoryTour(files, 77, true, id -> false)));
  }

  @Test
  void aPageThatFailsIsTriedAgain() throws IOException {
    Node top = files.mkdir(1, "top");
    files.create(top.inodeId, "a", CorePaper.RS, 1);
    DirectoryTour tour = new DirectoryTour(files, top.inodeId, true, id -> false);
    files.failing.add("list");
    assertThrows(IOException.class, tour::next);
    files.failing.clear();
    assertEquals(Map.of(top.inodeId, "a"), tour(tour));
  }
}
