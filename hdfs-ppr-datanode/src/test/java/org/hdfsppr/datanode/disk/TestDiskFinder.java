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
package org.hdfsppr.datanode.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.junit.jupiter.api.Test;

/**
 * Tests that a heartbeat does not wait for a disk, and that a disk that hangs keeps only one thread
 * busy.
 */
@InterfaceAudience.Private
class TestDiskFinder {
  private static final URI ONE = URI.create("file:///one/");
  private static final URI TWO = URI.create("file:///two/");

  private final Queue<Runnable> looks = new ArrayDeque<>();
  private final Map<String, String> known = new HashMap<>();
  private final DiskFinder finder = new DiskFinder(this::diskOf, looks::add);

  private Optional<String> diskOf(Path path) {
    if (path.endsWith("broken")) {
      throw new IllegalStateException("no device");
    }
    return Optional.ofNullable(known.get(path.getFileName().toString()));
  }

  @Test
  void theAnswerComesLater() {
    known.put("one", "8:0");
    known.put("two", "8:16");
    assertEquals(Set.of(), finder.disks(Set.of(ONE)), "the search has not ended");
    looks.remove().run();
    assertEquals(Set.of("8:0"), finder.disks(Set.of(ONE)));
    assertEquals(0, looks.size(), "while no volume comes or goes, no search begins");
    assertEquals(Set.of(), finder.disks(Set.of(ONE, TWO)));
    looks.remove().run();
    assertEquals(Set.of("8:0", "8:16"), finder.disks(Set.of(ONE, TWO)));
  }

  /** The read of the hanging disk never ends in this test. */
  @Test
  void aDiskThatHangsCostsOneThread() {
    for (int heartbeat = 0; heartbeat < 100; heartbeat++) {
      assertEquals(Set.of(), finder.disks(heartbeat % 2 == 0 ? Set.of(ONE) : Set.of(ONE, TWO)));
    }
    assertEquals(1, looks.size());
  }

  @Test
  void aVolumeWithoutADiskMakesAllUnknown() {
    known.put("one", "8:0");
    finder.disks(Set.of(ONE, TWO));
    looks.remove().run();
    assertEquals(Set.of(), finder.disks(Set.of(ONE, TWO)));
    assertEquals(0, looks.size());
  }

  @Test
  void anErrorEndsTheLook() {
    known.put("one", "8:0");
    finder.disks(Collections.singleton(URI.create("file:///broken/")));
    looks.remove().run();
    assertEquals(Set.of(), finder.disks(Set.of(ONE)));
    looks.remove().run();
    assertEquals(Set.of("8:0"), finder.disks(Set.of(ONE)), "the next search can begin");
  }

  /** If only some disks were found, their load must not count as the load of all disks. */
  @Test
  void aLookThatIsCutOffFindsNone() {
    known.put("one", "8:0");
    Set<URI> ordered = new LinkedHashSet<>(List.of(ONE, TWO));
    DiskFinder cutOff = new DiskFinder(path -> {
      if (path.endsWith("two")) {
        throw new OutOfMemoryError("in a test");
      }
      return diskOf(path);
    }, looks::add);
    cutOff.disks(ordered);
    looks.remove().run();
    assertEquals(Set.of(), cutOff.disks(ordered));
  }

  @Test
  void aThreadThatCannotStartIsTriedAgain() {
    int[] starts = new int[1];
    DiskFinder full = new DiskFinder(this::diskOf, look -> {
      starts[0]++;
      throw new RejectedExecutionException("no thread");
    });
    assertThrows(RejectedExecutionException.class, () -> full.disks(Set.of(ONE)));
    assertThrows(RejectedExecutionException.class, () -> full.disks(Set.of(ONE)));
    assertEquals(2, starts[0]);
  }
}
