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
package org.hdfsppr.core.membership;

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;

/** The record of a CORE group cannot be read, so that no repair may use the group's columns. */
@InterfaceAudience.Private
public final class BadMembershipException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Why a record cannot be read. */
  public enum Why {
    /** A newer version of this software has written it. */
    TOO_NEW,
    /** Its bytes have changed since they were written, or are not a record at all. */
    CORRUPT
  }

  /** The kind of error */
  public final Why why;

  BadMembershipException(Why why, String message, Throwable cause) {
    super("The record of a CORE group cannot be read: " + message, cause);
    this.why = why;
  }

  static BadMembershipException corrupt(String message, Throwable cause) {
    return new BadMembershipException(Why.CORRUPT, message, cause);
  }
}
