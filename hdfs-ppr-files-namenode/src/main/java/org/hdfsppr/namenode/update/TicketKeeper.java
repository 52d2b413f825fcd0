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

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.steps.ActiveService;
import org.hdfsppr.namenode.update.look.UpdatableFile;
import org.hdfsppr.namenode.update.look.UpdateNamespace;
import org.hdfsppr.namenode.update.look.UpdateTag;
import org.hdfsppr.operate.FileIdentity;
import org.hdfsppr.operate.TicketRequest;
import org.hdfsppr.operate.UpdateProtocol;
import org.hdfsppr.operate.UpdateRefusedException;
import org.hdfsppr.update.append.UpdateTicket;

/**
 * Gives units terms and holders, and remembers them in the namespace. A term is on disk before a
 * caller hears of it. Each call reads all state from the namespace, and changes it only if it is
 * still the same, so that two NameNodes that both take themselves for the active one cannot give
 * the same term twice. Used by one thread, because it waits for the answers of DataNodes.
 */
@InterfaceAudience.Private
public final class TicketKeeper extends ActiveService {
  private final UpdateNamespace namespace;
  private final UpdateFolder folder;
  private final Supplier<UUID> uuids;
  private final NoLogLeases leases;
  private final WriterFence fence;
  private volatile BiConsumer<String, UUID> untrimmed = (path, uuid) -> { };
  private volatile BiConsumer<String, UUID> granted = (path, uuid) -> { };
  private final FileRecords records;
  private final TagClearing clearing;
  private final RecordJanitor janitor;
  private final TicketParts parts;

  /**
   * @param parts the doors to the NameNode and to the DataNodes with logs
   * @param uuids makes UUIDs of files
   * @param wallClockMs the time of day, ms since 1970 (UTC)
   */
  public TicketKeeper(TicketParts parts, Supplier<UUID> uuids, LongSupplier wallClockMs) {
    super("ppr-update", "updates", STEP_MS);
    this.parts = parts;
    this.namespace = parts.namespace;
    this.folder = parts.folder;
    this.uuids = uuids;
    this.leases = parts.leases;
    this.fence = new WriterFence(parts.clockMs);
    this.records = new FileRecords(namespace, folder);
    this.clearing = new TagClearing(parts, records, parts.clockMs, wallClockMs);
    this.janitor =
        new RecordJanitor(parts, records, parts.settings.checkMs, parts.clockMs, wallClockMs);
  }

  @Override
  protected OptionalLong term() {
    return namespace.isActive() ? OptionalLong.of(0) : OptionalLong.empty();
  }

  /** Clears up. The leases and the janitor keep their own times of a failover. */
  @Override
  protected boolean work() {
    look();
    return janitor.step();
  }

  @Override
  protected boolean rest() {
    return work();
  }

  private void look() {
    leases.look(namespace.isActive());
  }

  /**
   * @param hears is called with each file whose version has a commit that logs have not dropped, as
   *     after a crash; it must not block
   */
  public void whenUntrimmed(BiConsumer<String, UUID> hears) {
    untrimmed = hears;
  }

  /** @param hears is called with each file whose tickets clients have got; it must not block */
  public void whenGranted(BiConsumer<String, UUID> hears) {
    granted = hears;
  }

  /**
   * @param hears is called with each file of which the namespace has terms, pass after pass, in the
   *     order of the UUIDs as texts; it must not block
   */
  public void whenRecorded(BiConsumer<String, UUID> hears) {
    janitor.whenThere(hears);
  }

  private void tell(UpdatableFile file, UpdateTag tag) throws IOException {
    if (tag.committed > 0 && CommitRecord.read(parts, tag).trimmed < tag.committed) {
      untrimmed.accept(file.path, tag.file);
    }
    granted.accept(file.path, tag.file);
  }

  boolean setUpdatable(long directory, boolean isUpdatable, String strategy)
      throws IOException {
    if (!isUpdatable) {
      return clearing.clear(directory);
    }
    String value = strategy;
    if (strategy == null) {
      value = folder.updatable(directory).orElse(UpdateNamespace.UPDATABLE);
    } else if (strategy.equals(UpdateProtocol.DEFAULT_STRATEGY)) {
      value = UpdateNamespace.UPDATABLE;
    }
    return folder.setUpdatable(directory, value);
  }

