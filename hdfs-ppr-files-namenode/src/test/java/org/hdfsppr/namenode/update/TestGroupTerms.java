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
package org.hdfsppr.namenode.update;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The terms of a group as the bytes of an attribute. */
class TestGroupTerms {
  private static final UnitTerm FIRST = new UnitTerm(0, 7, 0, List.of("a", "b"), List.of(),
      List.of("a", "b"), 1);
  private static final UnitTerm LATER = new UnitTerm(4, 9, 6, List.of("c", "d", "e"),
      List.of("c", "f"), List.of("c", "e"), 3);

  private static void assertSame(UnitTerm expected, UnitTerm term) {
    assertEquals(expected.toString(), term.toString());
    assertEquals(expected.history, term.history);
    assertEquals(expected.heirs, term.heirs);
    assertEquals(expected.epoch, term.epoch);
  }

  @Test
  void termsAreReadAsTheyWereWritten() throws IOException {
    GroupTerms read = GroupTerms.parse(new GroupTerms(-1600, List.of(LATER, FIRST)).toBytes());
    assertEquals(-1600, read.blockGroup);
    assertEquals(2, read.all().size());
    assertSame(FIRST, read.unit(0));
    assertSame(LATER, read.unit(4));
  }

  /** Records of the version that knew no heirs, which let leaders only go on. */
  @Test
  void recordsWithoutHeirsAreRead() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeByte(2);
    out.writeLong(-1600);
    out.writeByte(2);
    for (UnitTerm term : List.of(FIRST, LATER)) {
      out.writeByte(term.unit);
      out.writeLong(term.term);
      out.writeLong(term.previous);
      out.writeLong(term.epoch);
      for (List<String> nodes : List.of(term.holders, term.history)) {
        out.writeByte(nodes.size());
        for (String node : nodes) {
          out.writeUTF(node);
        }
      }
    }
    GroupTerms read = GroupTerms.parse(bytes.toByteArray());
    assertSame(FIRST, read.unit(0));
    assertEquals(List.of("c"), read.unit(4).heirs);
    assertEquals(LATER.history, read.unit(4).history);
  }

  @Test
  void whatIsNoRecordIsRefused() {
    byte[] right = new GroupTerms(-1600, List.of(LATER)).toBytes();
    assertThrows(IOException.class, () -> GroupTerms.parse(new byte[0]));
    assertThrows(IOException.class, () ->
        GroupTerms.parse(Arrays.copyOf(right, right.length - 1)));
    assertThrows(IOException.class, () ->
        GroupTerms.parse(Arrays.copyOf(right, right.length + 1)));
    byte[] leaderIsNoHeir = right.clone();
    leaderIsNoHeir[right.length - 1] = 4;
    assertTrue(assertThrows(IOException.class, () -> GroupTerms.parse(leaderIsNoHeir))
        .getMessage().contains("contradicts itself"));
    byte[] newer = right.clone();
    newer[0] = 4;
    assertTrue(assertThrows(IOException.class, () -> GroupTerms.parse(newer)).getMessage()
        .contains("format 4, which a newer hdfs-ppr may have written"));
  }
}
