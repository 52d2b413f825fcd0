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
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.hdfsppr.client.read.UnitPiece.ByteRace;
import org.junit.jupiter.api.Test;

/**
 * Tests which way of a race gets to deliver the bytes, and which exception results if no way can.
 */
class TestByteRace {
  private final ByteRace race = new ByteRace();
  private final IOException one = new IOException("one");
  private final IOException two = new IOException("two");

  private IOException failure() {
    return assertThrows(IOException.class, () -> BoundedWait.get(race.bytes(), 0));
  }

  @Test
  void eachWayIsTakenOnce() {
    assertTrue(race.beginDirect());
    assertFalse(race.beginDirect());
    assertTrue(race.isDirectOnly());
    assertTrue(race.beginRebuild());
    assertFalse(race.beginRebuild());
    assertFalse(race.isDirectOnly());
  }

  @Test
  void theFirstWins() throws Exception {
    race.beginDirect();
    race.beginRebuild();
    ByteBuffer first = ByteBuffer.allocate(1);
    assertTrue(race.won(first));
    assertFalse(race.won(ByteBuffer.allocate(2)));
    race.lost(one);
    assertSame(first, BoundedWait.get(race.bytes(), 0));
  }

  @Test
  void aWayThatFailsLeavesTheOther() {
    race.beginDirect();
    race.beginRebuild();
    race.lost(one);
    assertFalse(race.isOver());
    race.lost(two);
    assertTrue(race.isOver());
    assertSame(one, failure());
    assertEquals(two, one.getSuppressed()[0]);
  }

  @Test
  void bytesThatMustNotBeTrustedAreTheReason() {
    UntrustedBytesException doubt = new UntrustedBytesException("contradiction", null);
    race.beginDirect();
    race.beginRebuild();
    race.lost(one);
    race.lost(doubt);
    assertSame(doubt, failure());
    assertSame(doubt, race.doubt().orElseThrow());
    assertEquals(one, doubt.getSuppressed()[0]);
  }

  @Test
  void aDirectWayIsNoUseOnceItIsOver() {
    race.beginRebuild();
    race.abort(one);
    assertFalse(race.beginDirect());
  }
}
