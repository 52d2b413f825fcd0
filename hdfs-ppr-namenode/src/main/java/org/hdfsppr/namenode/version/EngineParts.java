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
package org.hdfsppr.namenode.version;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.track.MadeGroups;

/** What all versions of an engine share. Immutable; its parts are thread-safe. */
@InterfaceAudience.Private
public final class EngineParts {
  final VersionNamespace namespace;
  final VersionStore store;
  final VersionDoor door;
  final VersionGate gate;
  final OrderDesk desk;
  final MadeGroups made;
  final ConversionBook codes;
  final VersionSettings settings;
  final ReadBook reads;
  final MovePacer pacer;
  final LinkLoads links = new LinkLoads();
  final CheckPlaces checks;
  final DigestPlaces digestPlaces;
  /** How many groups were read once more, because not all the digests that they asked for came. */
  final LongAdder withoutDigests = new LongAdder();
  final VersionHook hook;
  final LongSupplier clockMs;
  final LongSupplier wallClockMs;

  /**
   * @param namespace the door to the NameNode
   * @param store the directories of versions
   * @param door the way to the DataNodes
   * @param gate what the repair manager says
   * @param desk takes the DataNodes' results
   * @param made hears which groups are being made
   * @param codes the ways from code to code
   * @param settings the operator's settings
   * @param hook hears of the moments of versions
   * @param clockMs the time, monotonic, ms
   * @param wallClockMs the time, ms since 1970 (UTC)
   */
  public EngineParts(VersionNamespace namespace, VersionStore store, VersionDoor door,
      VersionGate gate, OrderDesk desk, MadeGroups made, ConversionBook codes,
      VersionSettings settings, VersionHook hook, LongSupplier clockMs,
      LongSupplier wallClockMs) {
    this.namespace = namespace;
    this.store = store;
    this.door = door;
    this.checks = new CheckPlaces(door);
    this.digestPlaces = new DigestPlaces(clockMs);
    this.gate = gate;
    this.desk = desk;
    this.reads = desk.reads;
    this.made = made;
    this.codes = codes;
    this.settings = settings;
    this.pacer = new MovePacer(settings.bytesPerSecond, settings.nodeBytesPerSecond);
    this.hook = hook;
    this.clockMs = clockMs;
    this.wallClockMs = wallClockMs;
  }

  /** Returns the rules by the codes and the doubts that there are. */
  VersionRules rules() {
    return new VersionRules(codes, gate::isDoubted);
  }
}