  /**
   * Returns the answer for each data unit of a group.
   *
   * @param mayChange false while the namespace takes no changes; readers then get tickets of
   *     existing terms only
   */
  List<TicketDecision> grant(UpdatableFile file, TicketRequest request, boolean mayChange)
      throws IOException {
    look();
    Optional<UUID> joined = janitor.joined(file.group.groupId);
    if (joined.isPresent()) {
      throw new UpdateRefusedException("Block group " + file.group + " of " + file.path
          + " belonged to a file with updates, which " + file.path + " does not have: files were"
          + " joined (concat). Write these bytes again by a client without updates, and then give"
          + " the old ones up: hdfs dfs -setfattr -n trusted." + FileRecords.GONE_XATTR
          + " -v 0x0000000000000000 " + UpdateNamespace.ROOT + "/" + joined.get());
    }
    // Since the caller looked at the file, a writer's call on this thread may have set the tag.
    byte[] tag = file.tag != null ? file.tag
        : namespace.attribute(file.inodeId, UpdateTag.XATTR).orElse(null);
    if (!request.isWrite && (tag == null || isOfAnother(tag, file))) {
      int validMs = leases.give(file.group);
      FileIdentity untagged = FileIdentity.of(null, Set.of(file.inodeId));
      return ofAll(file, unit -> TicketDecision.noLog(unit, validMs).of(untagged));
    }
    if (tag == null && !leases.isFree(file.group)) {
      return ofAll(file, unit -> TicketDecision.later(unit, TicketRound.READERS));
    }
    UpdateTag own = tag(file, tag);
    if (request.isWrite && fence.isUp(own.file)) {
      return ofAll(file, unit -> TicketDecision.later(unit, "A commit begins; try again"));
    }
    tell(file, own);
    List<TicketDecision> given = new TicketRound(parts, file, request, own, mayChange).run();
    if (request.isWrite) {
      // Writers know the file by their tickets.
      return given;
    }
    FileIdentity identity = records.identity(own);
    return given.stream().map(one -> one.of(identity)).collect(Collectors.toList());
  }

  /**
   * Begins a commit of a file: all terms that begin from now on have later epochs. Existing terms
   * have to be {@link #renew}ed before the commit collects their updates.
   *
   * @param file the file
   * @return the commit, whose updates have this epoch or an earlier one; 0 if the file was never
   *     updated
   * @throws IOException if the NameNode refuses it
   */
  public long beginCommit(UpdatableFile file) throws IOException {
    if (file.tag == null) {
      return 0;
    }
    UpdateTag tag = tag(file, file.tag);
    CommitRecord record = CommitRecord.read(parts, tag);
    long commit = Math.max(record.next, tag.epoch());
    // No writer gets a term of a later commit before all units have one. Otherwise the commit might
    // have an update that a writer sent after the acknowledgement of another one, and lack that
    // one. Writers' calls run on this thread, so that none gets a term between these two steps.
    change(tag.file, new CommitRecord(commit + 1, record.trimmed));
    fence.raise(tag.file);
    return commit;
  }

  /**
   * Lets writers of a file get tickets again, which {@link #beginCommit} has stopped.
   *
   * @param file the UUID of the file
   * @return whether no writer has got a ticket since the commit began
   */
  public boolean endFence(UUID file) {
    return fence.lower(file);
  }

  /**
   * Takes note that all holders have dropped the updates of a commit that is published.
   *
   * @param tag the tag of the version
   * @throws IOException if the NameNode refuses it
   */
  public void trimmed(UpdateTag tag) throws IOException {
    CommitRecord record = CommitRecord.read(parts, tag);
    if (record.trimmed < tag.committed) {
      change(tag.file, new CommitRecord(Math.max(record.next, tag.epoch()),
          tag.committed));
    }
  }

  /**
   * @param tag the tag of a file
   * @return the record of its commits
   * @throws IOException if the NameNode does not answer
   */
  public CommitRecord commits(UpdateTag tag) throws IOException {
    return CommitRecord.read(parts, tag);
  }

  /**
   * @param file the UUID of a file
   * @return the attribute that names the file's inode, which a version with another inode changes
   *     together with the path; empty if the file has no record
   * @throws IOException if the NameNode does not answer
   */
  public Optional<RecordedFile> recorded(UUID file) throws IOException {
    OptionalLong directory = parts.folder.find(file);
    byte[] before = directory.isPresent()
        ? parts.namespace.attribute(directory.getAsLong(), UpdateNamespace.FILE_XATTR)
            .orElse(null) : null;
    return before == null ? Optional.empty()
        : Optional.of(new RecordedFile(directory.getAsLong(), before));
  }

