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
package org.hdfsppr.golden.files;

import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.column.ColumnProtocolPB;
import org.hdfsppr.golden.GoldenFiles;
import org.hdfsppr.operate.PprClientProtocolPB;

/** Tests the messages of versions, updates, conversions and CORE. */
@InterfaceAudience.Private
class TestGoldenFilesMessages extends GoldenFiles {
  TestGoldenFilesMessages() {
    super(new FilesProtos(), List.of("client", "column", "update", "version"), "files-",
        PprClientProtocolPB.class, ColumnProtocolPB.class);
  }
}
