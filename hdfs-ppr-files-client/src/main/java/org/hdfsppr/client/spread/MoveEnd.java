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
package org.hdfsppr.client.spread;

import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.operate.SpreadMove;

/** How the move of a block has ended. Immutable. */
@InterfaceAudience.Private
public final class MoveEnd {
  /** The move */
  public final SpreadMove move;
  private final IOException failure;

  MoveEnd(SpreadMove move, IOException failure) {
    this.move = Objects.requireNonNull(move, "move");
    this.failure = failure;
  }

  /** @return why the block was not moved; empty if it was */
  public Optional<IOException> failure() {
    return Optional.ofNullable(failure);
  }
}
