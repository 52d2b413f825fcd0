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
package org.hdfsppr.it.versions;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.fs.Path;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.namenode.version.VersionPoint;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Files form a CORE group, and the NameNode is killed in the middle. Afterwards the files have
 * their bytes, the group is whole, nothing else is left, and the group brings back more units than
 * a file's own code does.
 *
 * <p>{@code -Dfaults.seed=N} chooses other content.
 */
abstract class CoreCrashes extends Crashes {
  /** A node writes a block of 2 MiB that it makes or rebuilds for four seconds. */
  private static final int WRITE_BYTES_PER_SECOND = 512 << 10;

  private int written;

  CoreCrashes(String name, boolean ha) {
    super(name, ha, settings());
  }

  private static Map<String, String> settings() {
    Map<String, String> conf = new HashMap<>();
    conf.put(PprKeys.NAMENODE_CORE_SETTLE_KEY, "0");
    // What a column can rebuild is not rebuilt from the row.
    conf.put(PprKeys.NAMENODE_CORE_STRATEGY_KEY, "column-first");
    conf.put("dfs.datanode.ec.reconstruct.write.bandwidthPerSec", "" + WRITE_BYTES_PER_SECOND);
    return conf;
  }

  ProtectedFolder write() throws IOException, InterruptedException, TimeoutException {
    written++;
    return ProtectedFolder.write(cluster(), new Path("/core/" + written), SEED + 10L * written);
  }

  /**
   * The NameNode that is active next forms the group. With two NameNodes each death makes the other
   * one active, so that both take over.
   */
  @ParameterizedTest
  @EnumSource(value = VersionPoint.class, names = {"GROUP_ADDED", "MADE", "VERIFIED"})
  void nameNodeIsKilled(VersionPoint point) throws Exception {
    ProtectedFolder files = write();
    cluster().stops.request(point);
    files.protect();
    cluster().stops.awaitStopped(STOP_LIMIT);
    cluster().killActiveNameNode();
    files.check();
    files.loseBeyondRow();
    files.check();
    files.delete();
  }
}
