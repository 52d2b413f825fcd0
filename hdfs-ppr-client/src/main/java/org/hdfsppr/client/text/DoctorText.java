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
package org.hdfsppr.client.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.classification.InterfaceAudience;

/** Orders the findings of the document {@code /v1/doctor}, and writes them for people. */
@InterfaceAudience.Private
public final class DoctorText {
  /** A finding of this severity makes the check fail. */
  public static final String ERROR = "error";
  /** Severity of what should be changed, although it does no harm now. */
  public static final String WARNING = "warning";
  private static final String OK = "ok";
  /** From the worst to the best. An unknown severity of a newer NameNode counts as the worst. */
  private static final List<String> SEVERITIES = Arrays.asList(ERROR, WARNING, OK);
  /** How many nodes with the same finding are printed at most; -json has all nodes. */
  private static final int NODES_MAX = 8;

  private DoctorText() {
  }

  /**
   * Orders findings.
   *
   * @param findings the findings, which stay as they are
   * @return the findings, the worst first, otherwise in the given order
   */
  public static List<JsonNode> worstFirst(Iterable<JsonNode> findings) {
    List<JsonNode> sorted = new ArrayList<>();
    findings.forEach(sorted::add);
    sorted.sort(Comparator.comparingInt(one -> SEVERITIES.indexOf(severity(one))));
    return sorted;
  }

  /**
   * Writes findings.
   *
   * @param findings the findings, the worst first
   * @return lines of at most 80 columns
   */
  public static String of(List<JsonNode> findings) {
    TextLines lines = new TextLines();
    for (JsonNode finding : findings) {
      String nodes = nodes(PageFields.texts(finding, "nodes"));
      lines.fact(severity(finding).toUpperCase(Locale.ROOT),
          PageFields.text(finding, "text", PageFields.text(finding, "code", Quantities.UNKNOWN)));
      if (!severity(finding).equals(OK)) {
        if (!nodes.isEmpty()) {
          lines.fact("  on", nodes);
        }
        PageFields.text(finding, "remedy").ifPresent(remedy -> lines.fact("  do", remedy));
      }
    }
    return lines.paragraph(0, Quantities.count(number(findings, ERROR), "error") + ", "
        + Quantities.count(number(findings, WARNING), "warning")).toString();
  }

  /**
   * Counts findings.
   *
   * @param severity the severity of those that count
   */
  public static long number(List<JsonNode> findings, String severity) {
    return findings.stream().filter(one -> severity(one).equals(severity)).count();
  }

  private static String severity(JsonNode finding) {
    return PageFields.text(finding, "severity", ERROR);
  }

  private static String nodes(List<String> nodes) {
    return nodes.size() <= NODES_MAX ? String.join(", ", nodes)
        : String.join(", ", nodes.subList(0, NODES_MAX)) + " and "
            + (nodes.size() - NODES_MAX) + " more";
  }
}
