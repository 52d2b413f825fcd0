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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.zip.CRC32C;
import org.apache.hadoop.fs.permission.FsPermission;
import org.hdfsppr.core.membership.GroupIdentity;
import org.hdfsppr.namenode.core.look.CoreNamespace;
import org.hdfsppr.namenode.core.look.DirectoryState;
import org.hdfsppr.namenode.core.look.MemberState;
import org.hdfsppr.namenode.core.look.OwnedFolder;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.version.FileFacts;
import org.hdfsppr.namenode.version.FileGroup;
import org.hdfsppr.namenode.version.ParityPlace;
import org.hdfsppr.namenode.version.PolicyFacts;
import org.hdfsppr.namenode.version.TargetFile;
import org.hdfsppr.plan.GroupId;

/** A namespace on paper: directories, files with block groups, and what CORE keeps. */
final class CorePaper implements CoreFolder, CoreNamespace {
  static final int CELL = 1_024;
  static final PolicyFacts RS =
      new PolicyFacts("RS-3-2-1k", new GroupPolicy("rs", 3, 2, CELL), true);
  static final PolicyFacts CORE =
      new PolicyFacts("CORE-T3-3-2-1k", new GroupPolicy("core-t3", 3, 2, CELL), true);
  static final PolicyFacts OTHER =
      new PolicyFacts("LRC", new GroupPolicy("lrc-l2", 6, 4, CELL), true);
  static final long BLOCK = 1 << 20;
  private static final String POOL = "BP-1";
  private static final int PAGE = 2;

  /** A file or directory. */
  static final class Node {
    final long inodeId;
    long parent;
    String name;
    final boolean isDirectory;
    PolicyFacts policy;
    long mtime;
    String open;
    boolean isEncrypted;
    boolean isUnreadable;
    int lostUnits;
    long blockBytes = BLOCK;
    final List<GroupIdentity> groups = new ArrayList<>();
    byte[] attribute;
    byte[] record;

    Node(long inodeId, long parent, String name, boolean isDirectory) {
      this.inodeId = inodeId;
      this.parent = parent;
      this.name = name;
      this.isDirectory = isDirectory;
    }

    long bytes() {
      return groups.stream().mapToLong(identity -> identity.length).sum();
    }
  }

  final Map<Long, Node> nodes = new LinkedHashMap<>();
  /** Files that only a snapshot has. */
  final Map<Long, Node> inSnapshots = new LinkedHashMap<>();
  final TreeSet<Long> protectedIds = new TreeSet<>();
  /** Inode ids of files that an older version has left, by name. */
  final TreeMap<String, Long> works = new TreeMap<>();
  /** Inode ids of parity files that have their place. */
  final TreeSet<Long> parities = new TreeSet<>();
  /** Fails the steps with these names. */
  final TreeSet<String> failing = new TreeSet<>();
  /** Inodes whose attributes cannot be read for another reason than an I/O error. */
  final TreeSet<Long> broken = new TreeSet<>();
  /** Parity files that Hadoop cannot delete. */
  final TreeSet<Long> held = new TreeSet<>();
  /** Runs when the files of a group are compared. */
  Runnable onMembers = () -> { };
  /** Whether a deletion fails in a way that the NameNode does not expect. */
  boolean isBroken;
  boolean isInSafeMode;
  /** Empty while another NameNode is the active one. */
  OptionalLong activeSince = OptionalLong.of(0);
  /** The names of the steps that have changed the namespace. */
  final List<String> changes = new ArrayList<>();
  /** A further name beside the parity files; null for none. */
  String misspelt;
  private long ids = 1_000;
  private long blocks = -1_000_000;
  private long stamps = 1_000;

  /** Runs once, when the files of a CORE group are looked at; null for nothing. */
  Runnable atLook;

  /** Whether a node has the first units of all groups. Otherwise, each has a node of its own. */
  boolean isTogether;

  CorePaper() {
    nodes.put(1L, new Node(1, 0, "", true));
  }

  Node mkdir(long parent, String name) {
    Node node = new Node(++ids, parent, name, true);
    nodes.put(node.inodeId, node);
    return node;
  }

  Node create(long parent, String name, PolicyFacts policy, long... groups) {
    Node node = new Node(++ids, parent, name, false);
    node.policy = policy;
    nodes.put(node.inodeId, node);
    append(node, groups);
    return node;
  }

  void append(Node file, long... groups) {
    for (long bytes : groups) {
      blocks += 16;
      file.groups.add(new GroupIdentity(blocks, ++stamps, bytes));
    }
  }

  Map<GroupId, Map<Integer, Set<String>>> places(Collection<GroupId> groups) {
    Map<GroupId, Map<Integer, Set<String>>> places = new HashMap<>();
    groups.forEach(group -> places.put(group, Map.of(
        0, Set.of(isTogether ? "one" : "first of " + group), 1, Set.of("second of " + group))));
    return places;
  }

  void delete(Node node) {
    nodes.remove(node.inodeId);
  }

