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

import java.util.List;
import javax.management.JMException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.hdfsppr.datanode.MetricTexts;
import org.hdfsppr.datanode.Snapshot;
import org.junit.jupiter.api.Test;

/** Names, types and words of a client's metrics are what dashboards know. */
@InterfaceAudience.Private
class TestClientMetricSnapshots {
  private static final Snapshot RECORDED = Snapshot.of("hdfs-ppr-client", "metrics");
  private static final String RECORDS = "records.txt";
  private static final String BEANS = "beans.txt";

  /** The values are those of all clients of the process, so that they are not recorded. */
  @Test
  void areAsRecorded() throws JMException {
    DefaultMetricsSystem.initialize("AnyClient");
    try {
      ClientMetrics.ofProcess();
      RECORDED.assertSame(RECORDS, MetricTexts.records(
          DefaultMetricsSystem.instance().getSource(ClientMetrics.NAME), name -> false));
      MetricTexts.registerAnew(ClientMetrics.NAME);
      RECORDED.assertSame(BEANS, MetricTexts.beans("Hadoop:service=AnyClient,name=Ppr*"));
    } finally {
      DefaultMetricsSystem.shutdown();
    }
  }

  @Test
  void noOtherFilesAreThere() {
    RECORDED.assertFiles(List.of(RECORDS, BEANS));
  }
}
