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
package org.hdfsppr.datanode.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.agent.ManagerAgent.OwnSettings;
import org.hdfsppr.manage.NodeSelf;
import org.junit.jupiter.api.Test;

/** Tests that a DataNode names all its settings, and equal values in equal words. */
@InterfaceAudience.Private
class TestOwnSettings {
  @Test
  void allSettingsOfDataNodesAreThere() throws Exception {
    Set<String> expected = new TreeSet<>();
    for (Field field : PprKeys.class.getFields()) {
      if (field.getName().startsWith("DATANODE_") && field.getName().endsWith("_KEY")) {
        expected.add((String) field.get(null));
      }
    }
    assertTrue(expected.size() > 10, expected.toString());
    Map<String, String> settings = OwnSettings.of(new Configuration(false));
    assertTrue(settings.keySet().containsAll(expected), settings.toString());
    assertEquals("0.0.0.0:9877", settings.get(PprKeys.DATANODE_ADDRESS_KEY));
    assertEquals("auto", settings.get(PprKeys.KERNEL_KEY));
    assertFalse(settings.containsKey(PprKeys.NAMENODE_LINK_RATE_KEY));
    assertFalse(settings.containsKey(PprKeys.REPAIR_DELAY_SPARE_KEY));
    assertTrue(settings.size() <= NodeSelf.SETTINGS_MAX, settings.size() + " settings");
  }

  @Test
  void equalValuesAreWrittenInOneWay() {
    Configuration conf = new Configuration(false);
    conf.set(PprKeys.DATANODE_BUFFER_BYTES_KEY, " 128M ");
    conf.set(PprKeys.DATANODE_STALL_TIMEOUT_MS_KEY, "7s");
    conf.set(PprKeys.VERIFY_KEY, "FULL");
    conf.set(PprKeys.DATANODE_UPDATE_LOG_DIR_KEY, "/secret/path");
    Map<String, String> settings = OwnSettings.of(conf);
    assertEquals("134217728", settings.get(PprKeys.DATANODE_BUFFER_BYTES_KEY));
    assertEquals("7000", settings.get(PprKeys.DATANODE_STALL_TIMEOUT_MS_KEY));
    assertEquals("full", settings.get(PprKeys.VERIFY_KEY));
    assertEquals("set", settings.get(PprKeys.DATANODE_UPDATE_LOG_DIR_KEY));
    assertEquals("none", OwnSettings.of(new Configuration(false))
        .get(PprKeys.DATANODE_UPDATE_LOG_DIR_KEY));
  }
}
