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
package org.hdfsppr.namenode.schedule;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.model.LostGroup;

/**
 * A group in a {@link RepairQueue}, and its place there. The natural order is the order of repair.
 */
@InterfaceAudience.Private
public final class QueuedGroup implements Comparable<QueuedGroup> {
  /** The places in which a group can be. */
  public enum Place {
    /** The group is ready for its next try. */
    READY,
    /** The group waits until a node or rack has less to do. */
    PARKED,
    /** The group waits until a certain time. */
    POSTPONED,
    /**
     * Too many units of the group are lost, and it waits until some of them come back; or it waits
     * for repairs of other rows of its CORE group.
     */
    ASIDE,
    /** The group is no longer in the queue. */
    OUT
  }

  /** The group */
  public final LostGroup group;
  /** Whether clients that read the group have to rebuild lost units */
  public final boolean readDegraded;
  /** Whether an operator wants the group before all others */
  public final boolean prioritized;
  final long number;
  private Place place = Place.OUT;
  private int parkedAt;
  private int parkings;
  private Integer wokenAt;
  private int wakes;
  private long notBeforeMs;

  /**
   * @param prioritized whether an operator wants the group before all others
   * @param number grows with each addition to the queue; the lower number comes first among groups
   *     that have waited equally long
   */
  QueuedGroup(LostGroup group, boolean readDegraded, boolean prioritized, long number) {
    this.group = group;
    this.readDegraded = readDegraded;
    this.prioritized = prioritized;
    this.number = number;
  }

  /**
   * Returns a queued group with a newer view of the same group. Keeps the count of {@link
   * #parkings}.
   */
  QueuedGroup with(LostGroup newer, boolean isReadDegraded, boolean isPrioritized,
      long newNumber) {
    QueuedGroup queued = new QueuedGroup(newer, isReadDegraded, isPrioritized, newNumber);
    queued.parkings = parkings;
    return queued;
  }

  /** @return where the group waits */
  public Place place() {
    return place;
  }

  void setPlace(Place now) {
    place = now;
  }

  /**
   * @return if the group is {@link Place#PARKED}, the node or rack for which it waits, as a place
   *     of {@link LinkOrDisk}
   */
  public int parkedAt() {
    return parkedAt;
  }

  void parkAt(int where) {
    place = Place.PARKED;
    parkedAt = where;
    parkings++;
  }

  /**
   * Returns how often the repair could not begin because other repairs kept a node or rack busy.
   */
  int parkings() {
    return parkings;
  }

  /**
   * Returns the node or rack whose load has fallen, so that the group is tried again, as a place of
   * {@link LinkOrDisk}; null if the group is tried for another reason.
   */
  Integer wokenAt() {
    return wokenAt;
  }

  /**
   * Returns how many groups that wait for the place {@link #wokenAt} may be tried one after the
   * other, including this one.
   */
  int wakes() {
    return wakes;
  }

  void setWokenAt(Integer where, int wakesLeft) {
    wokenAt = where;
    wakes = wakesLeft;
  }

  /** @return the time from which a {@link Place#POSTPONED} group may be tried, monotonic, ms */
  public long notBeforeMs() {
    return notBeforeMs;
  }

  /**
   * @param delayMs how long each group waits after its loss for its nodes to come back, ms; 0 if
   *     groups do not wait
   * @return whether the group now waits for its nodes to come back
   */
  public boolean isDelayed(long delayMs) {
    return delayMs > 0 && place == Place.POSTPONED && notBeforeMs - group.sinceMs == delayMs;
  }

  void setNotBeforeMs(long ms) {
    notBeforeMs = ms;
  }

  /**
   * Groups that an operator has prioritized come before all others. Otherwise groups with less
   * redundancy come first. Among groups of equal redundancy, those that clients read degraded come
   * first, and then the groups that were queued earlier.
   */
  @Override
  public int compareTo(QueuedGroup other) {
    if (prioritized != other.prioritized) {
      return prioritized ? -1 : 1;
    }
    int spare = Integer.compare(group.spareUnits, other.group.spareUnits);
    if (spare != 0) {
      return spare;
    }
    if (readDegraded != other.readDegraded) {
      return readDegraded ? -1 : 1;
    }
    int age = Long.compare(group.sinceMs, other.group.sinceMs);
    return age != 0 ? age : Long.compare(number, other.number);
  }

  @Override
  public boolean equals(Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(number);
  }

  @Override
  public String toString() {
    return group + " " + place;
  }
}
