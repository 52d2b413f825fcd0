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
package org.hdfsppr.coder.code;

import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * One step of an encoding in several steps. The step computes some parity sub-chunks from data
 * sub-chunks and from parity sub-chunks that earlier steps have computed. A code has such steps if
 * they need fewer multiplications than the rows of its generator. A step only says which sub-chunks
 * to read and to compute. The coefficients always come from the generator. Immutable.
 */
@InterfaceAudience.Public
public final class EncodingStep {
  private final List<SubChunk> inputs;
  private final List<SubChunk> outputs;

  /**
   * @param inputs sub-chunks that together determine all outputs
   * @param outputs the parity sub-chunks that the step computes
   */
  public EncodingStep(List<SubChunk> inputs, List<SubChunk> outputs) {
    this.inputs = List.copyOf(inputs);
    this.outputs = List.copyOf(outputs);
  }

  /** {@return the sub-chunks that the step reads: data, and parities of earlier steps} */
  public List<SubChunk> inputs() {
    return inputs;
  }

  /** {@return the parity sub-chunks that the step computes} */
  public List<SubChunk> outputs() {
    return outputs;
  }

  @Override
  public String toString() {
    return outputs + " from " + inputs;
  }
}
