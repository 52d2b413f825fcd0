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
package org.hdfsppr.namenode.manage.charge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.apache.hadoop.hdfs.server.namenode.FilesRecords;
import org.junit.jupiter.api.Test;

/** Tests when a NameNode that cannot read records of files leaves all repairs to stock. */
class TestUnreadRecords {
  private FilesRecords now = FilesRecords.NONE;
  private int looks;
  private final UnreadRecords records = new UnreadRecords(() -> {
    looks++;
    if (now == null) {
      throw new IllegalStateException("a look that fails");
    }
    return now;
  });

  @Test
  void versionsAndUpdatesForbidRepairsUntilTheyAreGone() {
    now = new FilesRecords(12, 3, 0, 0);
    assertEquals(Optional.empty(), records.refusal(false, 0), "a standby does not look");
    String why = records.refusal(true, 1_000).orElseThrow();
    assertTrue(why.startsWith("/.hdfs-ppr has 12 versions of files and 3 records of updates"), why);
    assertTrue(why.contains("hdfs-ppr-install --role namenode --with-files"), why);
    now = FilesRecords.NONE;
    assertTrue(records.refusal(true, 60_999).isPresent(), "a look holds for a minute");
    assertEquals(1, looks);
    assertEquals(Optional.empty(), records.refusal(true, 61_000));
    assertEquals(2, looks);
    assertEquals(Optional.empty(), records.refusal(true, 200_000));
    assertEquals(2, looks, "nothing is looked at again while nothing forbids repairs");
  }

  @Test
  void updatesAloneForbidRepairs() {
    now = new FilesRecords(0, 1, 0, 0);
    assertTrue(records.refusal(true, 0).isPresent());
  }

  /** Another NameNode may have written records while it was active. */
  @Test
  void eachFailoverLooksAgain() {
    assertEquals(Optional.empty(), records.refusal(true, 0));
    assertEquals(Optional.empty(), records.refusal(false, 10));
    now = new FilesRecords(1, 0, 0, 0);
    assertTrue(records.refusal(true, 20).isPresent());
    assertEquals(2, looks);
  }

  @Test
  void aLookThatFailsIsTriedAgain() {
    now = null;
    assertThrows(IllegalStateException.class, () -> records.refusal(true, 0));
    assertThrows(IllegalStateException.class, () -> records.refusal(true, 250));
    now = new FilesRecords(1, 0, 0, 0);
    assertTrue(records.refusal(true, 500).isPresent());
  }

  /** The claims of a standby are open, so that stock does not begin at the next failover. */
  @Test
  void aStandbyKnowsOfNoRecords() {
    now = new FilesRecords(1, 0, 7, 0);
    assertTrue(records.refusal(true, 0).isPresent());
    assertEquals(Optional.empty(), records.refusal(false, 250));
    assertEquals(0, records.core());
  }

  @Test
  void groupsOfCoreAndJobsForbidNothing() {
    now = new FilesRecords(0, 0, 5, 2);
    assertEquals(Optional.empty(), records.refusal(true, 0));
    assertEquals(5, records.core());
  }
}
