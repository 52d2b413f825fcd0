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
package org.hdfsppr.client.files.column;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.security.AccessControlException;
import org.hdfsppr.column.ColumnProtocol;
import org.hdfsppr.column.SquareBlocks;
import org.hdfsppr.plan.GroupId;
import org.junit.jupiter.api.Test;

/** A client remembers answers for a while, and leaves a NameNode alone that does not answer. */
class TestColumnCache {
  private static final List<LocatedBlock> BLOCKS = List.of(
      new LocatedBlock(new ExtendedBlock("pool", -16, 5, 7), new DatanodeInfo[0]));

  private final List<Integer> asked = new ArrayList<>();
  private IOException failure;
  private List<LocatedBlock> answer = BLOCKS;
  private long now = 42;
  private final ColumnCache columns = new ColumnCache(new ColumnProtocol() {
    @Override
    public List<LocatedBlock> column(GroupId group, int unit) throws IOException {
      asked.add(unit);
      if (failure != null) {
        throw failure;
      }
      return answer;
    }

    @Override
    public Optional<SquareBlocks> square(long blockGroup) {
      throw new AssertionError("readers ask for no squares");
    }
  }, () -> now);

  private static GroupId group(long id) {
    return new GroupId("pool", id, 3);
  }

  @Test
  void aColumnIsUsedForFiveSeconds() {
    assertEquals(BLOCKS, columns.of(group(-32), 1));
    assertEquals(BLOCKS, columns.of(group(-32), 1));
    assertEquals(List.of(1), asked);
    columns.of(group(-32), 2);
    columns.of(group(-48), 1);
    assertEquals(3, asked.size(), "other units are asked for");
    now += TimeUnit.SECONDS.toNanos(5);
    columns.of(group(-32), 1);
    assertEquals(4, asked.size());
    columns.forget(group(-32), 1);
    columns.of(group(-32), 1);
    assertEquals(5, asked.size());
  }

  /** The NameNode may have heard that a block of the column is wrong. */
  @Test
  void aColumnThatMayNotBeReadAnyMoreIsNotRead() throws IOException {
    assertEquals(BLOCKS, columns.ofOnlyWay(group(-32), 1));
    answer = List.of();
    now += TimeUnit.SECONDS.toNanos(5);
    assertEquals(List.of(), columns.ofOnlyWay(group(-32), 1));
    assertEquals(List.of(), columns.of(group(-32), 1));
    assertEquals(2, asked.size());
    now += TimeUnit.SECONDS.toNanos(59);
    assertEquals(List.of(), columns.of(group(-32), 1));
    assertEquals(2, asked.size(), "that there is none is remembered for longer");
  }

  /** While the NameNode is silent, a remembered column may have become wrong. */
  @Test
  void aSilentNameNodeLetsNoOldColumnBeRead() throws IOException {
    assertEquals(BLOCKS, columns.ofOnlyWay(group(-32), 1));
    failure = new IOException("Connection refused");
    assertEquals(BLOCKS, columns.ofOnlyWay(group(-32), 1));
    now += TimeUnit.SECONDS.toNanos(5);
    assertThrows(IOException.class, () -> columns.ofOnlyWay(group(-32), 1));
  }

  @Test
  void aRefusalIsRememberedForItsUnitOnly() {
    failure = new AccessControlException("not yours");
    assertEquals(List.of(), columns.of(group(-32), 1));
    assertEquals(List.of(), columns.of(group(-32), 1));
    assertEquals(1, asked.size());
    failure = null;
    assertEquals(BLOCKS, columns.of(group(-48), 1));
  }

  @Test
  void aSilentNameNodeIsLeftAloneForAMinute() {
    failure = new IOException("Connection refused");
    assertEquals(List.of(), columns.of(group(-32), 1));
    assertEquals(List.of(), columns.of(group(-48), 1));
    assertEquals(1, asked.size());
    failure = null;
    now += TimeUnit.SECONDS.toNanos(60);
    assertEquals(BLOCKS, columns.of(group(-48), 1));
  }

  @Test
  void aBusyNameNodeIsAskedAgain() {
    failure = new RetriableException("busy");
    assertEquals(List.of(), columns.of(group(-32), 1));
    assertEquals(List.of(), columns.of(group(-48), 1));
    assertEquals(1, asked.size(), "the other unit did not wait for it, too");
    failure = null;
    now += TimeUnit.SECONDS.toNanos(5);
    assertEquals(BLOCKS, columns.of(group(-32), 1));
  }

  @Test
  void aBusyNameNodeIsAskedWhereItIsTheOnlyWay() throws IOException {
    failure = new RetriableException("busy");
    assertEquals(List.of(), columns.of(group(-32), 1));
    failure = null;
    assertEquals(List.of(), columns.of(group(-32), 1), "it is left alone");
    assertEquals(BLOCKS, columns.ofOnlyWay(group(-32), 1));
    assertEquals(BLOCKS, columns.of(group(-32), 1), "the answer is remembered");
    assertEquals(2, asked.size());
  }

  @Test
  void aSilentNameNodeIsAskedAFewTimesWhereItIsTheOnlyWay() throws IOException {
    failure = new IOException("Connection refused");
    assertSame(failure, assertThrows(IOException.class, () -> columns.ofOnlyWay(group(-32), 1)));
    assertEquals(3, asked.size());
    IOException next =
        assertThrows(IOException.class, () -> columns.ofOnlyWay(group(-48), 1));
    assertSame(failure, next.getCause());
    assertEquals(3, asked.size(), "the next range does not wait, too");
    failure = null;
    now += TimeUnit.SECONDS.toNanos(5);
    assertEquals(BLOCKS, columns.ofOnlyWay(group(-48), 1));
    assertEquals(BLOCKS, columns.ofOnlyWay(group(-32), 1));
    assertEquals(5, asked.size());
  }

  @Test
  void noColumnIsAskedForAgainSoonerWhereItIsTheOnlyWay() throws IOException {
    answer = List.of();
    assertEquals(List.of(), columns.of(group(-32), 1));
    assertEquals(List.of(), columns.ofOnlyWay(group(-32), 1));
    assertEquals(1, asked.size());
    answer = BLOCKS;
    now += TimeUnit.SECONDS.toNanos(5);
    assertEquals(List.of(), columns.of(group(-32), 1));
    assertEquals(BLOCKS, columns.ofOnlyWay(group(-32), 1));
    assertEquals(2, asked.size());
  }

  @Test
  void aRefusalIsSaidWhereItIsTheOnlyWay() {
    failure = new AccessControlException("not yours");
    assertSame(failure, assertThrows(AccessControlException.class,
        () -> columns.ofOnlyWay(group(-32), 1)));
    assertEquals(1, asked.size());
  }

  @Test
  void oldAnswersAreForgotten() {
    for (int i = 1; i <= 1001; i++) {
      columns.of(group(-16 * i), 0);
    }
    columns.of(group(-16 * 1001), 0);
    assertEquals(1001, asked.size());
    columns.of(group(-16), 0);
    assertEquals(1002, asked.size(), "the first answer was replaced");
  }
}
