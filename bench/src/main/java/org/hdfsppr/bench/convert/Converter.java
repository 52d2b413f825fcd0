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
package org.hdfsppr.bench.convert;

import java.io.Closeable;
import java.io.IOException;

import org.hdfsppr.it.util.EcCode;

/** Gives files another code. */
interface Converter extends Closeable {

  /**
   * Gives the files another code, and returns when all of them have it.
   *
   * @throws IOException if a file may have its old code still; says why
   */
  void convert(ConvertedFiles files, EcCode to) throws IOException, InterruptedException;
}
