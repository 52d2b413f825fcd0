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
package org.hdfsppr.bench.simulate;

import org.hdfsppr.namenode.schedule.RepairProposal;

/**
 * A running repair in the simulation. Its rate and the part that is left are shares of the whole
 * repair, from 0 to 1.
 */
final class Flow {
  final RepairProposal repair;
  final int[] links;
  private final double[] bytes;
  private double left = 1;
  private double rate;
  private int round;

  /**
   * @param repair the repair; null in tests
   * @param links the links that the repair uses and that have a limited capacity, without
   *     duplicates
   * @param bytes contains at index i how many bytes the whole repair sends over {@code links[i]}
   */
  Flow(RepairProposal repair, int[] links, double[] bytes) {
    this.repair = repair;
    this.links = links;
    this.bytes = bytes;
  }

  double bytes(int i) {
    return bytes[i];
  }

  double bytesOn(int link) {
    int i = 0;
    while (links[i] != link) {
      i++;
    }
    return bytes[i];
  }

  int round() {
    return round;
  }

  void settle(double newRate, int newRound) {
    rate = newRate;
    round = newRound;
  }

  /** Returns the share of the repair that is done per second. */
  double rate() {
    return rate;
  }

  double secondsLeft() {
    return left / rate;
  }

  /** Returns the share of the repair that is done so far. */
  double done() {
    return 1 - left;
  }

  void advance(double seconds) {
    left -= rate * seconds;
  }
}
