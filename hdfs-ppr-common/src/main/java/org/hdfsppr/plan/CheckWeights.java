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

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.gf.Gf256;
import org.hdfsppr.coder.gf.GfMatrix;

/**
 * Chooses the weights w of the lost rows in a {@link CheckRelation}. No weight is zero, so that the
 * check finds a wrong row, and no two are equal, so that equal errors in two rows do not cancel.
 *
 * <p>On a narrow link, an error in row i of the link adds column i of the link's matrix E to the
 * lost rows, see {@link NarrowLinks}. The check therefore weighs the rows of the link with w * E.
 * These weights, too, have to be nonzero and different; otherwise the check would find fewer errors
 * than on a link that carries all rows. Pure.
 */
@InterfaceAudience.Private
final class CheckWeights {
  /** The exponent of the weights if all links carry all rows. */
  static final int USUAL = 1;
  /** The number of nonzero elements of the field. */
  private static final int ORDER = 255;

  private CheckWeights() {
  }

  /**
   * Returns weights for rows.
   *
   * @param rows number of rows, at most {@link SliceGeometry#ROWS_MAX}
   * @param exponent a number without a common divisor with 255, so that all weights differ
   */
  static byte[] of(int rows, int exponent) {
    byte[] weights = new byte[rows];
    for (int row = 0; row < rows; row++) {
      weights[row] = (byte) Gf256.pow(2, row * exponent % ORDER);
    }
    return weights;
  }

  /**
   * Finds weights for the links of a tree.
   *
   * @param tree a tree with narrow links
   * @return the least exponent whose weights are nonzero and different on all links; empty if there
   *     is none
   */
  static OptionalInt exponentFor(PlanNode tree) {
    List<GfMatrix> links = new ArrayList<>();
    tree.forEach(node -> node.sentRows().ifPresent(sent -> {
      links.add(NarrowLinks.derivation(node, false));
      links.add(NarrowLinks.derivation(node, true));
    }));
    for (int exponent = USUAL; exponent < ORDER; exponent++) {
      int tried = exponent;
      boolean permutes = exponent % 3 != 0 && exponent % 5 != 0 && exponent % 17 != 0;
      if (permutes && links.stream().allMatch(link -> suits(link, tried))) {
        return OptionalInt.of(exponent);
      }
    }
    return OptionalInt.empty();
  }

  private static boolean suits(GfMatrix derivation, int exponent) {
    byte[] weights = of(derivation.rows(), exponent);
    Set<Integer> seen = new HashSet<>();
    seen.add(0);
    for (int column = 0; column < derivation.columns(); column++) {
      int sum = 0;
      for (int row = 0; row < derivation.rows(); row++) {
        sum ^= Gf256.mul(weights[row] & 0xff, derivation.get(row, column));
      }
      if (!seen.add(sum)) {
        return false;
      }
    }
    return true;
  }
}
