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

import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.model.GroupPolicy;

/** An erasure coding policy as the NameNode knows it. Immutable. */
@InterfaceAudience.Private
public final class PolicyFacts {
  /** The policy's name */
  public final String name;
  /** Its code and cell size */
  public final GroupPolicy code;
  /** Whether files can be created with it */
  public final boolean enabled;

  /**
   * @param name the policy's name
   * @param code its code and cell size
   * @param enabled whether files can be created with it
   */
  public PolicyFacts(String name, GroupPolicy code, boolean enabled) {
    this.name = Objects.requireNonNull(name, "name");
    this.code = Objects.requireNonNull(code, "code");
    this.enabled = enabled;
  }

  @Override
  public String toString() {
    return name + (enabled ? "" : " (disabled)");
  }
}
