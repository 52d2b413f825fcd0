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
package org.hdfsppr.manage;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.StorageType;
import org.hdfsppr.conf.Pressure;
import org.hdfsppr.manage.proto.ManagerProtos.HeartbeatResponseProto;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.wire.FailureCause;

/** Makes random heartbeats and answers that cover every field. */
@InterfaceAudience.Private
final class RandomHeartbeats {
  private static final String POOL = "BP-1";
  private static final int UNITS = 9;

  private final Random random;

  RandomHeartbeats(Random random) {
    this.random = random;
  }

  HeartbeatRequest request() {
    List<RunningRepair> running = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      running.add(new RunningRepair(id(), number(), random.nextLong(), number(),
          random.nextInt(101)));
    }
    List<RepairResult> results = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      results.add(result());
    }
    List<ReadGroup> read = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      read.add(new ReadGroup(-16L * (1 + random.nextInt(1000)), number()));
    }
    return new HeartbeatRequest(1 + random.nextInt(3), "0.1", node(), number(), load(), running,
        results).withResident(resident()).withReadDegraded(read).withSelfReport(selfReport());
  }

  private SelfReport selfReport() {
    if (random.nextInt(4) == 0) {
      return SelfReport.NONE;
    }
    NodeSelf self = random.nextBoolean() ? null : new NodeSelf("3.4.3", "17.0.9",
        random.nextBoolean() ? "java" : "isal", random.nextBoolean() ? "" : "no library",
        random.nextBoolean() ? Map.of() : Map.of("dfs.datanode.ppr.address", "0.0.0.0:9877",
            "dfs.ppr.kernel", ""),
        random.nextBoolean() ? List.of()
            : List.of(new OwnJar("lib/hdfs-ppr.jar", "0.2.0"), new OwnJar("lib/old.jar", "")));
    return new SelfReport(random.nextBoolean() ? SelfReport.NO_CLOCK : number(), self,
        random.nextBoolean() ? List.of() : List.of("uuid-1", "uuid-2"));
  }

  private RepairResult result() {
    if (random.nextInt(4) == 0) {
      return RepairResult.ofScrub(id(), number(), finding(),
          random.nextBoolean() ? "" : "unit 4 is wrong", number());
    }
    RepairResult result = new RepairResult(id(), number(),
        RepairOutcome.values()[random.nextInt(RepairOutcome.values().length)],
        random.nextBoolean() ? List.of(0, 15) : List.of(), number(), number())
        .withFailure(random.nextBoolean() ? null : "uuid-" + random.nextInt(),
            random.nextBoolean() ? null
                : FailureCause.values()[random.nextInt(FailureCause.values().length)],
            random.nextBoolean() ? "" : "m\u00fcde")
        .withLeftOut(random.nextBoolean() ? List.of() : List.of("uuid-7", "uuid-8"),
            random.nextBoolean())
        .withReadUnits(random.nextBoolean() ? List.of() : List.of(0, 3, 15));
    return random.nextBoolean() ? result : result.asUndecided();
  }

  private ScrubFinding finding() {
    ScrubOutcome outcome = ScrubOutcome.values()[random.nextInt(ScrubOutcome.values().length)];
    return new ScrubFinding(outcome, outcome == ScrubOutcome.CONTRADICTION && random.nextBoolean()
        ? random.nextInt(16) : ScrubFinding.NO_UNIT,
        random.nextBoolean() ? List.of() : List.of("uuid-5", "uuid-6"), number());
  }

  private NodeLoad load() {
    NodeLoad load = new NodeLoad(random.nextInt(100), random.nextInt(100), random.nextInt(100),
        number(), number(), random.nextInt(4096))
        .withMachine(random.nextInt(102) - 1, random.nextBoolean() ? NodeLoad.UNKNOWN : number(),
            random.nextBoolean() ? NodeLoad.UNKNOWN : number());
    load = load.withLimits(random.nextBoolean() ? NodeLoad.UNLIMITED : Math.max(1, number()),
        random.nextBoolean() ? NodeLoad.UNLIMITED : Math.max(1, number()));
    if (random.nextBoolean()) {
      load = load.withRepairRates(new RepairRates(number(), number(), number(), number()));
    }
    return random.nextBoolean() ? load
        : load.withDisks(random.nextInt(101), Math.max(1, number()));
  }

  private ResidentBlocks resident() {
    List<Long> ids = Arrays.asList(random.nextLong(), -1L);
    switch (random.nextInt(3)) {
      case 0:
        return ResidentBlocks.all(ids);
      case 1:
        return ResidentBlocks.changed(ids, Arrays.asList(Long.MIN_VALUE));
      default:
        return ResidentBlocks.unchanged();
    }
  }

  HeartbeatResponse response() {
    HeartbeatResponseProto.Builder builder = random.nextBoolean()
        ? HeartbeatResponse.active(number(), POOL) : HeartbeatResponse.inactive(number(), POOL);
    for (int i = random.nextInt(4); i > 0; i--) {
      builder.addAcknowledged(id());
    }
    List<ManagerCommand> commands = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      commands.add(repair());
    }
    for (int i = random.nextInt(4); i > 0; i--) {
      commands.add(new CancelCommand(id(), number(), "because"));
    }
    for (int i = random.nextInt(3); i > 0; i--) {
      commands.add(scrub());
    }
    if (random.nextBoolean()) {
      builder.setWantsAllResident(true);
    }
    if (random.nextBoolean()) {
      builder.setIgnoresResident(true);
    }
    if (random.nextBoolean()) {
      builder.setWantsSelf(true);
    }
    if (random.nextBoolean()) {
      builder.setOrderWaitMs(1 + random.nextInt(HeartbeatResponse.ORDER_WAIT_MS_MAX));
    }
    if (random.nextBoolean()) {
      builder.setPressurePercent(
          Pressure.LEAST + random.nextInt(Pressure.URGENT - Pressure.LEAST + 1))
          .setLinkBytesPerS(1 + (random.nextLong() >>> 2));
    }
    return new HeartbeatResponse(builder, commands);
  }

  RepairCommand repair() {
    List<UnitHolder> live = new ArrayList<>();
    List<CommandTarget> targets = new ArrayList<>();
    int lost = 1 + random.nextInt(3);
    for (int unit = 0; unit < UNITS; unit++) {
      if (unit < lost) {
        targets.add(new CommandTarget(unit, node(), "DS-" + random.nextInt(),
            random.nextBoolean() ? StorageType.DISK : StorageType.SSD));
      } else {
        live.add(new UnitHolder(unit, node()));
      }
    }
    return new RepairCommand(RepairCommand.of(id(), number(),
        new GroupId(POOL, -16L * (1 + random.nextInt(1000)), random.nextInt(5000)),
        6 * (1L << 20) + random.nextInt(1 << 30)).setCodec("rs").setDataUnits(6).setParityUnits(3)
        .setCellBytes(1 << 20).setTopology("chain").setByDecoding(random.nextBoolean())
        .setUrgent(random.nextBoolean()).setDoubted(random.nextBoolean())
        .setDeadlineMs(1 + random.nextInt(100_000)), List.of(), live, targets);
  }

  ScrubCommand scrub() {
    List<UnitHolder> holders = new ArrayList<>();
    for (int unit = UNITS - 1; unit >= 0; unit--) {
      if (unit < 2 || random.nextInt(4) > 0) {
        holders.add(new UnitHolder(unit, node()));
      }
    }
    return new ScrubCommand(id(), number(), ScrubCommand.of(
        new GroupId(POOL, -16L * (1 + random.nextInt(1000)), random.nextInt(5000)),
        6 * (1L << 20) + random.nextInt(1 << 30)).setCodec("rs").setDataUnits(6).setParityUnits(3)
        .setCellBytes(1 << 20)
        .setBytesPerS(ScrubCommand.BYTES_PER_SECOND_MIN + random.nextInt(1 << 30))
        .setDeadlineMs(1 + random.nextInt(100_000)), holders);
  }

  private NodeRef node() {
    int number = random.nextInt(Integer.MAX_VALUE);
    return new NodeRef("uuid-" + number, "10.0.0.1", "node\u00fc" + number,
        random.nextInt(0x10000), random.nextInt(0x10000), "/rack" + random.nextInt(3));
  }

  private String id() {
    return "repair-" + random.nextInt();
  }

  private long number() {
    return random.nextLong() >>> 1 + random.nextInt(60);
  }
}