  void deleteUnderSnapshot(Node node) {
    delete(node);
    inSnapshots.put(node.inodeId, node);
  }

  /** Makes the parity file of files, as the engine does; returns it. */
  Node makeParity(List<TargetFile> files) {
    Node node = new Node(++ids, 0, String.valueOf(ids), false);
    node.policy = files.get(0).facts.policy;
    int count = files.stream().mapToInt(file -> file.groups.size()).max().getAsInt();
    for (int i = 0; i < count; i++) {
      int index = i;
      append(node, files.stream().filter(file -> index < file.groups.size())
          .mapToLong(file -> file.groups.get(index).bytes).max().getAsLong());
    }
    nodes.put(node.inodeId, node);
    parities.add(node.inodeId);
    return node;
  }

  private void change(String name) throws IOException {
    step(name);
    if (isInSafeMode) {
      throw new IOException(name + " fails in safe mode");
    }
    changes.add(name);
  }

  private void step(String name) throws IOException {
    if (failing.contains(name)) {
      throw new IOException(name + " fails, as the test says");
    }
  }

  private String path(Node node) {
    return node.inodeId == 1 ? "" : nodes.containsKey(node.parent)
        ? path(nodes.get(node.parent)) + "/" + node.name : "/" + node.name;
  }

  private List<Long> ancestors(Node node) {
    List<Long> ancestors = new ArrayList<>();
    for (Node up = nodes.get(node.parent); up != null; up = nodes.get(up.parent)) {
      ancestors.add(up.inodeId);
    }
    return ancestors;
  }

  @Override
  public void open() throws IOException {
    change("open");
  }

  @Override
  public Optional<Page> list(long inodeId, String after) throws IOException {
    step("list");
    if (!nodes.containsKey(inodeId)) {
      return Optional.empty();
    }
    List<Node> behind = nodes.values().stream()
        .filter(node -> node.parent == inodeId && node.name.compareTo(after) > 0)
        .sorted((one, other) -> one.name.compareTo(other.name)).collect(Collectors.toList());
    List<Entry> page = behind.stream().limit(PAGE).map(node -> new Entry(node.name, node.inodeId,
        node.isDirectory, node.policy, node.bytes(), node.mtime)).collect(Collectors.toList());
    return Optional.of(new Page(page, page.isEmpty() ? after : page.get(page.size() - 1).name,
        behind.size() > PAGE));
  }

  @Override
  public List<Long> protectedIds() {
    return new ArrayList<>(protectedIds);
  }

  @Override
  public boolean protect(long inodeId, byte[] before, byte[] attribute) throws IOException {
    change("protect");
    protectedIds.add(inodeId);
    if (!Arrays.equals(nodes.get(inodeId).attribute, before)) {
      return false;
    }
    nodes.get(inodeId).attribute = attribute;
    return true;
  }

  @Override
  public boolean unprotect(long inodeId, byte[] before) throws IOException {
    change("unprotect");
    if (nodes.containsKey(inodeId)) {
      if (!Arrays.equals(nodes.get(inodeId).attribute, before)) {
        return false;
      }
      nodes.get(inodeId).attribute = null;
    }
    protectedIds.remove(inodeId);
    return true;
  }

  @Override
  public List<String> shards() {
    return parities.isEmpty() ? List.of() : List.of("all");
  }

  @Override
  public List<String> parities(String shard) {
    List<String> names = parities.stream().map(String::valueOf).collect(Collectors.toList());
    if (misspelt != null) {
      names.add(misspelt);
    }
    return names;
  }

  @Override
  public Optional<byte[]> record(long inodeId) throws IOException {
    step("record");
    step("record " + inodeId);
    if (broken.contains(inodeId)) {
      throw new IllegalStateException("the inode cannot be read, as the test says");
    }
    if (!nodes.containsKey(inodeId)) {
      throw new FileNotFoundException(inodeId + " is gone");
    }
    return Optional.ofNullable(nodes.get(inodeId).record);
  }

  @Override
  public void publish(long inodeId, byte[] record) throws IOException {
    change("publish");
    nodes.get(inodeId).record = record;
    step("published");
  }

  @Override
  public void delete(long inodeId) throws IOException {
    change("delete");
    if (isBroken) {
      throw new IllegalStateException("the NameNode fails, as the test says");
    }
    parities.remove(inodeId);
    nodes.remove(inodeId);
  }

  @Override
  public void makeShards() {
    // There is nothing to make on paper.
  }

  @Override
  public Map<String, Long> works() {
    return new TreeMap<>(works);
  }

  @Override
  public void deleteWork(String name) throws IOException {
    change("deleteWork");
    works.remove(name);
  }

  @Override
  public Set<Long> lostFiles() {
    return nodes.values().stream().filter(node -> node.lostUnits > 0).map(node -> node.inodeId)
        .collect(Collectors.toSet());
  }

  @Override
  public OptionalLong create(LongFunction<String> path, ParityPlace.Form form, String holder) {
    throw new UnsupportedOperationException("the engine is on paper, too");
  }

