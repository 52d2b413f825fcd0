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
package org.hdfsppr.bench.core;

import java.io.IOException;

import org.hdfsppr.core.ReedSolomonRow;
import org.hdfsppr.it.util.EcCode;

/** A CORE code by its name in this project: {@code core-tT-k-m}. */
final class CoreCode {
  /** The plus pattern has losses of three files. */
  private static final int FILES_MIN = 3;

  final String label;
  final int files;
  final ReedSolomonRow row;

  private CoreCode(String label, int files, ReedSolomonRow row) {
    this.label = label;
    this.files = files;
    this.row = row;
  }

  /**
   * Finds a code.
   *
   * @param label the name
   * @throws IllegalArgumentException if no CORE code with at least three files has this name
   * @throws IOException if a file cannot be read
   */
  static CoreCode parse(String label) throws IOException {
    EcCode code = EcCode.parse(label);
    int files = code.requireFilesPerGroup();
    if (files < FILES_MIN) {
      throw new IllegalArgumentException("'" + label + "' has " + files + " files in a group, and "
          + FILES_MIN + " are needed at least");
    }
    return new CoreCode(label, files,
        new ReedSolomonRow(code.units(), code.dataUnits()));
  }
}
