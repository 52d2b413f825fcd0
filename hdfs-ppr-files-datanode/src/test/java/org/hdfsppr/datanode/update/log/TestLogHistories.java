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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.update.append.UnitId;
import org.junit.jupiter.api.Test;

/**
 * Runs random histories against an oracle. If only the process ends, the log keeps all steps. If
 * the power fails, the log keeps all steps that were synced, and may keep some that followed them;
 * it loses none between two that it keeps.
 */
@InterfaceAudience.Private
class TestLogHistories {
  private static final int UNIT_BYTES = 6000;
  private static final List<UUID> FILES = List.of(new UUID(1, 1), new UUID(1, 2), new UUID(2, 1));
  private static final List<UnitId> UNITS = List.of(new UnitId(FILES.get(0), 0, 0),
      new UnitId(FILES.get(0), 0, 1), new UnitId(FILES.get(1), 3, 0),
      new UnitId(FILES.get(2), 0, 5));

  /** One history. */
  private static final class History {
    private final Random random;
    private final String name;
    private final boolean fails;
    private final List<LogOracle.Step> steps = new ArrayList<>();
    private final Map<UnitId, Long> shown = new HashMap<>();
    private final Map<UUID, Long> committed = new HashMap<>();
    private MemoryFolder folder = new MemoryFolder();
    private long boot = 1;
    private UpdateLog log;
    /** The steps that a loss of power must leave. */
    private int synced;
    private long terms;

    History(long seed, boolean fails) {
      random = new Random(seed);
      name = "-Dhistory.seed=" + seed;
      this.fails = fails;
    }

    private LogOracle oracle() {
      return LogOracle.after(steps, steps.size());
    }

    private UpdateLog open() throws IOException {
      return LogBed.open(folder, boot, new LogLimits(100_000, LogBed.SEGMENT_BYTES, 400));
    }

    void run() throws IOException {
      log = open();
      int count = 20 + random.nextInt(100);
      for (int i = 0; i < count; i++) {
        if (fails && random.nextInt(6) == 0) {
          folder.failAfter(random.nextInt(4), random.nextBoolean());
        }
        step();
      }
      folder.heal();
      restart(false);
      log.close();
      assertEquals(0, folder.open(), name + ": open files");
    }

    private void step() throws IOException {
      int kind = random.nextInt(20);
      UnitId unit = UNITS.get(random.nextInt(UNITS.size()));
      if (kind < 9) {
        append(unit);
      } else if (kind < 11) {
        begin(unit, random.nextInt(3) == 0);
      } else if (kind < 13) {
        sync();
      } else if (kind < 15) {
        trim(unit.file);
      } else if (kind < 18) {
        read(unit);
      } else if (kind < 19) {
        folder.heal();
        restart(random.nextBoolean());
      } else {
        folder.heal();
        oracle().check(log, UNITS, name);
      }
    }

    private void append(UnitId unit) throws IOException {
      if (!log.state(unit).isPresent()) {
        begin(unit, true);
        return;
      }
      int offset = random.nextInt(UNIT_BYTES);
      byte[] data = new byte[1 + random.nextInt(Math.min(700, UNIT_BYTES - offset))];
      random.nextBytes(data);
      long term = oracle().term(unit);
      long sequence = oracle().last(unit) + 1;
      long epoch = Math.max(log.state(unit).get().epochLeast(),
          committed.getOrDefault(unit.file, 0L) + 1 + random.nextInt(2));
      LogOracle.Step step = LogOracle.append(unit, term, sequence, epoch, offset, data);
      attempt(step, () -> {
        LogEntry entry = log.append(unit, term, epoch, offset, ByteBuffer.wrap(data));
        assertEquals(sequence, entry.sequence, name);
        assertEquals(epoch, entry.epoch, name);
      });
    }

    private void begin(UnitId unit, boolean anew) throws IOException {
      boolean isNew = anew || !log.state(unit).isPresent();
      terms++;
      long term = Math.max(terms, log.floor() + 1);
      terms = term;
      long after = isNew ? random.nextInt(5) : oracle().last(unit);
      attempt(LogOracle.begin(unit, term, isNew, after), () -> {
        log.begin(unit, term, after, after, isNew);
        if (isNew) {
          shown.remove(unit);
        }
      });
    }

