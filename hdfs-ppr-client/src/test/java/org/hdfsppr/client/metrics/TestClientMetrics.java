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
package org.hdfsppr.client.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.PprDFSClient;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsException;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.junit.jupiter.api.Test;

/** Tests that the counts of all clients of a process are in its metrics, and harm no client. */
@InterfaceAudience.Private
class TestClientMetrics {
  private static Map<String, Long> values(MetricsSource source) {
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    source.getMetrics(collector, true);
    // The class of the records is not public in all Hadoops.
    List<? extends MetricsRecord> records = collector.getRecords();
    assertEquals(1, records.size());
    assertEquals("PprClient", records.get(0).name());
    Map<String, Long> values = new TreeMap<>();
    for (AbstractMetric metric : records.get(0).metrics()) {
      values.put(metric.name(), metric.value().longValue());
    }
    return values;
  }

  private static PprDFSClient client() throws IOException {
    // No server listens there, and none is needed: a client connects when it is used.
    return new PprDFSClient(URI.create("hdfs://127.0.0.1:9"), new Configuration(), null);
  }

  @Test
  void clientsOfAProcessAddTheirCounts() throws Exception {
    try (PprDFSClient one = client()) {
      MetricsSource source = DefaultMetricsSystem.instance().getSource(ClientMetrics.NAME);
      assertNotNull(source, "a client registers the source");
      long before = values(source).get("ReadsByStockTotal");
      one.readContext().counters.stock();
      try (PprDFSClient other = client()) {
        other.readContext().counters.stock();
        other.readContext().counters.stock();
        assertEquals(2, other.readContext().counters.stockReads());
      }
      assertEquals(1, one.readContext().counters.stockReads());
      assertEquals(before + 3, values(source).get("ReadsByStockTotal"),
          "the counts of a closed client stay");
    }
  }

  @Test
  void theSourceIsRegisteredOnce() {
    MetricsSystem system = mock(MetricsSystem.class);
    ClientMetrics.register(() -> system);
    verify(system).register(eq("PprClient"), any(), any(ClientMetrics.class));

    MetricsSystem knowsIt = mock(MetricsSystem.class);
    when(knowsIt.getSource("PprClient")).thenReturn(mock(MetricsSource.class));
    ClientMetrics.register(() -> knowsIt);
    verify(knowsIt, never()).register(any(), any(), any(MetricsSource.class));
  }

  @Test
  void noFaultOfMetricsReachesAClient() {
    MetricsSystem system = mock(MetricsSystem.class);
    when(system.register(any(), any(), any(MetricsSource.class)))
        .thenThrow(new MetricsException("Metrics source PprClient already exists!"));
    ClientMetrics.register(() -> system);
    ClientMetrics.register(() -> {
      throw new IllegalStateException("the metrics system does not start");
    });
    ClientMetrics.register(() -> {
      throw new NoClassDefFoundError("org/apache/commons/configuration2/Configuration");
    });
  }

  @Test
  void thePageListsEachCounter() throws IOException {
    String page = Files.readString(Path.of("..", "docs", "metrics.md"));
    Matcher rows = Pattern.compile("(?m)^\\| `(\\w+)` \\|")
        .matcher(page.substring(page.indexOf("\n## Clients")));
    TreeSet<String> listed = new TreeSet<>();
    while (rows.find()) {
      assertTrue(listed.add(rows.group(1)), rows.group(1));
    }
    ClientMetrics.ofProcess();
    assertEquals(listed, values(
        DefaultMetricsSystem.instance().getSource(ClientMetrics.NAME)).keySet());
  }
}
