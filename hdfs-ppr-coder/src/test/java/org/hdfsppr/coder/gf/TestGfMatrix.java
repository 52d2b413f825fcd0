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
package org.hdfsppr.coder.gf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.classification.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** Tests matrix algebra. */
@InterfaceAudience.Private
class TestGfMatrix {
  private static final long SEED = 20260102;

  @Test
  void anInverseTimesItsMatrixIsTheIdentity() {
    System.out.println("seed " + SEED);
    Random random = new Random(SEED);
    int regular = 0;
    for (int round = 0; round < 200; round++) {
      int size = 1 + random.nextInt(20);
      GfMatrix matrix = GfMatrix.generate(size, size, (r, c) -> random.nextInt());
      Optional<GfMatrix> inverse = matrix.invert();
      assertEquals(matrix.rank() == size, inverse.isPresent());
      if (inverse.isPresent()) {
        regular++;
        assertEquals(GfMatrix.identity(size), matrix.multiply(inverse.get()));
        assertEquals(GfMatrix.identity(size), inverse.get().multiply(matrix));
      }
    }
    assertTrue(regular > 150, "random matrices are nearly always regular, got " + regular);
  }

  @Test
  void aSingularMatrixHasNoInverse() {
    GfMatrix twice = GfMatrix.of(new byte[][] {{1, 2, 3}, {4, 5, 6}, {5, 7, 5}});
    assertEquals(2, twice.rank(), "the third row is the sum of the others");
    assertEquals(Optional.empty(), twice.invert());
    assertEquals(0, GfMatrix.generate(3, 4, (r, c) -> 0).rank());
    assertThrows(IllegalArgumentException.class,
        () -> GfMatrix.generate(2, 3, (r, c) -> 1).invert());
  }

  @Test
  void rankCountsIndependentRowsOfAnyShape() {
    assertEquals(2, GfMatrix.of(new byte[][] {{0, 0, 1}, {0, 1, 0}}).rank());
    assertEquals(2, GfMatrix.of(new byte[][] {{0, 1}, {1, 0}, {1, 1}}).rank());
    assertEquals(4, GfMatrix.cauchy(4, 10).rank());
  }

  @Test
  void everySquareSubmatrixOfTwoRowsOfACauchyMatrixIsRegular() {
    GfMatrix cauchy = GfMatrix.cauchy(4, 12);
    for (int r = 0; r < 4; r++) {
      for (int q = r + 1; q < 4; q++) {
        for (int c = 0; c < 12; c++) {
          for (int d = c + 1; d < 12; d++) {
            assertEquals(2, cauchy.rows(r, q).columns(c, d).rank());
          }
        }
      }
    }
    assertThrows(IllegalArgumentException.class, () -> GfMatrix.cauchy(200, 57));
  }

  @Test
  void partsAreTakenInTheOrderAskedFor() {
    GfMatrix matrix = GfMatrix.generate(3, 3, (r, c) -> 10 * r + c);
    assertArrayEquals(new byte[] {20, 21, 22}, matrix.rows(2, 0).row(0));
    assertEquals(10, matrix.columns(2, 0).get(1, 1));
    assertEquals(matrix, matrix.rows(0).stack(matrix.rows(1, 2)));
    assertThrows(IllegalArgumentException.class, () -> matrix.stack(GfMatrix.identity(2)));
  }

  @Test
  void cellsCannotBeChangedFromOutside() {
    byte[][] rows = {{1, 2}};
    GfMatrix matrix = GfMatrix.of(rows);
    rows[0][0] = 9;
    matrix.row(0)[1] = 9;
    assertEquals(GfMatrix.of(new byte[][] {{1, 2}}), matrix);
    assertEquals(matrix.hashCode(), GfMatrix.of(new byte[][] {{1, 2}}).hashCode());
    assertNotEquals(matrix, GfMatrix.of(new byte[][] {{1}, {2}}));
    assertEquals("[01 02]", matrix.toString());
  }

  @Test
  void whatDoesNotFitIsRejected() {
    GfMatrix matrix = GfMatrix.identity(2);
    assertThrows(IllegalArgumentException.class, () -> GfMatrix.of(new byte[0][]));
    assertThrows(IllegalArgumentException.class, () -> GfMatrix.of(new byte[][] {{1}, {1, 2}}));
    assertThrows(IllegalArgumentException.class, () -> matrix.multiply(GfMatrix.identity(3)));
    assertThrows(IndexOutOfBoundsException.class, () -> matrix.get(0, 2));
    assertThrows(IndexOutOfBoundsException.class, () -> matrix.get(-1, 0));
    assertThrows(IndexOutOfBoundsException.class, () -> matrix.row(2));
  }
}
