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

import java.util.ArrayList;
import java.util.List;
import org.hdfsppr.client.patience.ClientLink;

/** The state that the pieces of one read share. */
final class OpenRead {
  final LocatedGroup group;
  private final int pieces;
  private final ClientLink.Use use;
  /** All pieces of the read. The list is complete once the first piece has begun. */
  final List<PendingUnitRead> underway = new ArrayList<>();
  /** The fetches of the units from which lost units are decoded. */
  final SharedFetches sources = new SharedFetches();

  /**
   * @param pieces the number of units from which the read wants bytes
   * @param use knows whether other reads use the client's link at the same time
   */
  OpenRead(LocatedGroup group, int pieces, ClientLink.Use use) {
    this.group = group;
    this.pieces = pieces;
    this.use = use;
  }

  /** Adds a piece. The reader's thread calls this method before anything is read. */
  void add(PendingUnitRead piece) {
    underway.add(piece);
  }

  /** Makes a new attempt to get one of the pieces. */
  ReadAttempt attempt() {
    return new ReadAttempt(use, pieces);
  }
}
