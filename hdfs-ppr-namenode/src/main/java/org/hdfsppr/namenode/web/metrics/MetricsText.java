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
package org.hdfsppr.namenode.web.metrics;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.manage.status.Durations;
import org.hdfsppr.namenode.manage.status.ManagerCounter;
import org.hdfsppr.namenode.manage.status.ManagerMetrics;
import org.hdfsppr.namenode.manage.status.ManagerStatus;
import org.hdfsppr.namenode.manage.status.StatusNumber;

/**
 * Writes metrics in Prometheus' text format 0.0.4. Each family has a HELP line, a TYPE line and
 * then its samples. Used by one thread.
 *
 * <p>Names of families are constants in the code. A wrong name is therefore a programming error,
 * and methods throw {@link IllegalArgumentException} for it. Values of labels may have any
 * characters.
 */
@InterfaceAudience.Private
public final class MetricsText {
  /** The content type of the format. */
  static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]*[a-z0-9]");
  /** Up to this number, a double represents each whole number exactly. */
  private static final double WHOLE_MAX = 1L << 53;

  private final StringBuilder out = new StringBuilder();
  private final Set<String> families = new HashSet<>();

  /** A family of metrics, to which samples are written until the next family begins. */
  public final class Family {
    private final String name;

    private Family(String name) {
      this.name = name;
    }

    /**
     * Writes a sample.
     *
     * @param value the value
     * @param labels names and values of labels in turn; the values may have any characters
     * @return this
     */
    public Family sample(double value, String... labels) {
      write(name, value, labels);
      return this;
    }
  }

  /**
   * Begins a family whose values rise and fall.
   *
   * @param name the family's name, which does not end in {@code _total}
   * @param help what the values are, in a sentence
   * @return the family, to which samples are written until the next family begins
   */
  public Family gauge(String name, String help) {
    if (name.endsWith("_total")) {
      throw new IllegalArgumentException(name + " is no counter, but its name says so");
    }
    return family(name, "gauge", help);
  }

  /**
   * Begins a family whose values only rise, until the NameNode starts again.
   *
   * @param name the family's name, which ends in {@code _total}
   * @param help what the values are, in a sentence
   * @return the family, to which samples are written until the next family begins
   */
  public Family counter(String name, String help) {
    if (!name.endsWith("_total")) {
      throw new IllegalArgumentException("The name of a counter ends in _total, not so " + name);
    }
    return family(name, "counter", help);
  }

  /** Writes families of numbers of a status, in this order. */
  void numbers(ManagerStatus status, StatusNumber... which) {
    for (StatusNumber each : which) {
      gauge(each.family, each.help).sample(status.get(each));
    }
  }

  /**
   * Writes families of counters.
   *
   * @param metrics have counted
   * @param which what was counted, in the order of the page
   */
  public void counters(ManagerMetrics metrics, ManagerCounter... which) {
    for (ManagerCounter each : which) {
      counter(each.family, each.help).sample(metrics.counted(each));
    }
  }

  /** Begins a family of distributions of durations; {@link #durations} writes its samples. */
  Family histogram(String name, String help) {
    if (!name.endsWith("_seconds")) {
      throw new IllegalArgumentException("The name of durations ends in _seconds, not so " + name);
    }
    return family(name, "histogram", help);
  }

  /** Writes one distribution of a family that {@link #histogram} has begun. */
  void durations(Family family, Durations.Snapshot times, String... labels) {
    String[] all = new String[labels.length + 2];
    System.arraycopy(labels, 0, all, 0, labels.length);
    all[labels.length] = "le";
    for (int i = 0; i <= times.size(); i++) {
      boolean last = i == times.size();
      all[labels.length + 1] = last ? "+Inf" : number(times.boundSeconds(i));
      write(family.name + "_bucket", last ? times.count() : times.countUpTo(i), all);
    }
    write(family.name + "_sum", times.sumSeconds, labels);
    write(family.name + "_count", times.count(), labels);
  }

  private Family family(String name, String type, String help) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("Not a name of a metric: " + name);
    }
    if (!families.add(name)) {
      throw new IllegalArgumentException(name + " is there already");
    }
    out.append("# HELP ").append(name).append(' ')
        .append(help.replace("\\", "\\\\").replace("\n", "\\n")).append('\n');
    out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    return new Family(name);
  }

  private void write(String name, double value, String... labels) {
    out.append(name);
    for (int i = 0; i < labels.length; i += 2) {
      out.append(i == 0 ? '{' : ',').append(labels[i]).append("=\"")
          .append(escaped(labels[i + 1])).append('"');
    }
    out.append(labels.length == 0 ? " " : "} ").append(number(value)).append('\n');
  }

  private static String escaped(String value) {
    return value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }

  /**
   * Returns a number as text. Whole numbers have no fraction and no exponent, for human readers.
   */
  private static String number(double value) {
    if (Double.isInfinite(value)) {
      return value > 0 ? "+Inf" : "-Inf";
    }
    return value == Math.rint(value) && Math.abs(value) < WHOLE_MAX
        ? Long.toString((long) value) : Double.toString(value);
  }

  /** @return all that was written, UTF-8 */
  byte[] bytes() {
    return out.toString().getBytes(StandardCharsets.UTF_8);
  }
}
