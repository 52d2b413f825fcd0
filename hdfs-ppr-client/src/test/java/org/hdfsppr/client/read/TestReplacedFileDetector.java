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

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.io.erasurecode.ECSchema;
import org.junit.jupiter.api.Test;

/** Tests what a stream takes for groups of its own file. Groups have the ids 1, 2 and so on. */
class TestReplacedFileDetector {
  private static final int CELL = 1 << 20;
  private static final long GROUP_BYTES = 6L * CELL;
  private static final ErasureCodingPolicy RS = policy("rs");
  private static final ErasureCodingPolicy OTHER = policy("hitchhiker-xorplus");

  private static ErasureCodingPolicy policy(String codec) {
    return new ErasureCodingPolicy(new ECSchema(codec, 6, 3), CELL);
  }

  private static LocatedBlock group(long id) {
    return new LocatedStripedBlock(new ExtendedBlock("BP-1", id, GROUP_BYTES, 1001),
        DatanodeInfo.EMPTY_ARRAY, null, null, new byte[0], 0, false, DatanodeInfo.EMPTY_ARRAY);
  }

  /** Returns an answer of the NameNode about a closed file. */
  private static LocatedBlocks closed(ErasureCodingPolicy policy, long... ids) {
    List<LocatedBlock> groups =
        LongStream.of(ids).mapToObj(TestReplacedFileDetector::group).collect(Collectors.toList());
    return new LocatedBlocks(GROUP_BYTES * ids.length, false, groups,
        groups.isEmpty() ? null : groups.get(groups.size() - 1), true, null, policy);
  }

  /** Returns an answer about a file whose first group is being written. */
  private static LocatedBlocks beingWritten(long id) {
    return new LocatedBlocks(0, true, List.of(), group(id), false, null, RS);
  }

  private static ReplacedFileDetector opened(LocatedBlocks located) {
    return new ReplacedFileDetector("/f", RS, located);
  }

  private static void assertConfirmed(ReplacedFileDetector file, LocatedBlocks now) {
    file.named(closed(RS, 2, 3), group(4));
    assertFalse(file.has(2) || file.has(3) || file.has(4), "nothing is known of them yet");
    assertDoesNotThrow(() -> file.confirm(now));
    assertTrue(file.has(2) && file.has(3) && file.has(4));
    assertDoesNotThrow(file::require);
  }

  private static void assertReplaced(ReplacedFileDetector file, LocatedBlocks now, String why) {
    file.named(closed(RS, 12), group(13));
    String sentence =
        assertThrows(UntrustedBytesException.class, () -> file.confirm(now)).getMessage();
    assertTrue(sentence.contains(why) && sentence.contains("open it anew"), sentence);
    assertFalse(file.has(12) || file.has(13), "groups of the other file");
    assertEquals(sentence,
        assertThrows(UntrustedBytesException.class, file::require).getMessage());
  }

  @Test
  void groupsThatWereNamedBeforeTheAnswerAreOfTheSameFile() {
    ReplacedFileDetector file = opened(closed(RS, 1));
    assertTrue(file.has(1));
    assertConfirmed(file, closed(RS, 1));
  }

  @Test
  void aFileThatWasConvertedIsAnother() {
    assertReplaced(opened(closed(RS, 1)), closed(OTHER, 11), "has " + OTHER.getName() + " now");
  }

  /** The policies alone tell, where the first group of a path is not known. */
  @Test
  void aFileWithAnotherPolicyIsAnother() {
    assertReplaced(opened(closed(RS)), closed(OTHER, 11), "has " + OTHER.getName() + " now");
    assertReplaced(opened(closed(RS, 1)), closed(OTHER, 1), "has " + OTHER.getName() + " now");
  }

  @Test
  void aReplicatedFileIsAnother() {
    assertReplaced(opened(closed(RS, 1)), closed(null, 1), "has none now");
  }

  /** After a conversion there and back, too. */
  @Test
  void aFileOfThePolicyWithAnotherFirstGroupIsAnother() {
    assertReplaced(opened(closed(RS, 1)), closed(RS, 11), "is another file");
  }

  @Test
  void anEmptyFileIsAnother() {
    assertReplaced(opened(closed(RS, 1)), closed(RS), "is another file");
  }

  @Test
  void aFileThatIsBeingWrittenFromTheStartIsAnother() {
    assertReplaced(opened(closed(RS, 1)), beingWritten(11), "is another file");
  }

  /** Answers do not list a group that is being written. */
  @Test
  void theGroupThatIsBeingWrittenMayBeTheFirst() {
    assertConfirmed(opened(beingWritten(1)), beingWritten(1));
    assertConfirmed(opened(beingWritten(1)), closed(RS, 1));
    assertReplaced(opened(beingWritten(1)), beingWritten(11), "is another file");
    assertReplaced(opened(beingWritten(1)), closed(RS, 11), "is another file");
    assertReplaced(opened(beingWritten(1)), closed(RS), "is another file");
  }

  /** A stream of an empty file has nothing that could be of another file. */
  @Test
  void anEmptyFileMayGrow() {
    assertConfirmed(opened(closed(RS)), closed(RS, 2));
  }

  /** A file that has taken the place of an empty one may have them. */
  @Test
  void groupsOfTheAnswerItselfAreNotTaken() {
    ReplacedFileDetector empty = opened(closed(RS));
    assertConfirmed(empty, closed(RS, 11));
    assertFalse(empty.has(11));
    ReplacedFileDetector file = opened(closed(RS, 1));
    assertConfirmed(file, closed(RS, 1, 12));
    assertFalse(file.has(12));
  }

  @Test
  void onlyAComparisonThatFailsIsRemembered() {
    ReplacedFileDetector file = opened(closed(RS, 1));
    assertDoesNotThrow(() -> file.check(() -> { }));
    assertDoesNotThrow(file::require);
    assertThrows(UntrustedBytesException.class, () -> file.check(() -> {
      throw new UntrustedBytesException("as the test says", null);
    }));
    assertThrows(UntrustedBytesException.class, file::require);
  }
}
