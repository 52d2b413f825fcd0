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
package org.hdfsppr.operate;

import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.operate.proto.ClientProtos.PendingUpdatesProto;

/**
 * The updates of a file that are in logs and in none of its versions: how many they are, and what
 * they change. Immutable.
 */
@InterfaceAudience.Private
public final class WaitingUpdates {
  /** The file */
  public final String path;
  /** The number of the last commit that is in the file's version */
  public final long committed;
  /** The number of the commit that will put new updates into a version */
  public final long next;
  /** The number of the last commit whose updates all logs have dropped */
  public final long trimmed;
  /** Units that have a log */
  public final int units;
  /** How many of these units have a log that did not answer */
  public final int silentUnits;
  /** Updates that no version has */
  public final long updates;
  /** Bytes of these updates */
  public final long loggedBytes;
  /** How many bytes of the file these updates change */
  public final long changedBytes;
  /** How many stripes of the file these updates change */
  public final long stripes;

  /** Counts of the updates that are in logs and in no version. Not thread-safe. */
  public static final class Numbers {
    /** Units that have a log. */
    public int units;
    /** How many of these units have a log that did not answer. */
    public int silentUnits;
    /** Updates. */
    public long updates;
    /** Their bytes. */
    public long loggedBytes;
    /** How many bytes of the file these updates change. */
    public long changedBytes;
    /** How many stripes of the file these updates change. */
    public long stripes;
  }

  /**
   * @param path the file
   * @param committed the number of the last commit that is in the file's version
   * @param next the number of the commit that will put new updates into a version
   * @param trimmed the number of the last commit whose updates all logs have dropped
   * @param numbers what is in logs
   */
  public WaitingUpdates(String path, long committed, long next, long trimmed, Numbers numbers) {
    this.path = Objects.requireNonNull(path, "path");
    this.committed = committed;
    this.next = next;
    this.trimmed = trimmed;
    this.units = numbers.units;
    this.silentUnits = numbers.silentUnits;
    this.updates = numbers.updates;
    this.loggedBytes = numbers.loggedBytes;
    this.changedBytes = numbers.changedBytes;
    this.stripes = numbers.stripes;
  }

  static WaitingUpdates parse(PendingUpdatesProto proto) {
    Numbers numbers = new Numbers();
    numbers.units = proto.getUnits();
    numbers.silentUnits = proto.getSilentUnits();
    numbers.updates = proto.getUpdates();
    numbers.loggedBytes = proto.getLoggedBytes();
    numbers.changedBytes = proto.getChangedBytes();
    numbers.stripes = proto.getStripes();
    return new WaitingUpdates(proto.getPath(), proto.getCommitted(), proto.getNext(),
        proto.getTrimmed(), numbers);
  }

  PendingUpdatesProto toProto() {
    return PendingUpdatesProto.newBuilder()
        .setPath(path)
        .setCommitted(committed)
        .setNext(next)
        .setTrimmed(trimmed)
        .setUnits(units)
        .setUpdates(updates)
        .setLoggedBytes(loggedBytes)
        .setChangedBytes(changedBytes)
        .setStripes(stripes)
        .setSilentUnits(silentUnits)
        .build();
  }
}
