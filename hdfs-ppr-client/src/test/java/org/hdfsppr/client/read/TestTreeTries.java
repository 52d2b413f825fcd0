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
package org.hdfsppr.client.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.hdfsppr.client.read.TreeRebuild.TreeTries;
import org.junit.jupiter.api.Test;

/** Tests how many trees a read tries. */
class TestTreeTries {
  private static int rest(TreeTries tries) {
    int rest = 0;
    while (tries.next()) {
      rest++;
    }
    return rest;
  }

  @Test
  void eachFailedTreeCounts() {
    assertEquals(TreeTries.TREES_MOST, rest(new TreeTries()));
  }

  /** A node of an older version has not failed. */
  @Test
  void aTreeWhoseNarrowLinksAreRefusedDoesNotCount() {
    TreeTries tries = new TreeTries();
    assertTrue(tries.next());
    assertTrue(tries.mayBeNarrow());
    tries.narrowRefused();
    assertFalse(tries.mayBeNarrow());
    tries.narrowRefused();
    assertEquals(TreeTries.TREES_MOST, rest(tries), "only once");
  }
}
