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

import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.hadoop.metrics2.AbstractMetric;
import org.apache.hadoop.metrics2.MetricsRecord;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.MetricsTag;
import org.apache.hadoop.metrics2.impl.MetricsCollectorImpl;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;

/** What monitoring sees of a Metrics2 source, as text for a {@link Snapshot}. */
public final class MetricTexts {
  private MetricTexts() {
  }

  /**
   * @param source a source
   * @param hasValue whether the value of the metric of this name is the same in each run
   * @return its records: their tags and metrics, with the type, the description and the value
   */
  public static String records(MetricsSource source, Predicate<String> hasValue) {
    MetricsCollectorImpl collector = new MetricsCollectorImpl();
    source.getMetrics(collector, true);
    // The class of the records is not public in all Hadoops.
    List<? extends MetricsRecord> records = collector.getRecords();
    StringBuilder text = new StringBuilder();
    for (MetricsRecord record : records) {
      text.append("record ").append(record.name()).append(", context ").append(record.context())
          .append('\n');
      for (MetricsTag tag : record.tags()) {
        text.append("  tag ").append(tag.name()).append(" = ").append(tag.value()).append(" -- ")
            .append(tag.description()).append('\n');
      }
      for (AbstractMetric metric : record.metrics()) {
        text.append("  ").append(metric.type().toString().toLowerCase(Locale.ROOT))
            .append(' ').append(metric.name())
            .append(hasValue.test(metric.name()) ? " = " + text(metric.value()) : "")
            .append(" -- ").append(metric.description()).append('\n');
      }
    }
    return text.toString();
  }

  /** Hadoop's versions sum averages in other orders, and differ in the last digits. */
  private static String text(Number value) {
    return value instanceof Double
        ? BigDecimal.valueOf(value.doubleValue()).round(new MathContext(9)).toPlainString()
        : value.toString();
  }

  /**
   * Registers a source as if it were new. Its bean has the attributes that the source has at that
   * moment, and for some seconds no others.
   *
   * @param name the name under which the source is registered
   */
  public static void registerAnew(String name) {
    MetricsSystem system = DefaultMetricsSystem.instance();
    MetricsSource source = system.getSource(name);
    system.unregisterSource(name);
    system.register(name, "registered anew", source);
  }

  /**
   * @param pattern names beans of this process
   * @return the names of the beans, and the names, types and descriptions of their attributes
   */
  public static String beans(String pattern) throws JMException {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    TreeMap<String, ObjectName> names = new TreeMap<>();
    Set<ObjectName> found = server.queryNames(new ObjectName(pattern), null);
    found.forEach(name -> names.put(name.toString(), name));
    StringBuilder text = new StringBuilder();
    for (ObjectName name : names.values()) {
      MBeanInfo info = server.getMBeanInfo(name);
      text.append("bean ").append(name).append('\n');
      MBeanAttributeInfo[] attributes = info.getAttributes().clone();
      Arrays.sort(attributes, Comparator.comparing(MBeanAttributeInfo::getName));
      for (MBeanAttributeInfo attribute : attributes) {
        text.append("  ").append(attribute.getType()).append(' ').append(attribute.getName())
            .append(" -- ").append(attribute.getDescription()).append('\n');
      }
    }
    return text.toString();
  }
}
