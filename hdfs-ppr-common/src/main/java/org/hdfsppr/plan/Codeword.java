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
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.RepairEquation;
import org.hdfsppr.coder.code.RepairOption;
import org.hdfsppr.coder.code.SubChunk;
import org.hdfsppr.coder.gf.GfMatrix;

/**
 * Blocks that satisfy linear relations, and which of them are lost: the units of one striped group,
 * or a column of CORE, whose blocks are of different files. A planner asks it by which combinations
 * of available blocks the lost ones can be repaired, and which relation checks the result. Who made
 * the equations is of no interest to planner, requests, streams and replicas. Immutable.
 *
 * <p>Blocks are counted as in {@link #snapshot}; each has {@link #subChunks} parts.
 */
@InterfaceAudience.Private
public interface Codeword {
  /** What logs call the relations, such as {@code rs-6-3}. */
  String name();

  /** The blocks and their lengths, the nodes that hold them, and those to rebuild. */
  GroupSnapshot snapshot();

  /** s, the parts into which the relations divide each block; 1 if they work byte by byte. */
  int subChunks();

  /** All sub-chunks of the given blocks, block after block in the given order. */
  List<SubChunk> subChunksOf(int... units);

  /**
   * The ways to repair all that is lost, those first that the relations prefer.
   *
   * @param available blocks that can be read or are known to be zeros, the preferred ones first
   * @return empty if they do not determine all that is lost
   */
  List<RepairOption> recipes(int... available);

  /**
   * How all that is lost follows from the first of the given sub-chunks that suffice.
   *
   * @param available the preferred ones first
   * @return empty if they do not determine all that is lost
   */
  Optional<RepairEquation> solve(List<SubChunk> available);

  /**
   * Expresses sub-chunks by others. What is expressed and read checks what it is expressed by.
   *
   * @return for each wanted one, in the same order, one coefficient for each of the others, or
   *     empty if they do not determine it
   */
  List<Optional<GfMatrix>> express(List<SubChunk> wanted, List<SubChunk> others);

  /**
   * The relations, without sub-chunks, of the bytes that are too few to be divided into s parts.
   *
   * @return empty if lengths have to be divisible by s
   */
  Optional<Codeword> remainder();
}
