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
package org.hdfsppr.namenode.manage.operator;

import org.apache.hadoop.classification.InterfaceAudience;

/** {@code undoubt BLOCK}: ends the doubt about a group. */
@InterfaceAudience.Private
final class UndoubtOperation extends Operation {
  UndoubtOperation() {
    super("undoubt", "pprUndoubt", "'undoubt BLOCK', such as undoubt blk_-9223372036854775792");
  }

  @Override
  boolean takes(int arguments) {
    return arguments == 1;
  }

  @Override
  Wish read(String... arguments) {
    long groupId = BlockNames.groupId(arguments[0]);
    return new Wish(BlockNames.nameOf(groupId), all -> all.undoubt(groupId));
  }
}
