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
package org.hdfsppr.client.patience;

import org.apache.hadoop.classification.InterfaceAudience;

/** Lets one hedge begin. If the hedge does not begin, the caller gives the permit back. */
@InterfaceAudience.Private
public final class HedgePermit {
  private final Runnable giveBack;

  HedgePermit(Runnable giveBack) {
    this.giveBack = giveBack;
  }

  /**
   * Gives the reads of the hedge back to the budget, because the hedge has not begun. Called once
   * at most.
   */
  public void giveBack() {
    giveBack.run();
  }
}
