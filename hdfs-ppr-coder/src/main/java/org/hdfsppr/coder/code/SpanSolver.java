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

import java.util.ArrayList;
import java.util.List;
import org.hdfsppr.coder.gf.Gf256;

/**
 * Expresses target vectors as linear combinations of candidate vectors. The caller adds one
 * candidate after the other, until {@link #solved()} says that the candidates suffice. The solver
 * uses Gaussian elimination. For each vector, it also keeps the coefficients with which the
 * candidates give this vector. Used by one thread.
 */
final class SpanSolver {
  private final int width;
  /**
   * The accepted candidates, reduced by elimination. Each vector has 1 in its pivot column, and 0
   * in the pivot columns of all earlier vectors.
   */
  private final List<byte[]> basis = new ArrayList<>();
  private final List<Integer> pivots = new ArrayList<>();
  /** The coefficients of each basis vector over the accepted candidates. */
  private final List<byte[]> origins = new ArrayList<>();
  /** The part of each target outside the span of the basis; all zero when the target is solved. */
  private final byte[][] residues;
  /** The part of each target inside the span, as coefficients over the accepted candidates. */
  private final byte[][] combinations;

  /**
   * @param targets vectors of {@code width} elements
   * @param width how many elements every vector has; the solver accepts at most as many candidates
   */
  SpanSolver(byte[][] targets, int width) {
    this.width = width;
    this.residues = new byte[targets.length][];
    this.combinations = new byte[targets.length][width];
    for (int t = 0; t < targets.length; t++) {
      residues[t] = targets[t].clone();
    }
  }

  /** Says whether every target lies in the span of the accepted candidates. */
  boolean solved() {
    for (int t = 0; t < residues.length; t++) {
      if (!solved(t)) {
        return false;
      }
    }
    return true;
  }

  /** Says whether this target lies in the span of the accepted candidates. */
  boolean solved(int target) {
    return firstNonZero(residues[target]) == width;
  }

  /**
   * Offers the next candidate.
   *
   * @return false if the candidate lies in the span of the accepted ones, so that the solver leaves
   *     it out
   */
  boolean add(byte[] candidate) {
    byte[] vector = candidate.clone();
    byte[] origin = new byte[width];
    for (int b = 0; b < basis.size(); b++) {
      int factor = vector[pivots.get(b)];
      addScaled(vector, basis.get(b), factor);
      addScaled(origin, origins.get(b), factor);
    }
    int pivot = firstNonZero(vector);
    if (pivot == width) {
      return false;
    }
    // There are at most {@code width} linearly independent vectors, so that this index is in range.
    origin[basis.size()] = 1;
    int scale = Gf256.inverse(vector[pivot]);
    for (int i = 0; i < width; i++) {
      vector[i] = (byte) Gf256.mul(vector[i], scale);
      origin[i] = (byte) Gf256.mul(origin[i], scale);
    }
    basis.add(vector);
    pivots.add(pivot);
    origins.add(origin);
    for (int t = 0; t < residues.length; t++) {
      int factor = residues[t][pivot];
      addScaled(residues[t], vector, factor);
      addScaled(combinations[t], origin, factor);
    }
    return true;
  }

  /**
   * Returns the coefficient of an accepted candidate in the combination that gives a target. The
   * result means something only if the target is solved.
   *
   * @param accepted the index of the candidate in the order of acceptance, from 0
   */
  int coefficient(int target, int accepted) {
    return combinations[target][accepted] & 0xff;
  }

  private static int firstNonZero(byte[] vector) {
    int i = 0;
    while (i < vector.length && vector[i] == 0) {
      i++;
    }
    return i;
  }

  private static void addScaled(byte[] to, byte[] vector, int factor) {
    if (factor != 0) {
      for (int i = 0; i < to.length; i++) {
        to[i] ^= (byte) Gf256.mul(vector[i], factor);
      }
    }
  }
}
