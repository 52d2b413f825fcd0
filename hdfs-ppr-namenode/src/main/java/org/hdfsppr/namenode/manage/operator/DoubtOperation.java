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

/**
 * {@code doubt BLOCK [UNIT]}: begins the doubt about a group whose units contradict each other. A
 * check such as {@code hdfs ppr -verify} has found that, and perhaps which unit is wrong.
 */
@InterfaceAudience.Private
final class DoubtOperation extends Operation {
  private static final int ARGUMENTS_MAX = 2;
  /** No code has more units than the id of a block can number. */
  private static final int UNITS_MAX = 16;

  DoubtOperation() {
    super("doubt", "pprDoubt", "'doubt BLOCK [UNIT]'");
  }

  @Override
  boolean takes(int arguments) {
    return arguments >= 1 && arguments <= ARGUMENTS_MAX;
  }

  @Override
  Wish read(String... arguments) {
    long groupId = BlockNames.groupId(arguments[0]);
    String name = BlockNames.nameOf(groupId);
    if (arguments.length == 1) {
      return new Wish(name, all -> all.doubt(groupId, Operations.ANY_UNIT));
    }
    int unit = unit(arguments[1]);
    return new Wish(name + " unit " + unit, all -> all.doubt(groupId, unit));
  }

  private static int unit(String number) {
    try {
      int unit = Integer.parseInt(number);
      if (unit >= 0 && unit < UNITS_MAX) {
        return unit;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(noUnit(number), e);
    }
    throw new IllegalArgumentException(noUnit(number));
  }

  private static String noUnit(String number) {
    return "'" + number + "' is no number of a unit: give 0 to " + (UNITS_MAX - 1)
        + ", or nothing if any unit may be wrong";
  }
}
