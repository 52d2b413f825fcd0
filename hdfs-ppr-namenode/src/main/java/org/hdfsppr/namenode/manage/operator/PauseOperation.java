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
import org.hdfsppr.namenode.manage.status.Headline;

/** {@code pause [MILLIS]}: lets no repair begin, for a time or until {@code resume}. */
@InterfaceAudience.Private
final class PauseOperation extends Operation {
  PauseOperation() {
    super("pause", "pprPause", "'pause [MILLIS]'");
  }

  @Override
  boolean takes(int arguments) {
    return arguments <= 1;
  }

  @Override
  Wish read(String... arguments) {
    return arguments.length == 0
        ? new Wish("until resumed", all -> all.pause(Operations.UNTIL_RESUMED))
        : wish(Length.parse(arguments[0], "pause"));
  }

  private static Wish wish(long ms) {
    return new Wish("for " + Headline.time(ms / 1e3), all -> all.pause(ms));
  }
}
