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
package org.hdfsppr.namenode.track;

import org.apache.hadoop.classification.InterfaceAudience;

/** The work of all repairs together: what is under way, and what is done. Immutable. */
@InterfaceAudience.Private
public final class RepairWork {
  /** No work at all. */
  public static final RepairWork NONE = new Builder().build();

  private final Builder all;

  private RepairWork(Builder all) {
    this.all = all;
  }

  /** @return how many groups are being repaired; a group may have several commands */
  public int groups() {
    return all.groups;
  }

  /** @return how many of these groups lose data if one more of their units is lost */
  public int atRisk() {
    return all.atRisk;
  }

  /** @return bytes that the repairs under way have rebuilt so far, as destinations report */
  public long bytesInProgress() {
    return all.bytesInProgress;
  }

  /** @return bytes that the repairs under way still have to rebuild */
  public long bytesLeft() {
    return all.bytesLeft;
  }

  /** @return how many repairs are done since the start */
  public long done() {
    return all.done;
  }

  /** @return bytes of the units that repairs have rebuilt since the start */
  public long bytesDone() {
    return all.bytesDone;
  }

  /** Collects the values. Used by one thread, once. */
  public static final class Builder {
    private int groups;
    private int atRisk;
    private long bytesInProgress;
    private long bytesLeft;
    private long done;
    private long bytesDone;

    /**
     * Sets what is done.
     *
     * @param repairs how many repairs are done since the start
     * @param bytes bytes of the units that they have rebuilt
     * @return this
     */
    public Builder done(long repairs, long bytes) {
      done = repairs;
      bytesDone = bytes;
      return this;
    }

    /**
     * Adds a repair under way.
     *
     * @param bytes bytes of the units that it rebuilds
     * @param doneShare how much of it is done, 0 to 1
     * @param isAtRisk whether its group loses data if one more of its units is lost
     * @return this
     */
    public Builder add(long bytes, double doneShare, boolean isAtRisk) {
      long rebuilt = Math.round(bytes * Math.max(0, Math.min(1, doneShare)));
      groups++;
      atRisk += isAtRisk ? 1 : 0;
      bytesInProgress += rebuilt;
      bytesLeft += bytes - rebuilt;
      return this;
    }

    /**
     * Makes the value. The builder must not be used afterwards.
     *
     * @return the work
     */
    public RepairWork build() {
      return new RepairWork(this);
    }
  }
}
