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
package org.hdfsppr.digest;

import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The key of {@link LinearDigest}s: the seed of their random factors, and their form, plain or
 * folded. Only digests with the same key can be compared. Immutable.
 */
@InterfaceAudience.Private
public final class DigestKey {
  /** The seed of the factors */
  public final long seed;
  /** Whether the digests have the folded form, see {@link LinearDigest} */
  public final boolean isFolded;

  private DigestKey(long seed, boolean isFolded) {
    this.seed = seed;
    this.isFolded = isFolded;
  }

  /**
   * Returns a key of plain digests, which DataNodes of all versions can calculate.
   *
   * @param seed the seed of the factors
   * @return the key
   */
  public static DigestKey plain(long seed) {
    return new DigestKey(seed, false);
  }

  /**
   * Returns a key of folded digests. For short units, they take a ninth of the time of plain ones.
   * DataNodes can calculate them if they announce that they send digests of blocks.
   *
   * @param seed the seed of the factors
   * @return the key
   */
  public static DigestKey folded(long seed) {
    return new DigestKey(seed, true);
  }

  /**
   * Returns a key with the fields of a message.
   *
   * @param seed the seed of the factors
   * @param isFolded whether the digests have the folded form
   * @return the key
   */
  public static DigestKey of(long seed, boolean isFolded) {
    return new DigestKey(seed, isFolded);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DigestKey && seed == ((DigestKey) other).seed
        && isFolded == ((DigestKey) other).isFolded;
  }

  @Override
  public int hashCode() {
    return Objects.hash(seed, isFolded);
  }

  @Override
  public String toString() {
    return (isFolded ? "folded, seed " : "plain, seed ") + seed;
  }
}
