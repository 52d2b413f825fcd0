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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.plan.TreeTopologies;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * Tests that {@link PprKeys} and {@code hdfs-ppr-default.xml} name the same settings with the same
 * defaults.
 */
@InterfaceAudience.Private
class TestPprKeys {
  private static final String FILE = "hdfs-ppr-default.xml";
  private static final int DESCRIPTION_LENGTH_LEAST = 60;

  /**
   * Returns the constants whose names end in {@code suffix}. The keys are the names without the
   * suffix.
   */
  private static Map<String, String> constants(String suffix) throws IllegalAccessException {
    Map<String, String> values = new TreeMap<>();
    for (Field field : PprKeys.class.getFields()) {
      if (Modifier.isStatic(field.getModifiers()) && field.getName().endsWith(suffix)) {
        String name = field.getName();
        values.put(name.substring(0, name.length() - suffix.length()),
            String.valueOf(field.get(null)));
      }
    }
    return values;
  }

  /** Returns the properties of the file. */
  private static Map<String, Element> properties() throws Exception {
    Map<String, Element> properties = new TreeMap<>();
    try (InputStream in = PprKeys.class.getClassLoader().getResourceAsStream(FILE)) {
      assertNotNull(in, FILE);
      NodeList nodes = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in)
          .getElementsByTagName("property");
      for (int i = 0; i < nodes.getLength(); i++) {
        Element property = (Element) nodes.item(i);
        assertEquals(null, properties.put(text(property, "name"), property), "described twice");
      }
    }
    return properties;
  }

  private static String text(Element property, String tag) {
    NodeList found = property.getElementsByTagName(tag);
    assertEquals(1, found.getLength(), () -> tag + " of " + property.getTextContent());
    return found.item(0).getTextContent().trim();
  }

  @Test
  void everyKeyHasADefault() throws Exception {
    assertEquals(constants("_KEY").keySet(), constants("_DEFAULT").keySet());
    assertEquals(PprKeys.class.getFields().length, 2 * constants("_KEY").size(),
        "a field that is neither key nor default");
  }

  @Test
  void everyKeyIsDescribedWithItsDefault() throws Exception {
    Map<String, String> keys = constants("_KEY");
    Map<String, String> defaults = constants("_DEFAULT");
    Map<String, Element> properties = properties();
    for (Map.Entry<String, String> key : keys.entrySet()) {
      Element property = properties.get(key.getValue());
      assertNotNull(property, key.getValue() + " is not in " + FILE);
      assertEquals(defaults.get(key.getKey()), text(property, "value"), key.getValue());
      String description = text(property, "description");
      assertTrue(description.length() >= DESCRIPTION_LENGTH_LEAST, key.getValue());
    }
  }

  @Test
  void everythingDescribedIsAKey() throws Exception {
    Map<String, Element> described = properties();
    described.keySet().removeAll(constants("_KEY").values());
    assertTrue(described.isEmpty(), () -> described.keySet() + " are no keys");
  }

  @Test
  void keysAreNamedAsHadoopNamesThem() throws Exception {
    for (String key : constants("_KEY").values()) {
      assertTrue(key.matches(
          "dfs(\\.datanode|\\.namenode|\\.client)?\\.ppr(\\.[a-z]+(-[a-z]+)?)+"), key);
    }
  }

  /**
   * If a name does not contain the unit, an operator may set a number that is a thousand times too
   * high.
   */
  @Test
  void unitsAreSaid() throws Exception {
    Map<String, Element> properties = properties();
    for (Map.Entry<String, Element> property : properties.entrySet()) {
      String description = text(property.getValue(), "description");
      if (property.getKey().endsWith(".ms")) {
        assertTrue(description.contains("millisecond"), property.getKey());
      } else if (property.getKey().endsWith("bytes")) {
        assertTrue(description.contains("bytes"), property.getKey());
      } else if (property.getKey().endsWith("percent")) {
        assertTrue(description.contains("percent"), property.getKey());
      }
      if (text(property.getValue(), "value").matches("\\d+")) {
        assertTrue(description.matches("(?s).*From \\d+ .*to \\d+.*"),
            property.getKey() + " says no range");
      }
    }
  }

  @Test
  void namesAreThoseOfTheCode() throws Exception {
    String topology = text(properties().get(PprKeys.PLAN_TOPOLOGY_KEY), "description");
    TreeTopologies.all().forEach(known ->
        assertTrue(topology.contains(known.name() + ":"), known.name()));
    assertEquals(PprKeys.PLAN_TOPOLOGY_DEFAULT,
        TreeTopologies.byName(PprKeys.PLAN_TOPOLOGY_DEFAULT).name());
  }

  /** Hadoop's Configuration can read the file too, so the file can be a default resource. */
  @Test
  void hadoopReadsIt() throws Exception {
    Configuration conf = new Configuration(false);
    conf.addResource(FILE);
    Map<String, String> keys = constants("_KEY");
    Map<String, String> defaults = constants("_DEFAULT");
    keys.forEach((name, key) -> assertEquals(defaults.get(name), conf.get(key), key));
    assertEquals(keys.size(), conf.size());
  }
}
