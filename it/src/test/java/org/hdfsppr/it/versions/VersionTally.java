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
package org.hdfsppr.it.versions;

/** Counts what a random driver has done, and how versions have ended. */
final class VersionTally {

  /** How one version of a file has ended. */
  enum End {
    PUBLISHED("published"), AS_IT_WAS("as it was"), DELETED("deleted");

    private final String words;

    End(String words) {
      this.words = words;
    }
  }

  private final int[] ends = new int[End.values().length];
  private int withoutHarm;
  private int steps;
  private int harms;
  private int stops;
  private int nameNodeKills;
  private int dataNodeKills;
  private int changes;
  private int checks;

  void add(End end) {
    ends[end.ordinal()]++;
  }

  void addWithoutHarm(int versions) {
    withoutHarm += versions;
  }

  void addStep() {
    steps++;
  }

  /**
   * Adds a harm.
   *
   * @param isStop whether a version stands at a named moment
   */
  void addHarm(boolean isStop) {
    harms++;
    stops += isStop ? 1 : 0;
  }

  void addNameNodeKill() {
    nameNodeKills++;
  }

  void addDataNodeKill() {
    dataNodeKills++;
  }

  void addChange() {
    changes++;
  }

  void addCheck() {
    checks++;
  }

  /** Returns how many versions have ended in steps. */
  int versions() {
    int sum = 0;
    for (int count : ends) {
      sum += count;
    }
    return sum;
  }

  @Override
  public String toString() {
    StringBuilder words = new StringBuilder(versions() + " versions in " + steps + " steps:");
    for (End end : End.values()) {
      words.append(' ').append(ends[end.ordinal()]).append(' ').append(end.words).append(',');
    }
    return words + " " + harms + " harms, " + stops + " of them at a named moment: "
        + nameNodeKills + " kills of NameNodes, " + dataNodeKills + " of DataNodes, " + changes
        + " changes of files; " + checks + " checks of everything; and " + withoutHarm
        + " versions without harm, all published";
  }
}
