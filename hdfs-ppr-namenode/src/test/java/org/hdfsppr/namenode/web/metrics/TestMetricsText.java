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
package org.hdfsppr.namenode.web.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.manage.status.Durations;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the writer of Prometheus' text format against a strict parser, and the parser itself. */
@InterfaceAudience.Private
class TestMetricsText {
  private final MetricsText text = new MetricsText();

  @Test
  void eachFamilyIsWrittenAsTheFormatSays() {
    text.gauge("hdfs_ppr_a", "One \\ two\nthree.").sample(3).sample(0.5, "x", "1", "y", "");
    text.counter("hdfs_ppr_b_total", "B.").sample(1L << 40);
    text.gauge("hdfs_ppr_c", "C.");
    assertEquals("# HELP hdfs_ppr_a One \\\\ two\\nthree.\n# TYPE hdfs_ppr_a gauge\n"
        + "hdfs_ppr_a 3\nhdfs_ppr_a{x=\"1\",y=\"\"} 0.5\n"
        + "# HELP hdfs_ppr_b_total B.\n# TYPE hdfs_ppr_b_total counter\n"
        + "hdfs_ppr_b_total 1099511627776\n# HELP hdfs_ppr_c C.\n# TYPE hdfs_ppr_c gauge\n",
        new String(text.bytes(), StandardCharsets.UTF_8));
  }

  @Test
  void aValueOfALabelMayHaveAnyCharacters() {
    long seed = Long.getLong("seed", 17);
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    MetricsText.Family family = text.gauge("hdfs_ppr_a", "A.");
    String[] values = new String[500];
    for (int i = 0; i < values.length; i++) {
      StringBuilder value = new StringBuilder(i + ":");
      for (int j = random.nextInt(8); j > 0; j--) {
        value.append("\\\"\n{},= #é\t\r\u2028x".charAt(random.nextInt(14)));
      }
      values[i] = value.toString();
      family.sample(i, "label", values[i], "z", "z");
    }
    PromText parsed = PromText.parse(text.bytes());
    for (int i = 0; i < values.length; i++) {
      assertEquals(i, parsed.value("hdfs_ppr_a", "z", "z", "label", values[i]));
    }
  }

  @Test
  void aDistributionHasBucketsSumAndCount() {
    Durations times = new Durations(0.1, 1);
    times.add(100_000_000);
    times.add(100_000_001);
    times.add(5_000_000_000L);
    times.add(-1);
    text.durations(text.histogram("hdfs_ppr_t_seconds", "T."), times.snapshot(), "codec", "rs");
    PromText parsed = PromText.parse(text.bytes());
    assertEquals(2, parsed.value("hdfs_ppr_t_seconds_bucket", "codec", "rs", "le", "0.1"));
    assertEquals(3, parsed.value("hdfs_ppr_t_seconds_bucket", "codec", "rs", "le", "1"));
    assertEquals(4, parsed.value("hdfs_ppr_t_seconds_bucket", "codec", "rs", "le", "+Inf"));
    assertEquals(4, parsed.value("hdfs_ppr_t_seconds_count", "codec", "rs"));
    assertEquals(5.200000001, parsed.value("hdfs_ppr_t_seconds_sum", "codec", "rs"), 1e-9);
    assertThrows(IllegalArgumentException.class, () -> new Durations(1, 1));
  }

  @Test
  void wrongNamesAreRefused() {
    text.gauge("hdfs_ppr_a", "A.");
    assertThrows(IllegalArgumentException.class, () -> text.gauge("hdfs_ppr_a", "Again."));
    assertThrows(IllegalArgumentException.class, () -> text.gauge("hdfs-ppr", "A."));
    assertThrows(IllegalArgumentException.class, () -> text.gauge("hdfs_ppr_x_total", "A."));
    assertThrows(IllegalArgumentException.class, () -> text.counter("hdfs_ppr_x", "A."));
    assertThrows(IllegalArgumentException.class, () -> text.histogram("hdfs_ppr_x", "A."));
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "a 1",
    "# TYPE a gauge\na 1\n",
    "# HELP a A.\na 1\n",
    "# HELP a A.\n# TYPE a counter\na 1\n",
    "# HELP a_total A.\n# TYPE a_total counter\na_total -1\n",
    "# HELP a_total A.\n# TYPE a_total gauge\na_total 1\n",
    "# HELP a A.\n# TYPE a gauge\nb 1\n",
    "# HELP a A.\n# TYPE a gauge\na 1\na 2\n",
    "# HELP a A.\n# TYPE a gauge\na{x=\"1\",y=\"2\"} 1\na{y=\"2\",x=\"1\"} 2\n",
    "# HELP a A.\n# TYPE a gauge\na{} 1\n",
    "# HELP a A.\n# TYPE a gauge\na{x=\"1\",} 1\n",
    "# HELP a A.\n# TYPE a gauge\na{x=\"\"\"} 1\n",
    "# HELP a A.\n# TYPE a gauge\na{x=\"\\t\"} 1\n",
    "# HELP a A.\n# TYPE a gauge\na{x=1} 1\n",
    "# HELP a A.\n# TYPE a gauge\na one\n",
    "# HELP a A.\n# TYPE a gauge\n\na 1\n",
    "# HELP a A.\n# TYPE a gauge\n# HELP a A.\n# TYPE a gauge\na 1\n",
    "# HELP a A.\n# TYPE a histogram\na_bucket{le=\"1\"} 1\na_sum 1\na_count 1\n",
    "# HELP a A.\n# TYPE a histogram\na_bucket{le=\"1\"} 2\na_bucket{le=\"+Inf\"} 1\n"
        + "a_sum 1\na_count 1\n",
    "# HELP a A.\n# TYPE a histogram\na_bucket{le=\"+Inf\"} 1\na_sum 1\na_count 2\n",
    "# HELP a A.\n# TYPE a histogram\na_bucket{le=\"+Inf\"} 1\na_count 1\n"})
  void theParserOfTheseTestsAcceptsNothingWrong(String wrong) {
    assertThrows(IllegalArgumentException.class,
        () -> PromText.parse(wrong.getBytes(StandardCharsets.UTF_8)));
  }
}
