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
import org.hdfsppr.namenode.convert.ConvertGate;
import org.hdfsppr.namenode.core.look.CoreNamespace;
import org.hdfsppr.namenode.core.look.PlaceView;
import org.hdfsppr.namenode.version.ParityPlace;
import org.hdfsppr.namenode.version.VersionEngine;

/** What CORE groups use of the NameNode. Immutable. */
@InterfaceAudience.Private
public final class CoreDoors {
  final ConvertGate gate;
  final CoreFolder folder;
  final CoreNamespace namespace;
  final VersionEngine engine;
  /** Finds columns with two blocks on one node. */
  final ColumnSpread spread;
  /** Creates parity files. */
  final ParityFiles place;

  /**
   * @param gate says whether this NameNode is the active one
   * @param folder keeps groups and protected directories in the namespace
   * @param namespace looks up files and directories
   * @param places says on which DataNodes blocks are
   * @param engine makes parity files; CORE does not close it
   */
  public CoreDoors(ConvertGate gate, CoreFolder folder, CoreNamespace namespace,
      PlaceView places, VersionEngine engine) {
    this.gate = gate;
    this.folder = folder;
    this.namespace = namespace;
    this.engine = engine;
    this.spread = new ColumnSpread(places);
    this.place = new ParityFiles(folder, namespace);
  }

  /** Creates parity files at the paths of {@link CoreFolder#parity}. Thread-safe. */
  static final class ParityFiles implements ParityPlace {
    /**
     * The first try fails if the directories for parity files do not exist yet, because this
     * cluster has no CORE group or has only run hdfs-ppr 0.2.0. They are then made before the
     * second try.
     */
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
}
