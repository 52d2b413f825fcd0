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
package org.hdfsppr.plan;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.code.RepairEquation;
import org.hdfsppr.coder.code.RepairOption;
import org.hdfsppr.coder.code.SubChunk;
import org.hdfsppr.coder.gf.GfMatrix;

/** The codeword of a {@link LinearCode}: block i is unit i of the code. */
@InterfaceAudience.Private
public final class CodedBlocks implements Codeword {
  private final GroupSnapshot snapshot;
  private final LinearCode code;
  private final int[] lost;

  /**
   * @param snapshot the blocks and their holders; the caller has left out the holders that the
   *     planner must not use
   * @param code the code, with the snapshot's k and m
   * @throws IllegalArgumentException if the code has another k or m
   */
  public CodedBlocks(GroupSnapshot snapshot, LinearCode code) {
    this.snapshot = Objects.requireNonNull(snapshot, "snapshot");
    this.code = Objects.requireNonNull(code, "code");
    this.lost = snapshot.targets.stream().mapToInt(holder -> holder.unit).toArray();
    if (code.dataUnits() != snapshot.dataUnits() || code.parityUnits() != snapshot.parityUnits()) {
      throw new IllegalArgumentException("Block group " + snapshot.id() + " has k="
          + snapshot.dataUnits() + ", m=" + snapshot.parityUnits() + ", its code " + code.name()
          + " has k=" + code.dataUnits() + ", m=" + code.parityUnits());
    }
  }

  @Override
  public String name() {
    return code.name();
  }

  @Override
  public GroupSnapshot snapshot() {
    return snapshot;
  }

  @Override
  public int subChunks() {
    return code.subChunks();
  }

  @Override
  public List<SubChunk> subChunksOf(int... units) {
    return code.subChunksOf(units);
  }

  @Override
  public List<RepairOption> recipes(int... available) {
    return code.repairOptions(lost, available);
  }

  @Override
  public Optional<RepairEquation> solve(List<SubChunk> available) {
    return code.solve(lost, available);
  }

  @Override
  public List<Optional<GfMatrix>> express(List<SubChunk> wanted, List<SubChunk> others) {
    return code.express(wanted, others);
  }

  @Override
  public Optional<Codeword> remainder() {
    return code.remainderCode().map(remainder -> new CodedBlocks(snapshot, remainder));
  }
}
