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
package org.hdfsppr.namenode.core.look;

import org.apache.hadoop.classification.InterfaceAudience;

/** The path and the attribute of a directory, as they are in the namespace now. Immutable. */
@InterfaceAudience.Private
public final class DirectoryState {
  /** Absolute path */
  public final String path;
  private final byte[] attribute;

  public DirectoryState(String path, byte[] attribute) {
    this.path = path;
    this.attribute = attribute == null ? null : attribute.clone();
  }

  /** @return the value of the attribute; null if the directory has none */
  public byte[] attribute() {
    return attribute == null ? null : attribute.clone();
  }
}
