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
package org.hdfsppr.namenode.update;

import java.io.FileNotFoundException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.Ticket;

/** A namespace of attributes in memory. */
final class MemoryNamespace implements UpdateNamespace, UpdateFolder {
  private static final long ROOT_ID = 2;

  private final Map<String, Long> directories = new HashMap<>();
  private final Map<String, byte[]> attributes = new HashMap<>();
  private long inodes = 1_000;
  /** Called before the next change is compared. */
  private Runnable before = () -> { };

  private static String key(long inodeId, String name) {
    return inodeId + " " + name;
  }

  void beforeTheNextChange(Runnable what) {
    before = what;
  }

  int attributes() {
    return attributes.size();
  }

  byte[] value(long inodeId, String name) {
    return attributes.get(key(inodeId, name));
  }

  void set(long inodeId, String name, byte[] value) {
    attributes.put(key(inodeId, name), value);
  }

  @Override
  public UpdatableFile file(String path, GroupId group, boolean isWrite)
      throws FileNotFoundException {
    throw new FileNotFoundException(path);
  }

  @Override
  public Optional<byte[]> attribute(long inodeId, String name) {
    return Optional.ofNullable(value(inodeId, name));
  }

  @Override
  public boolean isActive() {
    return true;
  }

  @Override
  public boolean change(List<Change> changes) {
    Runnable first = before;
    before = () -> { };
    first.run();
    for (Change change : changes) {
      if (!Arrays.equals(value(change.inodeId(), change.name()), change.before())) {
        return false;
      }
    }
    changes.forEach(change -> set(change.inodeId(), change.name(), change.after()));
    return true;
  }

  @Override
  public SignedTicket sign(Ticket ticket, AccessMode mode) {
    return SignedTicket.of(ticket, new Token<>());
  }

  @Override
  public long root() {
    return ROOT_ID;
  }

  @Override
  public OptionalLong find(UUID file, int group) {
    Long inode = directories.get(file + "/" + group);
    return inode == null ? OptionalLong.empty() : OptionalLong.of(inode);
  }

  @Override
  public long make(UUID file, int group) {
    return directories.computeIfAbsent(file + "/" + group, path -> ++inodes);
  }

  @Override
  public boolean setUpdatable(long directory, boolean isUpdatable) {
    throw new UnsupportedOperationException();
  }
}
