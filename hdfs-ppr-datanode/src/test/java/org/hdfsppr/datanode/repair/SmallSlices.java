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
package org.hdfsppr.datanode.repair;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.hdfsppr.datanode.PprDataNodePlugin;

/** A DataNode's plugin whose slices are so small that short units have several. */
public final class SmallSlices extends PprDataNodePlugin {
  private static final int SLICE_BYTES = 1536;

  /** Has the DataNodes of a configuration use this plugin. */
  public static void configure(Configuration conf) {
    conf.set("dfs.datanode.plugins", SmallSlices.class.getName());
  }

  @Override
  protected RepairService open(DataNode datanode) throws IOException {
    return RepairService.start(datanode,
        RepairSettings.of(datanode.getConf(), SLICE_BYTES));
  }
}
