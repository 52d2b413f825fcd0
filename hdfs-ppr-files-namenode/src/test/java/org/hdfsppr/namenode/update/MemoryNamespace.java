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
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.update.look.UpdatableFile;
import org.hdfsppr.namenode.update.look.UpdateNamespace;
import org.hdfsppr.namenode.update.look.UpdateTag;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.UpdateTicket;

/** A namespace of attributes in memory. */
class MemoryNamespace implements UpdateNamespace, UpdateFolder {
  private static final long ROOT_ID = 2;

  private final Map<String, Long> directories = new HashMap<>();
  private final Map<String, byte[]> attributes = new HashMap<>();
  private final Map<Long, Long> parents = new HashMap<>();
  private final Map<Long, String> owners = new HashMap<>();
  private final Map<Long, String> updatable = new HashMap<>();
  private GroupPolicy policy;
  private Map<Integer, List<String>> nodes;
  private boolean mayChange = true;
  private long inodes = 1_000;
  private long own = -1;
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
  public UpdatableFile fileToRead(String path, GroupId group) throws FileNotFoundException {
    return file(path, group, false);
  }

  @Override
  public Optional<Long> directory(String path, boolean isOwner)
      throws FileNotFoundException {
    throw new FileNotFoundException(path);
  }

  @Override
  public Optional<byte[]> attribute(long inodeId, String name) {
    return Optional.ofNullable(value(inodeId, name));
  }

  /** Adds a file; each group has the id of its number, and all units are at these nodes. */
  void addFile(long inodeId, long directory, boolean isUpdatable, GroupPolicy policy,
      Map<Integer, List<String>> nodes) {
    parents.put(inodeId, directory);
    if (isUpdatable) {
      updatable.put(directory, UPDATABLE);
    }
    this.policy = policy;
    this.nodes = nodes;
  }

  /** Lets a file be where the NameNode keeps versions that others have replaced. */
  void atOwnPath(long inodeId) {
    own = inodeId;
  }

  void removeFile(long inodeId) {
    parents.remove(inodeId);
  }

  /** Lets a file have a block group; null: none. */
  void own(long blockGroup, String path) {
    owners.put(blockGroup, path);
  }

  boolean isUpdatable(long directory) {
    return updatable.containsKey(directory);
  }

  void setMayChange(boolean may) {
    mayChange = may;
  }

  @Override
  public FileState state(long inodeId, long directory) {
    boolean isThere = parents.containsKey(inodeId);
    return new FileState(isThere, isThere, value(inodeId, UpdateTag.XATTR),
        isThere && parents.get(inodeId) == directory);
  }

  @Override
  public UpdatableFile file(long inodeId, int ordinal) throws FileNotFoundException {
    if (!parents.containsKey(inodeId)) {
      throw new FileNotFoundException("inode " + inodeId);
    }
    return new UpdatableFile.Builder((inodeId == own ? "/.hdfs-ppr/versions/" : "/dir/") + inodeId,
        inodeId)
        .updatable(updatable.containsKey(parents.get(inodeId))).policy(policy)
        .tag(value(inodeId, UpdateTag.XATTR))
        .group(group(ordinal), ordinal, policy.dataUnits * policy.cellBytes, nodes).build();
  }

  static GroupId group(int ordinal) {
    return new GroupId("BP-1", -1_600L * (ordinal + 1), 1_001);
  }

  @Override
  public Optional<String> owner(long blockGroup) {
    return Optional.ofNullable(owners.get(blockGroup));
  }

  @Override
  public String poolId() {
    return "BP-1";
  }

  @Override
  public boolean mayChange() {
    return mayChange;
  }

  @Override
  public void persist() {
  }

  @Override
  public boolean isStarting() {
    return false;
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
      if (!Arrays.equals(value(change.inodeId, change.name), change.before)) {
        return false;
      }
    }
    for (Change change : changes) {
      if (change.after == null) {
        attributes.remove(key(change.inodeId, change.name));
      } else {
        set(change.inodeId, change.name, change.after);
      }
    }
    return true;
  }

  @Override
  public SignedTicket sign(UpdateTicket ticket, AccessMode mode) {
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
    directories.computeIfAbsent(file.toString(), path -> ++inodes);
    return directories.computeIfAbsent(file + "/" + group, path -> ++inodes);
  }

  @Override
  public OptionalLong find(UUID file) {
    Long inode = directories.get(file.toString());
    return inode == null ? OptionalLong.empty() : OptionalLong.of(inode);
  }

  @Override
  public long make(UUID file) {
    return directories.computeIfAbsent(file.toString(), path -> ++inodes);
  }

  @Override
  public List<UUID> files(UUID after) {
    // Pages of two.
    return directories.keySet().stream().filter(path -> !path.contains("/")).sorted()
        .filter(path -> after == null || path.compareTo(after.toString()) > 0).limit(2)
        .map(UUID::fromString).collect(Collectors.toList());
  }

  @Override
  public List<Integer> groups(UUID file) {
    return directories.keySet().stream().filter(path -> path.startsWith(file + "/"))
        .map(path -> Integer.parseInt(path.substring(path.indexOf('/') + 1))).sorted()
        .collect(Collectors.toList());
  }

  @Override
  public void deleteGroups(UUID file) {
    directories.keySet().removeIf(path -> path.startsWith(file + "/"));
  }

  @Override
  public void delete(UUID file) {
    deleteGroups(file);
    directories.remove(file.toString());
  }

  @Override
  public Optional<String> updatable(long directory) {
    return Optional.ofNullable(updatable.get(directory));
  }

  @Override
  public boolean setUpdatable(long directory, String value) {
    return value != null ? !value.equals(updatable.put(directory, value))
        : updatable.remove(directory) != null;
  }
}
