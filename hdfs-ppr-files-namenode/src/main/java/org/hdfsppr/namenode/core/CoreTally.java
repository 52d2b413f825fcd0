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

/**
 * Counts the CORE groups that are formed, dissolved, or fail, for metrics. Called by one thread.
 */
@InterfaceAudience.Private
public interface CoreTally {
  /** A tally that counts nothing. */
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
   * Counts a group that was formed.
   *
   * @param memberBytes bytes of file data in its members
   * @param movedBytes bytes that nodes sent to each other to make its parity file, as planned
   */
  void formed(long memberBytes, long movedBytes);

  /** Counts a group that was dissolved. */
  void dissolved();

  /** Counts a group that could not be made. */
  void failed();
}
