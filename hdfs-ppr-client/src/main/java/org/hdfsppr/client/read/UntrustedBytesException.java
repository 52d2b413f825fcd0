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
package org.hdfsppr.client.read;

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.conf.Runbook;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.wire.RepairException;

/**
 * The bytes that could be read are not, or may not be, the bytes that were written. Either rebuilt
 * bytes contradict the units that are left, or the file's path now belongs to another file. The
 * read fails. It neither returns these bytes nor gets them in another way that would not notice the
 * contradiction.
 */
@InterfaceAudience.Private
public class UntrustedBytesException extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes an exception with the reason why the bytes must not be read.
   *
   * @param message the reason, in a sentence for people
   * @param cause may be null
   */
  public UntrustedBytesException(String message, IOException cause) {
    super(message, cause);
  }

  /**
   * Makes an exception for rebuilt bytes that do not pass their check.
   *
   * @param group the group whose units contradict each other
   * @param range the range that was rebuilt
   */
  static UntrustedBytesException contradiction(GroupId group, UnitRange range,
      RepairException cause) {
    return new UntrustedBytesException("Unit " + range.unit + " of block group "
        + group + " was rebuilt, and the units that are left contradict each other"
        + " although their checksums are right, so that one of them is wrong: compare the"
        + " file with a copy, or run " + Runbook.VERIFY_FILE + ". " + cause.getMessage(), cause);
  }
}
