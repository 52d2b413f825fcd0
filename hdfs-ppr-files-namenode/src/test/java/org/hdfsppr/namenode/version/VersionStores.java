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
package org.hdfsppr.namenode.version;

import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.hdfsppr.namenode.record.RecordStore;

/**
 * Stores of versions for tests whose NameNode consists of the methods for clients alone, and has
 * one writer.
 */
final class VersionStores {
  private VersionStores() {
  }

  /** Makes the store of a NameNode without others. */
  static VersionStore of(Supplier<? extends ClientProtocol> namenode) {
    return of(namenode, ShardKnowledge.alone());
  }

  static VersionStore of(Supplier<? extends ClientProtocol> namenode, ShardKnowledge shards) {
    return new VersionStore(namenode, new OneWriter(namenode), shards);
  }

  /** Writes records by the methods for clients. */
  private static final class OneWriter implements RecordStore {
    private final Supplier<? extends ClientProtocol> namenode;

    OneWriter(Supplier<? extends ClientProtocol> namenode) {
      this.namenode = namenode;
    }

    @Override
    public Optional<byte[]> attribute(long inodeId, String name) {
      throw new UnsupportedOperationException();
    }

    @Override
    public boolean change(List<Change> changes) throws IOException {
      for (Change change : changes) {
        namenode.get().setXAttr(change.path, new XAttr.Builder()
            .setNameSpace(XAttr.NameSpace.TRUSTED).setName(change.name).setValue(change.after)
            .build(), EnumSet.of(XAttrSetFlag.CREATE));
      }
      return true;
    }
  }
}
