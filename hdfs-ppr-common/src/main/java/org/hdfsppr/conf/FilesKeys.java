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
package org.hdfsppr.conf;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Warns of settings without effect. Some settings are read only by a second jar, {@code
 * hdfs-ppr-files-namenode} or {@code hdfs-ppr-files-datanode}. A daemon that has only the jar for
 * repairs calls this class.
 */
@InterfaceAudience.Private
public final class FilesKeys {
  private static final Logger LOG = LoggerFactory.getLogger(FilesKeys.class);
  private static final List<String> OF_NAMENODES = List.of(
      PprKeys.NAMENODE_CONVERT_JOBS_KEY, PprKeys.NAMENODE_VERSION_CONCURRENT_KEY,
      PprKeys.NAMENODE_VERSION_RATE_KEY, PprKeys.NAMENODE_VERSION_NODE_RATE_KEY,
      PprKeys.NAMENODE_VERSION_IDLE_KEY, PprKeys.NAMENODE_VERSION_GRACE_KEY,
      PprKeys.NAMENODE_COMMIT_STRIPES_KEY, PprKeys.NAMENODE_COMMIT_BYTES_KEY,
      PprKeys.NAMENODE_COMMIT_AGE_KEY, PprKeys.NAMENODE_COMMIT_GRACE_KEY,
      PprKeys.NAMENODE_COMMIT_CHECK_ALL_KEY, PprKeys.NAMENODE_COMMIT_STRATEGY_KEY,
      PprKeys.NAMENODE_UPDATE_REPLICAS_KEY, PprKeys.NAMENODE_UPDATE_OLD_TICKETS_KEY,
      PprKeys.NAMENODE_CORE_CONCURRENT_KEY, PprKeys.NAMENODE_CORE_SETTLE_KEY);
  private static final List<String> OF_DATANODES = List.of(PprKeys.DATANODE_UPDATE_LOG_BYTES_KEY);

  private FilesKeys() {
  }

  /**
   * Warns of each setting that has no effect without the second jar.
   *
   * @param conf the configuration of a NameNode that has no second jar
   */
  public static void warnNameNode(Configuration conf) {
    ofNameNode(conf).forEach(LOG::warn);
  }

  static List<String> ofNameNode(Configuration conf) {
    return withoutEffect(conf, OF_NAMENODES, "namenode");
  }

  static List<String> ofDataNode(Configuration conf) {
    return withoutEffect(conf, OF_DATANODES, "datanode");
  }

  private static List<String> withoutEffect(Configuration conf, List<String> keys, String role) {
    SettingsReader reader = new SettingsReader(conf);
    List<String> lines = new ArrayList<>();
    for (String key : keys) {
      if (reader.isSet(key)) {
        lines.add(key + " is set and has no effect: only the jar hdfs-ppr-files-" + role
            + " reads it ('hdfs-ppr-install --role " + role + " --with-files')");
      }
    }
    return lines;
  }

  /**
   * Warns of each setting that has no effect without the second jar. Throws if a directory of
   * update logs is configured, because nothing in this DataNode reads the logs: a repair would
   * rebuild a unit without the updates in its log.
   *
   * @param conf the configuration of a DataNode that has no second jar
   * @throws IllegalArgumentException if the configuration names a directory of update logs; the
   *     message names the directory and the remedy
   */
  public static void checkDataNode(Configuration conf) {
    String folder = conf.getTrimmed(PprKeys.DATANODE_UPDATE_LOG_DIR_KEY,
        PprKeys.DATANODE_UPDATE_LOG_DIR_DEFAULT);
    if (!folder.equals(PprKeys.DATANODE_UPDATE_LOG_DIR_DEFAULT)) {
      throw new IllegalArgumentException(PprKeys.DATANODE_UPDATE_LOG_DIR_KEY + " is '" + folder
          + "', and only the jar hdfs-ppr-files-datanode reads the logs there: install it"
          + " ('hdfs-ppr-install --role datanode --with-files'), or commit all updates and set the"
          + " key to " + PprKeys.DATANODE_UPDATE_LOG_DIR_DEFAULT);
    }
    ofDataNode(conf).forEach(LOG::warn);
  }
}
