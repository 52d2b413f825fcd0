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
package org.hdfsppr.it.versions;

import java.util.List;
import java.util.stream.Stream;
import org.hdfsppr.namenode.version.VersionPoint;

/** The moments of versions at which tests end processes. */
final class Moments {
  private Moments() {
  }

  /**
   * Returns moments, or those of them that a property chooses.
   *
   * @param property names a property with moments and commas between them
   */
  static Stream<VersionPoint> chosen(String property, VersionPoint... moments) {
    String wanted = System.getProperty(property, "");
    return Stream.of(moments)
        .filter(point -> wanted.isEmpty() || List.of(wanted.split(",")).contains("" + point));
  }
}
