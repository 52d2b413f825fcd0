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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Parses Prometheus' text format 0.0.4 strictly, and checks the habits of names: what Prometheus
 * would accept with a warning, or drop, is an error here.
 */
@InterfaceAudience.Private
public final class PromText {
  private static final Pattern HELP = Pattern.compile("# HELP ([a-z][a-z0-9_]*) (.*)");
  private static final Pattern TYPE =
      Pattern.compile("# TYPE ([a-z][a-z0-9_]*) (counter|gauge|histogram)");
  private static final Pattern SAMPLE =
      Pattern.compile("([a-z][a-z0-9_]*)(\\{(.*)\\})? (\\S+)",
          Pattern.DOTALL);
  private static final Pattern LABEL =
      Pattern.compile("([a-z_][a-z0-9_]*)=\"((?:[^\"\\\\]|\\\\[\\\\\"n])*)\"(,(?=.)|$)",
          Pattern.DOTALL);
  private static final Pattern NUMBER =
      Pattern.compile("[+-]Inf|NaN|-?[0-9]+(\\.[0-9]+)?(E-?[0-9]+)?");

  /** The families by name, in the order of the page. */
  public final Map<String, Family> families = new LinkedHashMap<>();

  /** A family of metrics: its samples have its name, or its name and a suffix of histograms. */
  public static final class Family {
    final String name;
    final String help;
    /** The type: counter, gauge or histogram */
    public String type;
    /** The samples, in the order of the page */
    public final List<Sample> samples = new ArrayList<>();

    private Family(String name, String help) {
      this.name = name;
      this.help = help;
    }

    private boolean owns(String sample) {
      return type.equals("histogram")
          ? List.of(name + "_bucket", name + "_sum", name + "_count").contains(sample)
          : sample.equals(name);
    }
  }

  /** A sample, with its labels in the order of their names. */
  public static final class Sample {
    final String name;
    /** The values of the labels, by their names */
    public final SortedMap<String, String> labels;
    final double value;

    private Sample(String name, SortedMap<String, String> labels, double value) {
      this.name = name;
      this.labels = labels;
      this.value = value;
    }

    @Override
    public String toString() {
      return name + labels;
    }
  }

  private PromText() {
  }

  /**
   * Parses a page.
   *
   * @param page UTF-8
   * @return its families
   * @throws IllegalArgumentException if anything is wrong; the message has the line
   */
  public static PromText parse(byte[] page) {
    String all = new String(page, StandardCharsets.UTF_8);
    PromText text = new PromText();
    if (!all.endsWith("\n")) {
      throw new IllegalArgumentException("The last line does not end");
    }
    Family family = null;
    // The limit keeps empty lines.
    for (String line : all.substring(0, all.length() - 1).split("\n", -1)) {
      try {
        family = text.take(line, family);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(e.getMessage() + ", in the line: " + line, e);
      }
    }
    text.families.values().forEach(PromText::check);
    return text;
  }

  private Family take(String line, Family family) {
    Matcher help = HELP.matcher(line);
    Matcher type = TYPE.matcher(line);
    if (help.matches()) {
      check(family == null || family.type != null, "a family has no TYPE");
      check(help.group(2).endsWith("."), "a help is a sentence");
      Family next = new Family(help.group(1), help.group(2));
      check(families.put(next.name, next) == null, "the family is there twice");
      return next;
    }
    check(family != null, "there is no HELP yet");
    if (type.matches()) {
      check(type.group(1).equals(family.name) && family.type == null, "TYPE does not follow HELP");
      family.type = type.group(2);
      check(family.type.equals("counter") == family.name.endsWith("_total"),
          "counters and nothing else end in _total");
      return family;
    }
    Sample sample = sample(line);
    check(family.type != null && family.owns(sample.name), "the sample is of another family");
    check(family.samples.stream().noneMatch(other -> other.name.equals(sample.name)
        && other.labels.equals(sample.labels)), "the series is there twice");
    check(!family.type.equals("counter") || sample.value >= 0 && sample.value < 1e300,
        "no value of a counter");
    family.samples.add(sample);
    return family;
  }

  private static Sample sample(String line) {
    Matcher sample = SAMPLE.matcher(line);
    check(sample.matches(), "no sample");
    check(NUMBER.matcher(sample.group(4)).matches(), "no number");
    SortedMap<String, String> labels = new TreeMap<>();
    if (sample.group(2) != null) {
      Matcher label = LABEL.matcher(sample.group(3));
      int end = 0;
      while (label.find()) {
        check(label.start() == end, "no label");
        end = label.end();
        check(labels.put(label.group(1), unescaped(label.group(2))) == null, "a label twice");
      }
      check(!labels.isEmpty() && end == sample.group(3).length(), "no label");
    }
    return new Sample(sample.group(1), labels,
        Double.parseDouble(sample.group(4).replace("Inf", "Infinity")));
  }

  private static String unescaped(String value) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '\\') {
        char next = value.charAt(++i);
        text.append(next == 'n' ? '\n' : next);
      } else {
        text.append(c);
      }
    }
    return text.toString();
  }

  private static void check(boolean right, String what) {
    if (!right) {
      throw new IllegalArgumentException(what);
    }
  }

  private static void check(Family family) {
    check(family.type != null, family.name + " has no TYPE");
    if (family.type.equals("histogram")) {
      Map<SortedMap<String, String>, List<Sample>> distributions = new LinkedHashMap<>();
      for (Sample sample : family.samples) {
        SortedMap<String, String> labels = new TreeMap<>(sample.labels);
        labels.remove("le");
        distributions.computeIfAbsent(labels, any -> new ArrayList<>()).add(sample);
      }
      distributions.values().forEach(samples -> checkHistogram(family.name, samples));
    }
  }

  private static void checkHistogram(String name, List<Sample> samples) {
    int buckets = samples.size() - 2;
    check(buckets >= 1, name + " has too few samples");
    double bound = Double.NEGATIVE_INFINITY;
    double count = 0;
    for (Sample bucket : samples.subList(0, buckets)) {
      check(bucket.name.equals(name + "_bucket"), bucket + " is no bucket");
      double le = Double.parseDouble(bucket.labels.get("le").replace("Inf", "Infinity"));
      check(le > bound && bucket.value >= count, bucket + " does not ascend");
      bound = le;
      count = bucket.value;
    }
    check(bound == Double.POSITIVE_INFINITY, name + " has no last bucket");
    check(samples.get(buckets).name.equals(name + "_sum"), name + " has no sum");
    Sample last = samples.get(buckets + 1);
    check(last.name.equals(name + "_count") && last.value == count, name + " has a wrong count");
  }

  /** @return the samples by name, such as {@code x_bucket}, each with its labels */
  public Map<String, List<Sample>> samplesByName() {
    Map<String, List<Sample>> all = new TreeMap<>();
    families.values().forEach(family -> family.samples.forEach(sample ->
        all.computeIfAbsent(sample.name, any -> new ArrayList<>()).add(sample)));
    return all;
  }

  /**
   * Returns the value of one series.
   *
   * @param labels names and values of labels in turn, in any order
   * @throws IllegalArgumentException if there is no such series
   */
  double value(String name, String... labels) {
    Map<String, String> wanted = new TreeMap<>();
    for (int i = 0; i < labels.length; i += 2) {
      wanted.put(labels[i], labels[i + 1]);
    }
    return samplesByName().getOrDefault(name, List.of()).stream()
        .filter(sample -> sample.labels.equals(wanted)).findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no " + name + wanted)).value;
  }
}
