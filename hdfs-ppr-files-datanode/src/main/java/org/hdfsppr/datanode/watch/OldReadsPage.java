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
package org.hdfsppr.datanode.watch;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.manage.OldReads;

/** A part of the list of all reads of old blocks, and the number of its last read. Immutable. */
@InterfaceAudience.Private
public final class OldReadsPage {
  /** The reads */
  public final OldReads reads;
  /** The number after which the next part of the list begins */
  public final int last;

  OldReadsPage(OldReads reads, int last) {
    this.reads = reads;
    this.last = last;
  }
}
