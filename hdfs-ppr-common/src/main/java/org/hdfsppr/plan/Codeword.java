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
 * Blocks that satisfy linear relations, and of which some are lost. Examples are the units of one
 * striped group, and a column of CORE, whose blocks belong to different files. A planner asks a
 * codeword which combinations of available blocks rebuild the lost blocks, and which relation
 * checks the result. The planner and all code behind it see only the resulting equations, and not
 * the code from which they follow. Immutable.
 *
 * <p>Each block has the same index as in {@link #snapshot}, and consists of {@link #subChunks}
 * sub-chunks.
 */
@InterfaceAudience.Private
public interface Codeword {
  /** @return the name of the code in logs, such as {@code rs-6-3} */
  String name();

  /** @return the blocks and their lengths, the nodes that hold them, and the blocks to rebuild */
  GroupSnapshot snapshot();

  /**
   * @return s, the number of sub-chunks into which the code divides each block; 1 if the code
   *     treats each byte position on its own
   */
  int subChunks();

  /**
   * @param units indices of blocks
   * @return all sub-chunks of these blocks, block after block in the given order
   */
  List<SubChunk> subChunksOf(int... units);

  /**
   * Lists the ways in which the code can repair all lost blocks.
   *
   * @param available indices of blocks that can be read or are known to be zeros, preferred blocks
   *     first
   * @return the ways, preferred ones first; empty if the available blocks do not determine all lost
   *     blocks
   */
  List<RepairOption> recipes(int... available);

  /**
   * Expresses all lost blocks as linear combinations of available sub-chunks. The method uses the
   * first sub-chunks of the list that suffice.
   *
   * @param available sub-chunks that can be read or are known to be zeros, preferred ones first
   * @return the equation, or empty if the sub-chunks do not determine all lost blocks
   */
  Optional<RepairEquation> solve(List<SubChunk> available);

  /**
   * Expresses sub-chunks as linear combinations of other sub-chunks. This serves for checks: if a
   * destination both receives a sub-chunk and computes it in this way, the two differ if any of the
   * sub-chunks that take part is wrong.
   *
   * @param wanted sub-chunks to express
   * @param others sub-chunks that may appear in the expressions
   * @return for each wanted sub-chunk, in the same order, a matrix with one row and one coefficient
   *     for each element of {@code others}, or empty if {@code others} do not determine the wanted
   *     sub-chunk
   */
  List<Optional<GfMatrix>> express(List<SubChunk> wanted, List<SubChunk> others);

  /**
   * Returns the code of the remaining bytes, if s does not divide the length of a cell: dividing
   * the cell into s equal parts leaves up to s - 1 bytes behind them. This code has no sub-chunks.
   *
   * @return the code of the remaining bytes, or empty if there is none, so that s has to divide the
   *     length of each block
   */
  Optional<Codeword> remainder();
}
