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
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
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
import org.apache.hadoop.ipc.RetriableException;
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
 * Gives the logs of units terms and holders, and keeps these in the namespace. A new term is on
 * disk before a caller gets a ticket of it. Each call reads all state from the namespace, and
 * changes it only if it is still the same, so that the same term is not given twice, even if two
 * NameNodes both assume that they are active. All calls run on one thread of this class, which
 * waits for answers of DataNodes.
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
   * @param parts what calls for tickets use of the NameNode and of the DataNodes with logs
   * @param uuids returns a new UUID for each file that gets a tag
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

  /**
   * Takes the next step of the clean-up. The leases and the janitor notice a failover by
   * themselves.
   */
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
   * @param hears is called with each file whose logs still have updates that the file's version
   *     has, as after a crash before the trim; it must not block
   */
  public void whenUntrimmed(BiConsumer<String, UUID> hears) {
    untrimmed = hears;
  }

  /** @param hears is called with each file of which a client gets tickets; it must not block */
  public void whenGranted(BiConsumer<String, UUID> hears) {
    granted = hears;
  }

  /**
   * @param hears is called with each file that has a record in the namespace, pass after pass, in
   *     the order of the UUIDs as texts; it must not block
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
   * Answers a client's call for tickets: returns the answer for each data unit of a group.
   *
   * @param mayChange false while the namespace takes no changes; readers then get tickets of
   *     existing terms, and no term begins
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
    byte[] tag = tagNow(file, request.isWrite);
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
      // Writers identify the file by their tickets, and need no identity.
      return given;
    }
    FileIdentity identity = records.identity(own);
    return given.stream().map(one -> one.of(identity)).collect(Collectors.toList());
  }

  /**
   * Returns the tag of a file; null if it has none. The caller has looked at the file on another
   * thread. Since then, a writer's call on this thread may have given it a tag, and a call that
   * makes its directory not updatable may have ended its terms and removed its tag. A writer that
   * got a ticket of such a term would have updates acknowledged that no reader sees. A reader that
   * gets one sees what is right at this moment: a term that was ended has no updates.
   *
   * @throws RetriableException if a writer has to look at the file again
   */
  private byte[] tagNow(UpdatableFile file, boolean isWrite) throws IOException {
    if (file.tag == null) {
      return namespace.attribute(file.inodeId, UpdateTag.XATTR).orElse(null);
    }
    if (isWrite && !hasStill(file)) {
      throw new RetriableException("Whether " + file.path + " may be updated has changed a moment"
          + " ago; try again");
    }
    return file.tag;
  }

  /**
   * Returns whether a file still has the tag that the caller has read. The caller may have read its
   * sealed form, so the contents are compared.
   */
  private boolean hasStill(UpdatableFile file) throws IOException {
    try {
      byte[] now = namespace.attribute(file.inodeId, UpdateTag.XATTR).orElse(null);
      return now != null && Arrays.equals(UpdateTag.parse(now, file.path).toBytes(),
          UpdateTag.parse(file.tag, file.path).toBytes());
    } catch (FileNotFoundException e) {
      // A commit has given the path to a new version, and the old one is gone.
      return false;
    }
  }

  /**
   * Begins a commit of a file: from now on, all terms that begin have a later epoch than this
   * commit. Before the commit may collect updates, {@link #renew} has to replace the existing
   * terms.
   *
   * @param file the file
   * @return the number of the commit; updates with this epoch or an earlier one belong to it. 0 if
   *     the file was never updated
   * @throws IOException if the NameNode refuses it
   */
  public long beginCommit(UpdatableFile file) throws IOException {
    if (file.tag == null) {
      return 0;
    }
    UpdateTag tag = tag(file, file.tag);
    CommitRecord record = CommitRecord.read(parts, tag);
    long commit = Math.max(record.next, tag.epoch());
    // Until all units have a term with a later epoch, no writer gets a ticket. Otherwise a writer
    // could get an update of such a term acknowledged, and then send one to a unit with an old
    // term. The commit would have the second update without the first. Calls of writers run on this
    // thread, so none of them comes between the two steps below.
    change(tag.file, new CommitRecord(commit + 1, record.trimmed));
    fence.raise(tag.file);
    return commit;
  }

  /**
   * Lets writers of a file get tickets again, after {@link #beginCommit} has stopped them.
   *
   * @param file the UUID of the file
   * @return whether they were stopped until now; false if that took too long, so that a writer may
   *     have got a ticket
   */
  public boolean endFence(UUID file) {
    return fence.lower(file);
  }

  /**
   * Notes that all holders have dropped the updates of the last commit that a version has.
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
   * @return the attribute of the file's record that names the file's inode. A commit changes it in
   *     the same step that gives the path to the new version. Empty if the file has no record
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
   * Gives each unit of a group that has a term one with a later epoch than a commit.
   *
   * @param file the file and the group
   * @param failed by unit, the latest term that did not begin, so that the unit needs a further one
   * @param commit the commit that was begun
   * @return for each unit that has a term, a ticket of the new one, or why there is none
   * @throws IOException if the NameNode refuses it
   */
  public List<TicketDecision> renew(UpdatableFile file, Map<Integer, Long> failed, long commit)
      throws IOException {
    return round(file, failed, true).renew(commit);
  }

  /**
   * @param file the file and the group
   * @return for each unit that has a term, a ticket of the latest one, even if some of its holders
   *     are silent
   * @throws IOException if the NameNode does not answer
   */
  public List<UpdateTicket> latest(UpdatableFile file) throws IOException {
    return round(file, Map.of(), false).latest();
  }

  /**
   * @param file the file and the group
   * @return the UUIDs of the DataNodes that may have the log of a unit of the group
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
   * Returns whether a tag belongs to another file, because this one is a copy of it together with
   * its attributes. The copy has no updates but those that were in the copied bytes. No writer gets
   * tickets of it as long as it has this tag.
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
   * The files whose writers get no tickets now, because a commit begins. If the commit never calls
   * {@link #lower}, the writers get tickets after a bounded time. Used by one thread.
   */
  static final class WriterFence {
    /**
     * How long writers of a file get no tickets at most, ms; all terms of the file have to begin in
     * this time. A writer waits longer than this for a ticket.
     */
    static final long MS_MAX = 50_000;

    private final LongSupplier clockMs;
    /**
     * Until when writers of each file get no tickets, monotonic ms, by the file's UUID. A file has
     * at most one commit at a time.
     */
    private final Map<UUID, Long> untilMs = new HashMap<>();

    /** @param clockMs the time, monotonic, ms */
    WriterFence(LongSupplier clockMs) {
      this.clockMs = clockMs;
    }

    void raise(UUID file) {
      // A commit that has ended without lower() has left its entry.
      untilMs.values().removeIf(until -> until <= clockMs.getAsLong());
      untilMs.put(file, clockMs.getAsLong() + MS_MAX);
    }

    boolean isUp(UUID file) {
      return clockMs.getAsLong() < untilMs.getOrDefault(file, Long.MIN_VALUE);
    }

    /** Returns how many files have an entry. */
    int size() {
      return untilMs.size();
    }

    /** Lets writers get tickets again; returns whether they were stopped until now. */
    boolean lower(UUID file) {
      boolean isUp = isUp(file);
      untilMs.remove(file);
      return isUp;
    }
  }
}
