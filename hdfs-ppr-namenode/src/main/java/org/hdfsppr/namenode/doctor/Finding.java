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
package org.hdfsppr.namenode.doctor;

import java.util.List;
import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;

/** What one check has found. Immutable. */
@InterfaceAudience.Private
public final class Finding {
  /** How urgent it is */
  public final Severity severity;
  /** Which check has found it */
  public final FindingCode code;
  /** The nodes that need the remedy, as host:port of stock's transfer port */
  public final List<String> nodes;
  /** What is wrong, or what was checked, in sentences */
  public final String text;

  private Finding(Severity severity, FindingCode code, List<String> nodes, String text) {
    this.severity = severity;
    this.code = Objects.requireNonNull(code, "code");
    this.nodes = List.copyOf(nodes);
    this.text = Objects.requireNonNull(text, "text");
  }

  static Finding error(FindingCode code, List<String> nodes, String text) {
    return new Finding(Severity.ERROR, code, nodes, text);
  }

  /**
   * @param code which check has found it
   * @param nodes the nodes that need the remedy, as host:port of stock's transfer port
   * @param text what is wrong, in sentences
   * @return a finding about something that may be on purpose, or may cost speed
   */
  public static Finding warning(FindingCode code, List<String> nodes, String text) {
    return new Finding(Severity.WARNING, code, nodes, text);
  }

  /**
   * @param code which check has found nothing
   * @param text what was checked, in sentences
   * @return the finding that this check has found nothing wrong
   */
  public static Finding ok(FindingCode code, String text) {
    return new Finding(Severity.OK, code, List.of(), text);
  }

  /** @return what to do, in sentences; empty if nothing is wrong */
  public String remedy() {
    return severity == Severity.OK ? "" : code.remedy;
  }

  @Override
  public String toString() {
    return severity + " " + code + " " + nodes + ": " + text;
  }

  /** How urgent a finding is, the most urgent first. */
  public enum Severity {
    /** Repairs fail or are slow because of the finding. */
    ERROR,
    /** The state may be on purpose, or may cost speed. */
    WARNING,
    /** The check has found nothing wrong. */
    OK
  }
}
