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
import org.hdfsppr.conf.Pressure;

/** {@code pressure [gentle|urgent|PERCENT]}: how much repairs press where users are busy. */
@InterfaceAudience.Private
final class PressureOperation extends Operation {
  PressureOperation() {
    super("pressure", "pprPressure", "'pressure [gentle|urgent|PERCENT]'");
  }

  @Override
  boolean takes(int arguments) {
    return arguments <= 1;
  }

  @Override
  Wish read(String... arguments) {
    if (arguments.length == 0) {
      return new Wish("asked", all -> all.press(Operations.AS_IT_IS));
    }
    int percent = Pressure.parse(arguments[0]).orElseThrow(() -> new IllegalArgumentException(
        "'" + arguments[0] + "' is no pressure: say " + Pressure.ALLOWED));
    return new Wish(Pressure.name(percent), all -> all.press(percent));
  }
}
