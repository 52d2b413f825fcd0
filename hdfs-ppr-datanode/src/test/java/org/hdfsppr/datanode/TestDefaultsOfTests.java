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
package org.hdfsppr.datanode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The copies of Hadoop's defaults that tests read have the values of those in Hadoop's jars. */
class TestDefaultsOfTests {
  private static Map<String, String> values(URL defaults) {
    Configuration conf = new Configuration(false);
    conf.addResource(defaults);
    Map<String, String> values = new TreeMap<>();
    for (Map.Entry<String, String> value : conf) {
      values.put(value.getKey(), conf.getRaw(value.getKey()));
    }
    return values;
  }

  @ParameterizedTest
  @ValueSource(strings = {"core-default.xml", "hdfs-default.xml"})
  void haveTheSameValues(String name) throws IOException {
    List<URL> all = Collections.list(Configuration.class.getClassLoader().getResources(name));
    assertEquals("file", all.get(0).getProtocol(), all.toString());
    Map<String, String> copied = values(all.get(0));
    assertTrue(copied.size() > 300, name + " has " + copied.size() + " settings");
    for (URL original : all.subList(1, all.size())) {
      assertEquals(values(original), copied, original.toString());
    }
    assertTrue(all.size() > 1, all.toString());
  }
}
