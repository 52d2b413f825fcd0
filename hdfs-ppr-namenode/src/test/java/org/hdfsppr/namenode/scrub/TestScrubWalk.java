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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hdfsppr.namenode.walk.TreeWalk;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the order of files, and that a walk goes on behind any of them. */
class TestScrubWalk {
  /** In the order of a walk: names are compared level by level, and not as one string. */
  private static final List<String> FILES = List.of("/a", "/b/1", "/b/2/x", "/b/2/y", "/b/3",
      "/b-c", "/d/e/f/g/h", "/z/1", "/z/2", "/z/3", "/z/4", "/z/5");

  private static ScrubTarget group() {
    return PaperNamespace.group(0, -16, 100, 0, 1, 2, 3, 4);
  }

  private static PaperNamespace namespace(int pageEntries) {
    PaperNamespace namespace = new PaperNamespace(pageEntries);
    FILES.forEach(file -> namespace.put(file, group()));
    namespace.put("/b/2/replicated");
    namespace.put("/y/replicated");
    return namespace;
  }

  private static List<String> rest(TreeWalk walk) throws IOException {
    List<String> files = new ArrayList<>();
    while (!walk.isAtEnd()) {
      walk.next().ifPresent(files::add);
    }
    return files;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 100})
  void goesOnBehindAnyFile(int pageEntries) throws IOException {
    PaperNamespace namespace = namespace(pageEntries);
    List<String> all = rest(new TreeWalk(namespace, "/", null));
    // "-" sorts before "/", so that a comparison of whole paths would put b-c before b.
    assertEquals(FILES, all);
    for (int i = 0; i < all.size(); i++) {
      assertEquals(all.subList(i + 1, all.size()),
          rest(new TreeWalk(namespace, "/", all.get(i))), "behind " + all.get(i));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 100})
  void goesOnBehindAFileThatIsGone(int pageEntries) throws IOException {
    PaperNamespace namespace = namespace(pageEntries);
    namespace.delete("/b/2");
    assertEquals(List.of("/b/3", "/b-c", "/d/e/f/g/h", "/z/1", "/z/2", "/z/3", "/z/4", "/z/5"),
        rest(new TreeWalk(namespace, "/", "/b/2/x")));
    namespace.delete("/b");
    assertEquals("/b-c", rest(new TreeWalk(namespace, "/", "/b/2/x")).get(0));
    namespace.put("/b", group());
    // Where directories were, there is a file with groups now. The walk has passed its name.
    assertEquals("/b-c", rest(new TreeWalk(namespace, "/", "/b/2/x")).get(0));
  }

  @Test
  void walksBelowItsRootOnly() throws IOException {
    PaperNamespace namespace = namespace(2);
    assertEquals(FILES.subList(1, 5), rest(new TreeWalk(namespace, "/b", null)));
    assertEquals(List.of("/b/3"), rest(new TreeWalk(namespace, "/b", "/b/2/y")));
    assertEquals(FILES.subList(1, 5), rest(new TreeWalk(namespace, "/b", "/b-c")),
        "a cursor of another path counts for nothing");
    assertEquals(List.of("/a"), rest(new TreeWalk(namespace, "/a", null)));
    assertEquals(List.of(), rest(new TreeWalk(namespace, "/a", "/a")));
  }

  @Test
  void aDirectoryThatGoesIsPassed() throws IOException {
    PaperNamespace namespace = namespace(100);
    TreeWalk walk = new TreeWalk(namespace, "/", null);
    assertEquals(Optional.of("/a"), walk.next());
    namespace.delete("/b");
    assertEquals(Optional.of("/b-c"), walk.next());
  }

  @Test
  void whatCannotBeListedIsListedLater() throws IOException {
    PaperNamespace namespace = namespace(1);
    TreeWalk walk = new TreeWalk(namespace, "/", null);
    List<String> files = new ArrayList<>();
    for (int i = 0; !walk.isAtEnd(); i++) {
      namespace.failure = i % 2 == 0 ? new IOException("standby") : null;
      try {
        walk.next().ifPresent(files::add);
      } catch (IOException e) {
        assertEquals("standby", e.getMessage());
      }
    }
    assertEquals(FILES, files);
  }

  @Test
  void aMissingRootIsSaid() {
    TreeWalk walk = new TreeWalk(namespace(1), "/nowhere", null);
    assertThrows(FileNotFoundException.class, walk::next);
    assertFalse(walk.isAtEnd());
  }

  @Test
  void oneCallListsFewPages() throws IOException {
    PaperNamespace namespace = new PaperNamespace(1);
    for (int i = 100; i < 200; i++) {
      namespace.put("/r" + i);
    }
    namespace.put("/s", group());
    TreeWalk walk = new TreeWalk(namespace, "/", null);
    assertEquals(Optional.empty(), walk.next());
    assertTrue(namespace.listCalls <= TreeWalk.PAGES_PER_CALL, "calls " + namespace.listCalls);
    assertEquals(List.of("/s"), rest(walk));
  }
}
