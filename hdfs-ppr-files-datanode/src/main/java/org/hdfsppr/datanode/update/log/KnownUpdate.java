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
package org.hdfsppr.datanode.update.log;

import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Says whether the history of a unit already has an update that its writer sends, perhaps not for
 * the first time. Immutable.
 */
@InterfaceAudience.Private
public final class KnownUpdate {
  /** The history has neither this update nor a later one of its writer. */
  static final KnownUpdate NEW = new KnownUpdate(null, null);
  /**
   * The history has a later update of the same writer. A correct writer sends no earlier one after
   * that.
   */
  static final KnownUpdate OLDER =
      new KnownUpdate(null, "the history has a later update of this writer");
  /**
   * The log has dropped updates since the writer first sent this one. This one may be among the
   * dropped updates.
   */
  static final KnownUpdate FORGOTTEN = new KnownUpdate(null, "the log has dropped updates since"
      + " the writer sent this one first, and it may have been among them");

  private final LogEntry entry;
  private final String doubt;

  private KnownUpdate(LogEntry entry, String doubt) {
    this.entry = entry;
    this.doubt = doubt;
  }

  static KnownUpdate of(LogEntry entry) {
    return new KnownUpdate(entry, null);
  }

  /** @return the update; empty if the log does not have it */
  public Optional<LogEntry> entry() {
    return Optional.ofNullable(entry);
  }

  /** @return why the update must not be added; empty if it may be added, or is already there */
  public Optional<String> doubt() {
    return Optional.ofNullable(doubt);
  }
}