    private void trim(UUID file) throws IOException {
      long epoch = committed.getOrDefault(file, 0L) + 1;
      attempt(LogOracle.trim(file, epoch), () -> {
        log.trim(file, epoch);
        committed.put(file, epoch);
      });
    }

    private void sync() throws IOException {
      int target = steps.size();
      attempt(null, () -> {
        log.sync(LogBed.WAIT_MS);
        synced = target;
      });
    }

    private void read(UnitId unit) throws IOException {
      folder.heal();
      if (random.nextBoolean()) {
        shown.put(unit, oracle().last(unit));
        log.show(unit, oracle().last(unit));
      }
      byte[] block = new byte[UNIT_BYTES];
      random.nextBytes(block);
      int from = random.nextInt(UNIT_BYTES);
      int to = from + random.nextInt(UNIT_BYTES - from + 1);
      oracle().checkOverlay(log, unit, shown.getOrDefault(unit, 0L), block, from, to, name);
    }

    /** A step of the log that may fail. */
    private interface Call {
      void run() throws IOException;
    }

    private void attempt(LogOracle.Step step, Call call) throws IOException {
      try {
        call.run();
        if (step != null) {
          steps.add(step);
        }
      } catch (LogFullException e) {
        assertTrue(log.bytes() > 80_000 || oracleRecords() > 350, name + ": " + e.getMessage());
        folder.heal();
        restart(false);
        for (UUID file : FILES) {
          trim(file);
        }
      } catch (UpdateLogException e) {
        assertTrue(folder.heal(), name + ": " + e);
        if (e instanceof LogFailedException && step != null) {
          // It is not known whether the log has the step.
          steps.add(step);
          restart(random.nextBoolean(), steps.size() - 1);
        } else if (e instanceof LogFailedException) {
          restart(random.nextBoolean());
        } else {
          restartIfFailed();
        }
      }
    }

    private int oracleRecords() {
      return UNITS.stream()
          .mapToInt(unit -> log.entries(unit, 0, Integer.MAX_VALUE).size()).sum() + 7;
    }

    private void restartIfFailed() throws IOException {
      try {
        log.sync(LogBed.WAIT_MS);
        synced = steps.size();
      } catch (LogFailedException e) {
        restart(random.nextBoolean());
      }
    }

    private void restart(boolean powerLoss) throws IOException {
      restart(powerLoss, steps.size());
    }

    /** Opens the log again, and finds out up to which step it goes. */
    private void restart(boolean powerLoss, int written) throws IOException {
      MemoryFolder lost = powerLoss ? folder.afterPowerLoss(random) : folder;
      log.close();
      folder = lost;
      boot += powerLoss ? 1 : 0;
      shown.clear();
      log = open();
      int least = powerLoss ? Math.min(synced, written) : written;
      AssertionError last = null;
      for (int count = steps.size(); count >= least; count--) {
        try {
          LogOracle.after(steps, count).check(log, UNITS, name);
          steps.subList(count, steps.size()).clear();
          synced = steps.size();
          return;
        } catch (AssertionError e) {
          last = last == null ? e : last;
        }
      }
      fail(name + ": none of the steps " + least + " to " + steps.size() + " is the last", last);
    }
  }

  private static void run(boolean fails, int histories) throws IOException {
    Long only = Long.getLong("history.seed");
    if (only != null) {
      new History(only, fails).run();
      return;
    }
    long first = fails ? 1_000_000 : 1;
    System.out.println("-Dhistory.seed=" + first + " to " + (first + histories - 1));
    for (int i = 0; i < histories; i++) {
      new History(first + i, fails).run();
    }
  }

  @Test
  void logHoldsWhatTheOracleHolds() throws IOException {
    run(false, 400);
  }

  @Test
  void failuresOfTheDiskLoseNothingThatWasAcknowledged() throws IOException {
    run(true, 400);
  }
}
