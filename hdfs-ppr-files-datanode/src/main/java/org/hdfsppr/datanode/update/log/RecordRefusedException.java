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

import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;

/** A record breaks a rule of its unit's history, so the log has not taken it. */
@InterfaceAudience.Private
public final class RecordRefusedException extends UpdateLogException {
  private static final long serialVersionUID = 1L;

  /** The rules. */
  public enum Reason {
    /**
     * The log knows a later term of the unit; or the record begins a term that has begun already.
     */
    STALE_TERM,
    /** The term of the record has not begun in this log. */
    UNKNOWN_TERM,
    /**
     * The record's number is not the next one: records before it are missing, or the log has it
     * already.
     */
    SEQUENCE,
    /**
     * The commit to which the record belongs is over, or is earlier than that of a record before
     * it.
     */
    EPOCH
  }

  /** The rule that the record breaks */
  public final Reason reason;

  RecordRefusedException(Reason reason, String message) {
    super(message);
    this.reason = Objects.requireNonNull(reason, "reason");
  }
}