  private void change(UUID file, CommitRecord after) throws IOException {
    long directory = parts.folder.make(file);
    byte[] before =
        parts.namespace.attribute(directory, CommitRecord.XATTR).orElse(null);
    TermRecord.require(parts.namespace.change(List.of(new UpdateNamespace.Change(directory,
        CommitRecord.XATTR, before, after.toBytes()))));
  }

  /**
   * Replaces the terms of a group's units by terms that belong to later commits.
   *
   * @param file the file and the group
   * @param failed by unit, the latest term that must not go on
   * @param commit the commit that was begun
   * @return a ticket for each unit that has a term, or why there is none
   * @throws IOException if the NameNode refuses it
   */
  public List<TicketDecision> renew(UpdatableFile file, Map<Integer, Long> failed, long commit)
      throws IOException {
    return round(file, failed, true).renew(commit);
  }

  /**
   * @param file the file and the group
   * @return a ticket for each unit that has a term, also if a holder is silent
   * @throws IOException if the NameNode does not answer
   */
  public List<UpdateTicket> latest(UpdatableFile file) throws IOException {
    return round(file, Map.of(), false).latest();
  }

  /**
   * @param file the file and the group
   * @return the UUIDs of the nodes that may have the log of a unit of the group
   * @throws IOException if the NameNode does not answer
   */
  public Set<String> holders(UpdatableFile file) throws IOException {
    return round(file, Map.of(), false).holders();
  }

  private TicketRound round(UpdatableFile file, Map<Integer, Long> failed, boolean mayChange)
      throws IOException {
    return new TicketRound(parts, file, new TicketRequest(file.path, file.group, false,
        failed), tag(file, file.tag), mayChange);
  }

  private static List<TicketDecision> ofAll(UpdatableFile file, IntFunction<TicketDecision> same) {
    List<TicketDecision> given = new ArrayList<>();
    for (int unit = 0; unit < file.policy.dataUnits; unit++) {
      given.add(same.apply(unit));
    }
    return given;
  }

  /**
   * Returns whether a tag belongs to another file, of which this one is a copy with its attributes.
   * The copy has only the bytes that were copied: no writer gets tickets of it as long as it has
   * the tag.
   */
  private static boolean isOfAnother(byte[] tag, UpdatableFile file) throws IOException {
    return UpdateTag.parse(tag, file.path).inodeId != file.inodeId;
  }

  private UpdateTag tag(UpdatableFile file, byte[] known) throws IOException {
    if (known == null) {
      UpdateTag tag = new UpdateTag(uuids.get(), file.inodeId, 0);
      records.tag(tag);
      return tag;
    }
    UpdateTag tag = UpdateTag.parse(known, file.path);
    if (tag.inodeId != file.inodeId) {
      throw new UpdateRefusedException(file.path + " has the attribute trusted."
          + UpdateTag.XATTR + " of another file, of which it may be a copy. If it is a copy, remove"
          + " the attribute: hdfs dfs -setfattr -x trusted." + UpdateTag.XATTR + " "
          + file.path);
    }
    return tag;
  }

  /**
   * Keeps writers of a file from getting tickets while a commit of it begins. If the commit never
   * ends its fence, the writers wait for a bounded time only. Used by one thread.
   */
  static final class WriterFence {
    /** In this time all terms of a file have to begin, ms. A writer waits longer for a ticket. */
    static final long MS_MAX = 50_000;

    private final LongSupplier clockMs;
    /** The end of each file's fence, monotonic ms, by UUID. A file has one commit at a time. */
    private final Map<UUID, Long> untilMs = new HashMap<>();

    /** @param clockMs the time, monotonic, ms */
    WriterFence(LongSupplier clockMs) {
      this.clockMs = clockMs;
    }

    void raise(UUID file) {
      // A commit that was given up has left its fence.
      untilMs.values().removeIf(until -> until <= clockMs.getAsLong());
      untilMs.put(file, clockMs.getAsLong() + MS_MAX);
    }

    boolean isUp(UUID file) {
      return clockMs.getAsLong() < untilMs.getOrDefault(file, Long.MIN_VALUE);
    }

    /** Returns how many files are remembered. */
    int size() {
      return untilMs.size();
    }

    /** Ends a fence; returns whether it was still up. */
    boolean lower(UUID file) {
      boolean isUp = isUp(file);
      untilMs.remove(file);
      return isUp;
    }
  }
}
