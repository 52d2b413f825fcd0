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

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.hdfsppr.namenode.walk.TreeWalk;
import org.junit.jupiter.api.Test;

/** Tests how much of a pass is done in one step. */
class TestScrubPass {
  private static final int DIRECTORIES = 100;
  private static final int EMPTY = 60;

  /** Few files among many empty directories: /dN has 60 of them and one file of no bytes. */
  private static final class SparseTree implements ScrubNamespace {
    private int pages;

    @Override
    public Listing list(String path, String after) {
      pages++;
      List<Entry> entries = new ArrayList<>();
      if (path.equals("/")) {
        for (int i = 0; i < DIRECTORIES; i++) {
          entries.add(new Entry("d" + i, true, false));
        }
      } else if (path.lastIndexOf('/') == 0) {
        for (int i = 0; i < EMPTY; i++) {
          entries.add(new Entry("e" + i, true, false));
        }
        entries.add(new Entry("file", false, true));
      }
      return new Listing(entries, false);
    }

    @Override
    public List<ScrubTarget> groups(String file) {
      return Collections.emptyList();
    }

    @Override
    public Optional<byte[]> note(String path) {
      return Optional.empty();
    }

    @Override
    public void keepNote(String path, byte[] note) {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  void aStepListsFewPagesAlsoOfASparseTree() throws Exception {
    SparseTree tree = new SparseTree();
    ScrubPass pass = new ScrubPass(tree, "/", PassNote.NONE);
    int steps = 0;
    while (!pass.isDone()) {
      int before = tree.pages;
      pass.fill(0);
      pass.advance();
      int listed = tree.pages - before;
      assertTrue(listed < ScrubPass.PAGES_PER_STEP + TreeWalk.PAGES_PER_CALL,
          listed + " pages in one step");
      assertFalse(++steps > DIRECTORIES * EMPTY, "the pass does not end");
    }
    assertTrue(tree.pages > DIRECTORIES * EMPTY, tree.pages + " pages in all");
  }
}
