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
package org.hdfsppr.operate;

import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;

/** The call of superusers that ends the way back to 0.2.0. */
@InterfaceAudience.Private
public interface FinalizeProtocol {
  /**
   * Has all NameNodes write records in the namespace in a form that 0.2.0 refuses. Does nothing if
   * they do so already. Only superusers may.
   *
   * @param isFinalized whether to finalize; otherwise, nothing changes
   * @return how things are after that
   * @throws ConversionRefusedException if not all NameNodes of the nameservice are known to read
   *     that form
   * @throws IOException if the NameNode refuses it otherwise
   */
  FinalizedRecords finalizeRecords(boolean isFinalized) throws IOException;
}
