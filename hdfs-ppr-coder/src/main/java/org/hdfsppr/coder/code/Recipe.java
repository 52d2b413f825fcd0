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
 * What a code knows about a cheap repair of one lost unit: the sub-chunks that suffice for it. Only
 * a hint for the order in which helpers are tried; the coefficients always come from the solver.
 */
@InterfaceAudience.Public
public final class Recipe {
  private final int lostUnit;
  private final List<SubChunk> helpers;

  /** @param helpers sub-chunks that together determine all of the lost unit */
  public Recipe(int lostUnit, List<SubChunk> helpers) {
    this.lostUnit = lostUnit;
    this.helpers = List.copyOf(helpers);
  }

  /** The unit that is repaired. */
  public int lostUnit() {
    return lostUnit;
  }

  /** The sub-chunks that are read for it. */
  public List<SubChunk> helpers() {
    return helpers;
  }

  @Override
  public String toString() {
    return lostUnit + " from " + helpers;
  }
}
