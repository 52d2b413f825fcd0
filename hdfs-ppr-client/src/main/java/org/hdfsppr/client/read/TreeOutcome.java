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

/** The result of trying to rebuild a range through a tree. */
enum TreeOutcome {
  /** The tree has rebuilt the range. */
  REBUILT,
  /**
   * No tree was run, because decoding is expected to be faster; the client should decode. An
   * earlier tree for the same range may have failed.
   */
  NOT_TRIED,
  /** The client ended the tree because the tree took too long. */
  LATE
}
