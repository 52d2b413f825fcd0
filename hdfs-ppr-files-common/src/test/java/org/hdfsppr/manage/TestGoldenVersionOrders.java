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

import static org.hdfsppr.manage.SampleHeartbeats.CELL;
import static org.hdfsppr.manage.SampleHeartbeats.DATA_BYTES;
import static org.hdfsppr.manage.SampleHeartbeats.GROUP;
import static org.hdfsppr.manage.SampleHeartbeats.MADE;
import static org.hdfsppr.manage.SampleHeartbeats.least;
import static org.hdfsppr.manage.SampleHeartbeats.listed;
import static org.hdfsppr.manage.SampleHeartbeats.node;
import static org.hdfsppr.manage.SampleHeartbeats.ordering;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.digest.DigestKey;
import org.hdfsppr.manage.version.LinkCommand;
import org.hdfsppr.manage.version.LogPart;
import org.hdfsppr.manage.version.MakeCommand;
import org.hdfsppr.manage.version.PatchCommand;
import org.hdfsppr.manage.version.PatchSource;
import org.hdfsppr.manage.version.proto.VersionProtos.PatchProto;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.UnitHolder;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.update.append.UpdateTicket;
import org.junit.jupiter.api.Test;

/** The bytes of orders for versions of files. */
@InterfaceAudience.Private
class TestGoldenVersionOrders {
  private static LinkCommand links(String id) {
    return new LinkCommand(id, 5, List.of(
        new LinkCommand.Link(GROUP.block(0, 2 * CELL), MADE.block(0, 2 * CELL)),
        new LinkCommand.Link(GROUP.block(2, CELL), MADE.block(2, CELL))), 1_000);
  }

  private static List<BlockRef> digested() {
    return List.of(GROUP.block(0, 2 * CELL), GROUP.block(1, CELL));
  }

  @Test
  void linksAndMakings() throws Exception {
    SampleHeartbeats heartbeats = new SampleHeartbeats("version/orders");
    heartbeats.call("links", least(), ordering(links("links"), links("watching").watchingOld()));
    heartbeats.call("digests", least(), ordering(
        LinkCommand.digests("plain", 5, digested(), DigestKey.plain(-7), MakeCommand.UNLIMITED,
            1_000),
        LinkCommand.digests("folded", 5, digested(), DigestKey.folded(8), 1 << 20, 1_000)));
    heartbeats.call("makings", least(), ordering(
        new MakeCommand(listed("make"), MakeCommand.UNLIMITED),
        new MakeCommand(listed("paced"), 1 << 20).withDigestKey(DigestKey.plain(-7)),
        new MakeCommand(listed("folded"), 1 << 20).withDigestKey(DigestKey.folded(8))));
    heartbeats.check();
  }

  private static PatchProto.Builder rest(int unit, Map<Long, Long> ranges) {
    return PatchCommand.of(GROUP, MADE, DATA_BYTES, unit, ranges).setCodec("rs").setDataUnits(3)
        .setParityUnits(2).setCellBytes(CELL).setDeadlineMs(1_000);
  }

  private static LogPart log(int unit) {
    UpdateTicket ticket = new UpdateTicket(new UnitId(new UUID(1, 2), 4, unit),
        GROUP.block(unit, 2 * CELL), 9,
        7, 3, List.of(node(1), node(2))).ofVersion(2);
    return new LogPart(unit == 0 ? ticket.withDeltas().withOldBytes().withSeal() : ticket, 11, 15);
  }

  private static PatchSource changed(int unit, Map<Long, Long> summed,
      Map<Long, Long> forwarded, Map<Long, Long> collected) {
    return PatchSource.changed(unit, node(unit), unit == 2 ? 0 : PatchSource.DIRECT, summed,
        forwarded, collected);
  }

  @Test
  void patches() throws Exception {
    SampleHeartbeats heartbeats = new SampleHeartbeats("version/patches");
    Map<Long, Long> first = Map.of(0L, 5L);
    Map<Long, Long> second = Map.of(5L, 10L);
    PatchSource unchanged = PatchSource.unchanged(1, node(1));
    PatchSource last = changed(2, Map.of(0L, 10L), Map.of(), Map.of());
    heartbeats.call("patches", least(), ordering(
        new PatchCommand("data", 5, rest(1, Map.of(0L, 10L, 512L, 600L)), log(1), List.of()),
        new PatchCommand("digest", 5, rest(0, Map.of(0L, 10L)), log(0).withDigestSeed(-7),
        List.of()),
        new PatchCommand("forwarded", 5, rest(4, Map.of(0L, 10L))
        .setForwarder(PatchCommand.keeper(new UnitHolder(3, node(3)))), null,
        List.of(changed(0, first, second, Map.of()).withLog(log(0).withDigest(-5, -6)), unchanged,
        last)),
        new PatchCommand("collected", 5, rest(4, Map.of(0L, 10L))
        .setCollector(PatchCommand.keeper(new UnitHolder(3, node(3)))), null,
        List.of(changed(0, first, Map.of(), second), unchanged, last)),
        new PatchCommand("plain", 5, rest(4, Map.of(0L, 10L)), null,
        List.of(changed(0, Map.of(0L, 10L), Map.of(), Map.of())))));
    heartbeats.check();
  }
}
