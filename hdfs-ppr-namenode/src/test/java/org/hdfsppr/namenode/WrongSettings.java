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
package org.hdfsppr.namenode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.blockmanagement.Queues;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.test.GenericTestUtils;
import org.slf4j.LoggerFactory;

/** Starts the plugin with settings that make no sense. */
@InterfaceAudience.Private
public final class WrongSettings {
  private WrongSettings() {
  }

  /**
   * Checks that the plugin does not start by a setting, and that the log has one sentence.
   *
   * @param namenode a running NameNode without the plugin; its configuration is as before
   *     afterwards
   * @param key the setting
   * @param value a value that makes no sense
   */
  public static void assertRefused(NameNode namenode, String key, String value) {
    Configuration conf = namenode.getConf();
    String before = conf.get(key);
    Object stock = queue(namenode);
    conf.set(key, value);
    GenericTestUtils.LogCapturer log = GenericTestUtils.LogCapturer.captureLogs(
        LoggerFactory.getLogger(PprNameNodePlugin.class));
    try (PprNameNodePlugin plugin = new PprNameNodePlugin()) {
      plugin.start(namenode);
      String said = log.getOutput().trim();
      assertEquals(-1, plugin.port(), key);
      // Where the queue was taken over and given back, it is another one, but stock's own again.
      assertSame(stock.getClass(), queue(namenode).getClass(), "the queue of stock");
      assertEquals(1, said.lines().count(), said);
      assertTrue(said.contains("does NOT schedule repairs on this NameNode"), said);
      assertTrue(said.contains(key + ": "), said);
      assertTrue(said.contains(value), said);
      assertTrue(said.contains(" set ") || said.contains("choose one of")
          || said.contains("with a port from 0 to 65535"), said);
      assertTrue(said.endsWith("restart the NameNode"), said);
      assertFalse(said.contains("Exception"), said);
    } finally {
      log.stopCapturing();
      if (before == null) {
        conf.unset(key);
      } else {
        conf.set(key, before);
      }
    }
  }

  private static Object queue(NameNode namenode) {
    return Queues.of(namenode.getNamesystem().getBlockManager());
  }
}
