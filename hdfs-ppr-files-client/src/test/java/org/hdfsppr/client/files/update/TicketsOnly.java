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
package org.hdfsppr.client.files.update;

import org.hdfsppr.operate.UpdateProtocol;

/** A NameNode of tests that gives tickets of files which are updatable, and does nothing else. */
interface TicketsOnly extends UpdateProtocol {
  @Override
  default boolean setUpdatable(String directory, boolean isUpdatable, String strategy) {
    throw new UnsupportedOperationException();
  }

  @Override
  default boolean isUpdatable(String path) {
    return true;
  }
}
