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
package org.hdfsppr.client.shape;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The rule that the benchmark holds the learnt one against. */
class TestChainAboveSize {
  @Test
  void aChainAboveASizeAndDecodingBelow() {
    ShapeRule rule = new ChainAboveSize();
    for (int others : new int[] {0, 20}) {
      assertTrue(rule.choose(6, ChainAboveSize.DECODED_BYTES_MOST, 8192, 3, others).isDecoding());
      Shape chain = rule.choose(6, ChainAboveSize.DECODED_BYTES_MOST + 1, 8192, 3, others);
      assertEquals(1, chain.chains());
      assertEquals(6, chain.hops());
    }
  }
}
