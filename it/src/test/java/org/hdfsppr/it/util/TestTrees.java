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
package org.hdfsppr.it.util;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that a copy has all files, that later changes of the copy and of the original do not affect
 * each other, and that lists are complete.
 */
class TestTrees {

  @TempDir
  private Path dir;

  @Test
  void copiesAndLinks() throws Exception {
    Path from = Files.createDirectories(dir.resolve("from/sub/empty")).getParent().getParent();
    Files.writeString(from.resolve("sub/blk_1"), "replica");
    Files.writeString(from.resolve("VERSION"), "1");
    Path to = dir.resolve("a/to");
    Trees.copy(from, to, file -> file.getFileName().toString().startsWith("blk_"));
    Files.writeString(from.resolve("VERSION"), "2");
    assertEquals("1", Files.readString(to.resolve("VERSION")));
    assertEquals(2, Files.getAttribute(to.resolve("sub/blk_1"), "unix:nlink"));
    Trees.delete(from);
    assertFalse(Files.exists(from));
    assertEquals("replica", Files.readString(to.resolve("sub/blk_1")));
    assertEquals(0, to.resolve("sub/empty").toFile().list().length);
  }

  /** Files are deleted while a folder is listed, as a DataNode deletes replicas. */
  @Test
  void listsWhatDoesNotVanishMeanwhile() throws Exception {
    for (String folder : List.of("a", "b")) {
      Files.createDirectories(dir.resolve("tree/" + folder + "/sub"));
      Files.writeString(dir.resolve("tree/" + folder + "/sub/blk_1"), "");
      Files.writeString(dir.resolve("tree/" + folder + "/sub/blk_1.meta"), "");
    }
    assertEquals(2, Trees.files(dir.resolve("tree"), this::isReplica).size());
    // In whichever order the folders are listed, the name of the other folder has been read by
    // then.
    List<Path> left = Trees.files(dir.resolve("tree"), file -> {
      String other = file.startsWith(dir.resolve("tree/a")) ? "b" : "a";
      try {
        Trees.delete(dir.resolve("tree/" + other));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return isReplica(file);
    });
    assertEquals(1, left.size(), left::toString);
    assertTrue(Files.exists(left.get(0)));
    assertEquals(List.of(), Trees.files(dir.resolve("none"), file -> true));
  }

  private boolean isReplica(Path file) {
    return file.getFileName().toString().equals("blk_1");
  }
}