  @Override
  public boolean isHeld(long inodeId) {
    return held.contains(inodeId);
  }

  @Override
  public Optional<List<String>> holders(long inodeId) {
    return isHeld(inodeId) ? Optional.of(List.of("/.snapshot/s")) : Optional.empty();
  }

  @Override
  public String poolId() {
    return POOL;
  }

  @Override
  public boolean isInSafeMode() {
    return isInSafeMode;
  }

  @Override
  public OptionalLong activeSince() {
    return activeSince;
  }

  @Override
  public Optional<DirectoryState> folder(long inodeId) {
    Node node = nodes.get(inodeId);
    return node == null ? Optional.empty()
        : Optional.of(new DirectoryState(node.inodeId == 1 ? "/" : path(node), node.attribute));
  }

  @Override
  public OwnedFolder folder(String path) {
    throw new UnsupportedOperationException("there are no callers on paper");
  }

  @Override
  public List<Optional<TargetFile>> files(List<Long> inodeIds) {
    if (atLook != null && inodeIds.stream().anyMatch(parities::contains)) {
      Runnable once = atLook;
      atLook = null;
      once.run();
    }
    return inodeIds.stream().map(id -> Optional.ofNullable(nodes.get(id)).map(this::file))
        .collect(Collectors.toList());
  }

  private static List<FileGroup> fileGroups(Node node) {
    List<FileGroup> groups = new ArrayList<>();
    node.groups.forEach(group -> groups.add(new FileGroup(new GroupId(POOL, group.groupId,
        group.generationStamp), group.length, node.lostUnits)));
    return groups;
  }

  TargetFile file(Node node) {
    List<FileGroup> groups = fileGroups(node);
    return new TargetFile(FileFacts.of(path(node), FileFacts.Kind.FILE, node.inodeId).with(f -> {
      f.groups = groups;
      f.policy = node.policy;
      f.mtime = node.mtime;
      f.open = node.open;
      f.encrypted = node.isEncrypted;
      f.unreadable = node.isUnreadable;
    }).build(), node.parent, node.name,
        FsPermission.getFileDefault(), node.blockBytes, null);
  }

  @Override
  public List<Optional<MemberState>> members(List<Long> inodeIds) {
    onMembers.run();
    return inodeIds.stream().map(id -> Optional.ofNullable(nodes.get(id)).map(node ->
        new MemberState(path(node), ancestors(node), node.policy, node.groups, marks(node),
            node.mtime))).collect(Collectors.toList());
  }

  @Override
  public Map<Long, Optional<byte[]>> attributes(List<Long> inodeIds, String name)
      throws IOException {
    Map<Long, Optional<byte[]>> records = new HashMap<>();
    for (long id : inodeIds) {
      if (nodes.containsKey(id)) {
        records.put(id, record(id));
      }
    }
    return records;
  }

  private static Set<MemberState.Mark> marks(Node node) {
    Set<MemberState.Mark> marks = EnumSet.noneOf(MemberState.Mark.class);
    if (node.open != null) {
      marks.add(MemberState.Mark.OPEN);
    }
    if (node.record != null) {
      marks.add(MemberState.Mark.RECORDED);
    }
    if (node.isUnreadable) {
      marks.add(MemberState.Mark.UNREADABLE);
    }
    return marks;
  }

  private List<Node> withBlocks() {
    List<Node> all = new ArrayList<>(nodes.values());
    all.addAll(inSnapshots.values());
    return all;
  }

  @Override
  public List<GroupIdentity> keptGroups(long inodeId) {
    return withBlocks().stream().filter(node -> node.inodeId == inodeId)
        .flatMap(node -> node.groups.stream()).collect(Collectors.toList());
  }

  @Override
  public List<FileGroup> blockGroups(List<Long> blockGroups) {
    return withBlocks().stream().flatMap(node -> fileGroups(node).stream())
        .filter(group -> blockGroups.contains(group.id.groupId)).collect(Collectors.toList());
  }

  @Override
  public List<GroupIdentity> groups(List<Long> blockGroups) {
    Map<Long, GroupIdentity> all = new HashMap<>();
    withBlocks().forEach(node -> node.groups.forEach(group -> all.put(group.groupId, group)));
    return blockGroups.stream().map(id -> id == null ? null : all.get(id))
        .collect(Collectors.toList());
  }

  /** Returns a record as a newer version may write it. */
  static byte[] newer(byte[] record) {
    byte[] newer = record.clone();
    newer[Integer.BYTES] = 3;
    CRC32C crc = new CRC32C();
    crc.update(newer, 0, newer.length - Integer.BYTES);
    ByteBuffer.wrap(newer).putInt(newer.length - Integer.BYTES, (int) crc.getValue());
    return newer;
  }

  /** Returns a directory that belongs to the caller. */
  static OwnedFolder owned(Node directory) {
    return new OwnedFolder(directory.inodeId, true);
  }

  /** Returns some bytes that are no record. */
  static byte[] nonsense() {
    return "nonsense".getBytes(StandardCharsets.UTF_8);
  }
}
