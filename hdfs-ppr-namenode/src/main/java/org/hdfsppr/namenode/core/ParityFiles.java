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
package org.hdfsppr.namenode.core;

import java.io.IOException;
import java.util.OptionalLong;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.core.look.CoreNamespace;
import org.hdfsppr.namenode.version.ParityPlace;

/** Creates parity files at the paths of {@link CoreFolder#parity}. Thread-safe. */
@InterfaceAudience.Private
final class ParityFiles implements ParityPlace {
  /** The first try finds no directory if CORE has none yet, or only hdfs-ppr 0.2.0 was active. */
  private static final int TRIES = 2;

  private final CoreFolder folder;
  private final CoreNamespace namespace;

  ParityFiles(CoreFolder folder, CoreNamespace namespace) {
    this.folder = folder;
    this.namespace = namespace;
  }

  @Override
  public Created create(Form form, String holder) throws IOException {
    for (int i = 0; i < TRIES; i++) {
      OptionalLong inodeId = namespace.create(CoreFolder::parity, form, holder);
      if (inodeId.isPresent()) {
        return new Created(CoreFolder.parity(inodeId.getAsLong()), inodeId.getAsLong());
      }
      folder.makeShards();
    }
    throw new IOException("A directory below " + CoreFolder.GROUPS + " is gone as soon as it is"
        + " made");
  }
}
