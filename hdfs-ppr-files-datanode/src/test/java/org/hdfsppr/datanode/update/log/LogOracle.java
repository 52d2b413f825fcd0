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
package org.hdfsppr.datanode.update.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.update.append.UnitId;

/** What a log has to hold after a row of steps, kept as plain lists. */
@InterfaceAudience.Private
final class LogOracle {
  /** An update, or the begin of a term, or a trim. */
  interface Step {
    void apply(LogOracle oracle);
  }

  /** An update in the oracle's list. */
  private static final class Write {
    private final long sequence;
    private final long epoch;
    private final int offset;
    private final byte[] data;

    Write(long sequence, long epoch, int offset, byte[] data) {
      this.sequence = sequence;
      this.epoch = epoch;
      this.offset = offset;
      this.data = data;
    }
  }

  /** A unit in the oracle. */
  private static final class Unit {
    private final List<Write> writes = new ArrayList<>();
    private long term;
    private long last;
  }

  private final Map<String, Unit> units = new TreeMap<>();

  static Step begin(UnitId id, long term, boolean anew, long after) {
    return oracle -> {
      Unit unit = oracle.unit(id);
      unit.term = term;
      if (anew) {
        unit.writes.clear();
        unit.last = after;
      }
    };
  }

  static Step append(UnitId id, long term, long sequence, long epoch, int offset, byte[] data) {
    return oracle -> {
      Unit unit = oracle.unit(id);
      unit.term = term;
      unit.last = sequence;
      unit.writes.add(new Write(sequence, epoch, offset, data));
    };
  }

  static Step trim(UUID file, long epoch) {
    return oracle -> oracle.units.forEach((id, unit) -> {
      if (id.contains(file.toString())) {
        unit.writes.removeIf(write -> write.epoch <= epoch);
      }
    });
  }

  static LogOracle after(List<Step> steps, int count) {
    LogOracle oracle = new LogOracle();
    steps.subList(0, count).forEach(step -> step.apply(oracle));
    return oracle;
  }

  private Unit unit(UnitId id) {
    return units.computeIfAbsent(id.toString(), any -> new Unit());
  }

  long term(UnitId id) {
    return unit(id).term;
  }

  long last(UnitId id) {
    return unit(id).last;
  }

  /** Puts the updates up to a number over a block. */
  void overlay(UnitId id, long shown, byte[] block) {
    for (Write write : unit(id).writes) {
      if (write.sequence <= shown) {
        System.arraycopy(write.data, 0, block, write.offset, write.data.length);
      }
    }
  }

  /** Checks that a log holds the same. */
  void check(UpdateLog log, Iterable<UnitId> ids, String what) throws IOException {
    for (UnitId id : ids) {
      Unit unit = unit(id);
      Optional<UnitState> state = log.state(id);
      if (state.isPresent()) {
        assertEquals(unit.term, state.get().term, what);
        assertEquals(unit.last, state.get().last, what);
      } else {
        assertTrue(log.floor() >= unit.term, what);
      }
      List<LogEntry> entries = log.entries(id, 0, Integer.MAX_VALUE);
      assertEquals(unit.writes.size(), entries.size(), what + " " + id);
      for (int i = 0; i < entries.size(); i++) {
        Write write = unit.writes.get(i);
        assertEquals(write.sequence, entries.get(i).sequence, what);
        assertEquals(write.epoch, entries.get(i).epoch, what);
        assertEquals(write.offset, entries.get(i).offset, what);
        assertArrayEquals(write.data, log.read(entries.get(i)), what);
      }
    }
  }

  /** As {@link #check}, for an overlay. */
  void checkOverlay(UpdateLog log, UnitId id, long shown, byte[] block, int from, int to,
      String what) throws IOException {
    byte[] seen = block.clone();
    log.overlay(id, from, ByteBuffer.wrap(seen, from, to - from));
    byte[] expected = block.clone();
    overlay(id, shown, expected);
    System.arraycopy(block, 0, expected, 0, from);
    System.arraycopy(block, to, expected, to, block.length - to);
    assertArrayEquals(expected, seen, what);
  }
}
