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
package org.hdfsppr.namenode.record;

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;

/** A record in the namespace that cannot be read. */
@InterfaceAudience.Private
public final class BadRecordException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Why a record cannot be read. */
  public enum Why {
    /** A newer version of this software has written it. */
    TOO_NEW,
    /** This version does not know its format, which is older than those that it reads. */
    TOO_OLD,
    /** Its bytes are not those that hdfs-ppr has written. */
    CORRUPT
  }

  /** Why the record cannot be read */
  public final Why why;

  public BadRecordException(Why why, String message) {
    super(message);
    this.why = why;
  }
}
