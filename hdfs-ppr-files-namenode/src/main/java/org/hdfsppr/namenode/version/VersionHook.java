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
package org.hdfsppr.namenode.version;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Is called when a version reaches one of the named moments. Only tests do anything then.
 * Thread-safe.
 */
@InterfaceAudience.Private
@FunctionalInterface
public interface VersionHook {
  /** A hook that does nothing. */
  VersionHook NONE = (point, path) -> { };

  /**
   * @param point the moment that a version has reached
   * @param path path of the file whose version it is
   */
  void reached(VersionPoint point, String path);
}
