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
package org.hdfsppr.bench.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

import org.hdfsppr.core.FailureMatrix;
import org.hdfsppr.core.RecoverabilityBounds;
import org.hdfsppr.core.ReedSolomonRow;
import org.hdfsppr.core.RepairStrategies;
import org.junit.jupiter.api.Test;

/** Tests the paper's figures with fewer patterns than {@code bench.sh core --analysis} draws. */
class TestCoreAnalysis {
  private static final String CODE = "core-t5-12-2";
  private static final ReedSolomonRow RS_14_12 = new ReedSolomonRow(14, 12);
  private static final int FILES = 5;
  private static final long SEED = 1;
  private static final int PATTERNS = 200_000;
  /** Five standard deviations of the part of 200,000 patterns that is recoverable. */
  private static final double DEVIATIONS = 5;

  @Test
  void recoverabilityIsThePapersWhereDataBlocksFail() throws IOException, InterruptedException {
    DrawArea area = DrawArea.data(RS_14_12, FILES);
    try (CoreAnalysis analysis = new CoreAnalysis(SEED, 2)) {
      for (int failures = 6; failures <= 20; failures++) {
        double paper = PaperFigures.of(CODE, "recoverability", failures).getAsDouble();
        double part = paper / 100;
        double percent = analysis.count(area, failures, PATTERNS).recoverablePercent();
        double allowed = 0.001 + DEVIATIONS * 100 * Math.sqrt(part * (1 - part) / PATTERNS);
        assertEquals(paper, percent, allowed, failures + " failures, seed " + SEED);
      }
      assertEquals(100, analysis.count(area, 5, PATTERNS).recoverablePercent());
      assertEquals(0, analysis.count(area, 21, PATTERNS).recoverablePercent());
    }
  }

  /** The whole matrix is more often recoverable: 17 failures in 83.3 instead of 51.2 percent. */
  @Test
  void recoverabilityIsHigherWhereAnyBlockFails() throws IOException, InterruptedException {
    try (CoreAnalysis analysis = new CoreAnalysis(SEED, 2)) {
      assertEquals(83.3, analysis.count(DrawArea.full(RS_14_12, FILES), 17, PATTERNS)
          .recoverablePercent(), 0.5);
      assertEquals(0, analysis.count(DrawArea.full(RS_14_12, FILES), 25, PATTERNS)
          .recoverablePercent());
    }
  }

  /** Figure 3: the number of clusters rises up to 6 failures, and drops beyond. */
  @Test
  void clustersAreMostForSixFailures() throws IOException, InterruptedException {
    double[] clusters = new double[21];
    try (CoreAnalysis analysis = new CoreAnalysis(SEED, 2)) {
      for (int failures = 1; failures <= 20; failures++) {
        clusters[failures] = analysis.count(DrawArea.data(RS_14_12, FILES), failures, PATTERNS)
            .meanClusters();
      }
    }
    assertEquals(1, clusters[1]);
    // The second failure has 59 places. 4 are in the column of the first one, and 11 in its row.
    assertEquals(1 + 44 / 59.0, clusters[2], 0.005);
    for (int failures = 2; failures <= 20; failures++) {
      assertEquals(failures <= 6, clusters[failures] > clusters[failures - 1],
          failures + " failures");
    }
  }

  /** Figure 5: RGS reads no more than the others on average, for 1 to 20 failures. */
  @Test
  void rgsReadsLeastOnAverage() throws IOException, InterruptedException {
    try (CoreAnalysis analysis = new CoreAnalysis(SEED, 2)) {
      for (int failures = 1; failures <= 20; failures++) {
        CostCounts costs = analysis.costs(DrawArea.data(RS_14_12, FILES), failures, 2000);
        assertEquals(2000, costs.patterns());
        double rgs = costs.meanBlocks(RepairStrategies.RGS);
        assertTrue(rgs <= costs.meanBlocks(RepairStrategies.ROW_FIRST), failures + " failures");
        assertTrue(rgs <= costs.meanBlocks(RepairStrategies.COLUMN_FIRST), failures + " failures");
        assertTrue(failures > 1 || rgs == 5);
      }
    }
  }

  @Test
  void resultsDoNotDependOnThreads() throws IOException, InterruptedException {
    double[] percents = new double[2];
    for (int i = 0; i < 2; i++) {
      try (CoreAnalysis analysis = new CoreAnalysis(SEED, 1 + 2 * i)) {
        percents[i] = analysis.count(DrawArea.data(RS_14_12, FILES), 16, 120_000)
            .recoverablePercent();
      }
    }
    assertEquals(percents[0], percents[1]);
  }

  /** Each block of the area is drawn about as often as the others, and no other block. */
  @Test
  void drawsAreEven() {
    SplittableRandom random = new SplittableRandom(SEED);
    DrawArea area = DrawArea.data(RS_14_12, FILES);
    int[] hits = new int[6 * 14];
    for (int i = 0; i < 60_000; i++) {
      FailureMatrix matrix = area.draw(7, random);
      assertEquals(7, matrix.failures());
      IntStream.range(0, hits.length)
          .filter(block -> (matrix.lost(block / 14) >>> block % 14 & 1) != 0)
          .forEach(block -> hits[block]++);
    }
    for (int block = 0; block < hits.length; block++) {
      boolean inArea = block / 14 < FILES && block % 14 < 12;
      assertEquals(inArea ? 7000 : 0, hits[block], inArea ? 450 : 0, "block " + block);
    }
  }

  @Test
  void boundsAreThePapers() {
    assertEquals(PaperFigures.of(CODE, "lower_bound", 6).getAsDouble(),
        RecoverabilityBounds.lower(14, 12));
    assertEquals(PaperFigures.of(CODE, "upper_bound", 20).getAsDouble(),
        RecoverabilityBounds.upper(14, 12, 5));
    assertTrue(PaperFigures.of("core-t3-6-3", "upper_bound", 20).isEmpty());
    assertTrue(PaperFigures.of(CODE, "recoverability", 5).isEmpty());
    assertTrue(PaperFigures.of(CODE, "recoverability", 21).isEmpty());
  }

  @Test
  void otherCodesAreRefused() throws IOException {
    assertEquals(5, CoreCode.parse(CODE).files);
    assertThrows(IllegalArgumentException.class, () -> CoreCode.parse("rs-6-3"));
    assertThrows(IllegalArgumentException.class, () -> CoreCode.parse("core-14-12-5"));
  }
}
