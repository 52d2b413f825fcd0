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
package org.hdfsppr.namenode.core;

import org.apache.hadoop.classification.InterfaceAudience;

/** Counts what becomes of CORE groups, for metrics. One thread calls it. */
@InterfaceAudience.Private
public interface CoreTally {
  /** Counts nothing. */
  CoreTally NONE = new CoreTally() {
    @Override
    public void formed(long memberBytes, long movedBytes) {
      // Nothing is counted.
    }

    @Override
    public void dissolved() {
      // Nothing is counted.
    }

    @Override
    public void failed() {
      // Nothing is counted.
    }
  };

  /**
   * A group was formed.
   *
   * @param memberBytes bytes of file data in its members
   * @param movedBytes bytes that went from node to node for it, as planned
   */
  void formed(long memberBytes, long movedBytes);

  /** A group was dissolved. */
  void dissolved();

  /** A group could not be made. */
  void failed();
}
