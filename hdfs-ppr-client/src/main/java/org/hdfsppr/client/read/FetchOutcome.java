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

/**
 * Says whether all bytes from which a range is decoded have arrived, and if not, why. Immutable.
 */
final class FetchOutcome {
  private static final FetchOutcome COMPLETE = new FetchOutcome(null);

  /** The reason why bytes have not arrived; null if {@link #isComplete}. */
  final IOException failure;

  private FetchOutcome(IOException failure) {
    this.failure = failure;
  }

  static FetchOutcome complete() {
    return COMPLETE;
  }

  /** @param failure why a fetch has failed; one of the failures if several fetches have failed */
  static FetchOutcome failed(IOException failure) {
    return new FetchOutcome(failure);
  }

  boolean isComplete() {
    return failure == null;
  }
}
