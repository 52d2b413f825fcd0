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
package org.hdfsppr.manage;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * What a DataNode must know to carry out a command: the bits of the command's must_understand. A
 * DataNode that lacks one refuses the command.
 */
@InterfaceAudience.Private
public final class CommandFeatures {
  /** The group is doubted, and only what is checked may be rebuilt. */
  public static final long DOUBTED = 1;
  /** The code is of the blocks that the command lists. */
  public static final long BLOCKS = 2;
  /** All that this version knows. */
  public static final long KNOWN = DOUBTED | BLOCKS;

  private CommandFeatures() {
  }
}
