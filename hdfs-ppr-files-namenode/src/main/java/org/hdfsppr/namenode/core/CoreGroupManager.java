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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.security.AccessControlException;
import org.hdfsppr.namenode.core.look.CoreNamespace;
import org.hdfsppr.namenode.core.look.DirectoryState;
import org.hdfsppr.namenode.core.look.MemberState;
import org.hdfsppr.namenode.core.look.OwnedFolder;
import org.hdfsppr.namenode.steps.ActiveService;
import org.hdfsppr.operate.CoreDirectory;
import org.hdfsppr.operate.CoreRefusedException;
import org.hdfsppr.operate.CoreStatus;
import org.hdfsppr.operate.GroupAnswer;
import org.hdfsppr.operate.GroupSubmission;
import org.hdfsppr.operate.SubmissionTerms;
import org.hdfsppr.wire.PeerLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the CORE groups of a NameNode, in steps. After a start or a failover, it reads them from
 * the namespace. Then, again and again, it compares the groups with their files, looks through
 * protected directories for files in no group, and has the engine make new groups. In safe mode it
 * only reads groups. Used by one thread, except for {@link #status} and {@link #dissolved}.
 */
@InterfaceAudience.Private
public final class CoreGroupManager extends ActiveService {
  private static final Logger LOG = LoggerFactory.getLogger(CoreGroupManager.class);
  /**
   * How many groups one step compares with their files; with the pauses between steps, these are
   * some hundred per second.
   */
  private static final int GROUPS_PER_STEP = 100;
  private static final long PUBLISH_MS = 1_000;
  /**
   * For how long one step reads groups, ms. It is much against the pause between two steps, because
   * repairs wait until the groups are read.
   */
  private static final long LOAD_MS = 150;
  /**
   * All groups are compared with their files this many times for each time that the places of their
   * blocks are looked up.
   */
  private static final int CHECKS_PER_SPREAD = 10;
  /** The time between two tries to delete parity files that no group needs any more, ms. */
  private static final long CLEAR_UP_MS = 60_000;
  private static final long NO_TERM = -1;

  private final CoreDoors doors;
  private final PeerLog peerLog = new PeerLog(LOG);
  private final CoreSettings settings;
  private final LongSupplier clockMs;
  private final LongSupplier wallClockMs;
  private final CoreGroupRules judge;
  private final CoreGroupRegistry shelf;
  private final Dissolver dissolver;
  private final UnusedGroups unused = new UnusedGroups();
  private final GroupLoader loader;
  private final Forming forming;
  private final MemberRemoval takingOut;
  private final SpreadCount spread;
  private final ProtectedFileScanner walks;
  private final SubmissionRules door;
  private final ProtectedDirectories directories;
  private final CoreStatusMaker statuses;
  /** The groups that are still to be compared in the present round, by their ids. */
  private final Deque<Long> unchecked = new ArrayDeque<>();
  /**
   * The term, as of {@code ConvertGate.term()}, in which this object may change groups;
   * {@link #NO_TERM} while it may only read them.
   */
  private long term = NO_TERM;
  private boolean isLoaded;
  private long checkedMs;
  private long clearedMs;
  private boolean isCleared;
  private long publishedMs;
  /** The status for users; null while this NameNode has not read its groups. */
  private volatile CoreStatus published;
  /** Inode ids of the parity files that no group needs any more and that still exist. */
  private volatile Set<Long> dissolved = Set.of();
  private volatile boolean isReady;

  /**
   * @param settings the settings
   * @param doors what CORE groups use of the NameNode
   * @param book the index that answers which block groups form columns
   * @param tally counts the groups that are formed, dissolved, or fail
   * @param clockMs the time, monotonic, ms
   * @param wallClockMs the time, ms since 1970 (UTC)
   */
  public CoreGroupManager(CoreSettings settings, CoreDoors doors, CoreGroupIndex book,
      CoreTally tally,
      LongSupplier clockMs, LongSupplier wallClockMs) {
    super("ppr-core", "CORE groups", STEP_MS);
    this.settings = settings;
    this.doors = doors;
    this.clockMs = clockMs;
    this.wallClockMs = wallClockMs;
    CoreFolder folder = doors.folder;
    CoreNamespace namespace = doors.namespace;
    this.judge = new CoreGroupRules(settings.settleMs);
    this.shelf = new CoreGroupRegistry(book);
    this.dissolver = new Dissolver(folder, namespace, shelf, tally);
    this.loader = new GroupLoader(folder, namespace, shelf, judge, dissolver, unused);
    this.forming = new Forming(doors, shelf, judge, dissolver, tally, settings.concurrent,
        this::wake);
    this.takingOut =
        new MemberRemoval(doors, shelf, judge, dissolver, settings.concurrent, this::wake);
    this.spread =
        new SpreadCount(shelf, doors.spread, CHECKS_PER_SPREAD * settings.checkMs());
    this.walks = new ProtectedFileScanner(folder, new FilePlanner(namespace, settings.slack(),
        settings.settleMs), shelf, forming, settings.walkMs());
    this.directories = new ProtectedDirectories(folder, namespace, gone -> {
      walks.forget(gone);
      forming.cancel(gone);
    });
    this.statuses = new CoreStatusMaker(settings, doors, directories, shelf, walks, dissolver,
        unused);
    this.door = new SubmissionRules(namespace, shelf, forming, settings);
  }

  /** @return the status as of the last step; empty if this NameNode has not read its groups */
  public Optional<CoreStatus> status() {
    return Optional.ofNullable(published);
  }

  /** @return the answer of {@link KeptFiles#dissolved}, as of the last step */
  public Optional<Set<Long>> dissolved() {
    return published == null ? Optional.empty() : Optional.of(dissolved);
  }

  /**
   * Returns since when this NameNode has been active, in safe mode or not: groups are also needed
   * in safe mode, because HDFS then serves reads.
   */
  @Override
  protected OptionalLong term() {
    return doors.namespace.activeSince();
  }

  private boolean mayChange() {
    return doors.gate.isActive() && !doors.namespace.isInSafeMode();
  }

  /**
   * Begins to read the groups, also in safe mode. Between the end of safe mode and the first cycle
   * of repairs, it returns false, so that the next step tries again.
   */
  @Override
  protected boolean load(long since) throws IOException {
    boolean mayChange = mayChange();
    if (!mayChange && !doors.namespace.isInSafeMode()) {
      return false;
    }
    long beginning = mayChange ? doors.gate.term() : NO_TERM;
    if (mayChange) {
      doors.folder.open();
    }
    directories.read();
    loader.begin();
    isCleared = false;
    publishedMs = clockMs.getAsLong() - PUBLISH_MS;
    term = beginning;
    return true;
  }

  /** If groups are left to read, reads some more of them. Otherwise compares and forms groups. */
  @Override
  protected boolean work() throws IOException {
    if (!mayChange()) {
      term = NO_TERM;
      return !isLoaded && read(false);
    }
    if (term == NO_TERM && isLoaded) {
      goOn();
    } else if (term != doors.gate.term() && !loadAnew(loaded())) {
      return false;
    }
    return isLoaded ? lookAfter() : read(true);
  }

  @Override
  protected void say(Throwable e) {
    if (e instanceof IOException) {
      peerLog.warn(e.getClass().getName(), "CORE groups are not looked after for now: {}",
          e.toString());
    } else {
      super.say(e);
    }
  }

  /**
   * Safe mode has ended: takes over the groups that were read in it. They are up to date, because
   * no file changes in safe mode.
   */
  private void goOn() throws IOException {
    long beginning = doors.gate.term();
    doors.folder.open();
    // This only adds directories. One whose entry is gone is removed when the refresh in read()
    // finds that it has no attribute.
    directories.read();
    isCleared = false;
    checkedMs = clockMs.getAsLong() - settings.checkMs();
    term = beginning;
  }

  @Override
  protected void forget(boolean wasLoaded) {
    if (wasLoaded) {
      LOG.info("This NameNode is not the active one any more, and leaves {} CORE groups to another"
          + " one", shelf.size());
    }
    term = NO_TERM;
    isReady = false;
    isLoaded = false;
    published = null;
    directories.clear();
    unchecked.clear();
    shelf.clear();
    unused.clear();
    forming.clear();
    takingOut.clear();
    walks.clear();
    dissolver.clear();
    spread.clear();
  }

  /** Reads some groups; returns whether the next step should come soon. */
  private boolean read(boolean mayChange) throws IOException {
    long endMs = clockMs.getAsLong() + LOAD_MS;
    while (!loader.isDone() && clockMs.getAsLong() < endMs) {
      loader.step(directories.protections(), wallClockMs.getAsLong(), mayChange);
    }
    if (!loader.isDone()) {
      return true;
    }
    if (shelf.size() > 0 || !directories.all().isEmpty()) {
      LOG.info("{} CORE groups below {} protected directories are known at this NameNode",
          shelf.size(), directories.all().size());
    }
    isLoaded = true;
    isReady = true;
    checkedMs = clockMs.getAsLong() - settings.checkMs();
    return true;
  }

  private boolean lookAfter() throws IOException {
    long nowMs = clockMs.getAsLong();
    forming.takeEnded(directories.protections(), wallClockMs.getAsLong());
    takingOut.takeEnded(directories.protections(), wallClockMs.getAsLong());
    boolean isHurried = check(nowMs);
    spread.step(nowMs);
    if (doors.namespace.isInSafeMode() || !doors.engine.isActive()) {
      return isHurried;
    }
    if (!isCleared || nowMs - clearedMs >= CLEAR_UP_MS) {
      // The engine becomes active only after all makings of earlier terms have ended, so the
      // condition of retry() holds.
      dissolver.retry();
      isCleared = true;
      clearedMs = nowMs;
    }
    if (settings.concurrent > 0) {
      isHurried |= walks.step(directories.protections(), wallClockMs.getAsLong());
      forming.submit(directories.protections());
    }
    return isHurried;
  }

  /** Compares some groups with their files; returns whether there are more in this round. */
  private boolean check(long nowMs) throws IOException {
    if (unchecked.isEmpty()) {
      if (nowMs - checkedMs < settings.checkMs()) {
        return false;
      }
      checkedMs = nowMs;
      directories.refresh();
      shelf.items().forEach(item -> unchecked.add(item.group.id()));
      loader.lookAgain(directories.protections(), wallClockMs.getAsLong());
    }
    for (int i = 0; i < GROUPS_PER_STEP && !unchecked.isEmpty(); i++) {
      // The group is removed from the queue first. If its comparison fails, the next round tries it
      // again.
      CoreGroupRegistry.Item item = shelf.item(unchecked.remove());
      if (item != null) {
        check(item);
      }
    }
    return !unchecked.isEmpty();
  }

  private void check(CoreGroupRegistry.Item item) throws IOException {
    CoreGroup group = item.group;
    List<Optional<MemberState>> now = doors.namespace.members(group.inodeIds());
    CoreGroupRules.Verdict verdict = judge.judge(group, now, directories.protections(),
        wallClockMs.getAsLong());
    item.found(verdict);
    // If the parity file has no record any more, a superuser has removed it to have the group
    // dissolved.
    Optional<MemberState> parity = now.get(now.size() - 1);
    boolean isRecorded = parity.isEmpty() || parity.get().isRecorded();
    DissolutionReason reason = verdict.reason == null && !isRecorded
        ? DissolutionReason.PARITY_CHANGED
        : verdict.reason;
    if (reason == null || doors.namespace.isInSafeMode()) {
      return;
    }
    if (LastRecoveryPath.isOf(group, doors.namespace)) {
      peerLog.warn("last way " + reason, "CORE group {} is to be dissolved ({}), but"
          + " is kept until its files are repaired: one of them has lost more units than its own"
          + " code can rebuild. Others like it may follow", group.id(), reason);
      return;
    }
    if (isRecorded && takingOut.takes(item, verdict)) {
      return;
    }
    dissolver.dissolve(group, reason);
    if (directories.protections().has(item.directory())) {
      // The files of the group are in no group now, and the next walk can form new groups of them.
      walks.soon(item.directory());
    }
  }

  /**
   * Protects a directory.
   *
   * @param owned the directory
   * @param path its path
   * @param isRecursive whether the files in all directories below it are protected, too
   * @param files how many files form a group, if their policy does not say it; empty to keep the
   *     number that the directory has, or to take the default
   * @param user short name of the user
   * @return the directory with its new protection
   * @throws AccessControlException if the directory is already protected with other parameters and
   *     the user does not own it: the change would dissolve the groups of all its files
   * @throws IOException if the call is refused, or fails
   */
  CoreDirectory protect(OwnedFolder owned, String path, boolean isRecursive, OptionalInt files,
      String user) throws IOException {
    ProtectedDirectory after = put(owned, path, isRecursive, files, user);
    walks.hurry(owned.inodeId);
    publishNow();
    return statuses.of(after);
  }

  private ProtectedDirectory put(OwnedFolder owned, String path, boolean isRecursive,
      OptionalInt files, String user) throws IOException {
    checkReady();
    long inodeId = owned.inodeId;
    ProtectedDirectory before = directories.get(inodeId);
    if (before == null && directories.all().size() >= ProtectedDirectories.DIRECTORIES_MAX) {
      throw new CoreRefusedException(ProtectedDirectories.DIRECTORIES_MAX
          + " directories are protected already; protect one above them with -recursive");
    }
    ProtectedDirectory after = new ProtectedDirectory(inodeId, path,
        files.orElse(before == null ? ProtectedDirectories.FILES_DEFAULT : before.files),
        isRecursive, user);
    if (before != null && !owned.owner && (before.recursive != isRecursive
        || before.files != after.files)) {
      throw new AccessControlException("Permission denied: user=" + user + " is neither the owner"
          + " of " + path + " nor a superuser, and it is protected in another way already");
    }
    if (before != null && !before.isReadable() && files.isEmpty()) {
      // A number that is not the one of the record would have the groups dissolved.
      throw new CoreRefusedException("The record of the protected directory " + path
          + " cannot be read, so that it is not known how many files its groups have: upgrade"
          + " hdfs-ppr on this NameNode, or name the number (-t)");
    }
    byte[] attribute = attribute(inodeId);
    require(before == null || before.isStill(attribute), path);
    require(doors.folder.protect(inodeId, attribute, after.toBytes()), path);
    directories.put(after);
    return after;
  }

  /**
   * Returns the present value of the attribute of a directory; null if the directory has none, or
   * does not exist.
   */
  private byte[] attribute(long inodeId) throws IOException {
    return doors.namespace.folder(inodeId).map(DirectoryState::attribute).orElse(null);
  }

  private static void require(boolean isChanged, String path) throws RetriableException {
    if (!isChanged) {
      throw new RetriableException("The protection of " + path + " has changed just now; try"
          + " again");
    }
  }

  /**
   * Protects a directory whose groups a user is about to submit. The parameters are those of
   * {@link #protect}.
   *
   * @return the rules by which groups are formed, and all protected directories below this one
   * @throws IOException if the call is refused, or fails
   */
  SubmissionTerms beginSubmission(OwnedFolder owned, String path, boolean isRecursive,
      OptionalInt files, String user) throws IOException {
    checkForms();
    ProtectedDirectory after = put(owned, path, isRecursive, files, user);
    walks.postpone(owned.inodeId, wallClockMs.getAsLong());
    publishNow();
    List<CoreDirectory> inner = new ArrayList<>();
    String prefix = path.endsWith("/") ? path : path + "/";
    for (CoreDirectory one : published.directories) {
      if (isRecursive && one.path.startsWith(prefix) && !one.path.equals(path)) {
        inner.add(one);
      }
    }
    return new SubmissionTerms(statuses.of(after), settings.slackPercent,
        settings.settleMs, FilePlanner.BLOCK_GROUPS_MAX, inner);
  }

  /**
   * Takes groups of files that a user submits, or refuses them.
   *
   * @param inodeId inode id of the protected directory
   * @param submission path of the directory, and the groups
   * @param user short name of the user
   * @return for each group, whether it was taken, or why not
   * @throws IOException if all groups are refused, or if the NameNode does not answer
   */
  List<GroupAnswer> submit(long inodeId, GroupSubmission submission, String user)
      throws IOException {
    checkReady();
    checkForms();
    ProtectedDirectory directory = directories.get(inodeId);
    if (directory == null) {
      throw notProtected(submission.path);
    }
    long nowMs = wallClockMs.getAsLong();
    walks.postpone(inodeId, nowMs);
    return door.take(directory, directories.protections(), submission.groups, user, nowMs);
  }

  private void checkForms() throws CoreRefusedException {
    if (settings.concurrent == 0) {
      throw new CoreRefusedException("No groups are formed here: " + CoreStatusMaker.OFF);
    }
  }

  private static CoreRefusedException notProtected(String path) {
    return new CoreRefusedException(path + " is not protected itself; 'hdfs ppr -core -status'"
        + " lists the directories that are");
  }

  /**
   * Ends the protection of a directory. The next comparison dissolves its groups.
   *
   * @param inodeId inode id of the directory
   * @param path its path
   * @return the directory as it was protected before
   * @throws IOException if the directory is not protected, or if the call fails
   */
  CoreDirectory unprotect(long inodeId, String path) throws IOException {
    checkReady();
    ProtectedDirectory before = directories.get(inodeId);
    if (before == null) {
      throw notProtected(path);
    }
    CoreDirectory was = statuses.of(before);
    byte[] attribute = attribute(inodeId);
    require(before.isStill(attribute), path);
    require(doors.folder.unprotect(inodeId, attribute), path);
    directories.remove(inodeId);
    walks.forget(inodeId);
    forming.cancel(inodeId);
    checkedMs = clockMs.getAsLong() - settings.checkMs();
    publishNow();
    return was;
  }

  /** Returns the groups. Only for calls that run on the thread of this object. */
  CoreGroupRegistry shelf() throws IOException {
    checkReady();
    return shelf;
  }

  private void checkReady() throws IOException {
    if (!isReady) {
      throw new RetriableException(
          "This NameNode has not read its CORE groups yet");
    }
  }

  @Override
  protected void publish() {
    if (isReady && clockMs.getAsLong() - publishedMs >= PUBLISH_MS) {
      publishNow();
    }
  }

  private void publishNow() {
    publishedMs = clockMs.getAsLong();
    dissolved = dissolver.keptIds();
    published = statuses.now();
  }

  /**
   * Counts, for each group, the columns that have two blocks on one node. A client may have written
   * the blocks there. Stock may also have placed them so: as it wrote or balanced them, or repaired
   * one and had no other node. Each step looks at some columns, in rounds over all groups. Used by
   * one thread.
   */
  static final class SpreadCount {
    /**
     * How many looks a step takes. A look holds the NameNode's read lock for some twenty
     * microseconds, for all block groups at one index of a CORE group. With the pauses between
     * steps, there are some 400 looks per second.
     */
    static final int LOOKS_PER_STEP = 100;

    private final CoreGroupRegistry shelf;
    private final ColumnSpread spread;
    private final long roundMs;
    private final Deque<Long> due = new ArrayDeque<>();
    private boolean hasBegun;
    private long beganMs;
    /**
     * In the first group of {@link #due}: the next index to look at, and how many columns with two
     * blocks on one node the earlier looks have found.
     */
    private int index;
    private int together;

    /** @param roundMs the least time between the begins of two rounds over all groups, ms */
    SpreadCount(CoreGroupRegistry shelf, ColumnSpread spread, long roundMs) {
      this.shelf = shelf;
      this.spread = spread;
      this.roundMs = roundMs;
    }

    /** @param nowMs the time, monotonic, ms */
    void step(long nowMs) {
      if (due.isEmpty() && (!hasBegun || nowMs - beganMs >= roundMs)) {
        hasBegun = true;
        beganMs = nowMs;
        shelf.items().forEach(item -> due.add(item.group.id()));
      }
      for (int looks = 0; looks < LOOKS_PER_STEP && !due.isEmpty(); looks++) {
        CoreGroupRegistry.Item item = shelf.item(due.peek());
        if (item == null) {
          next();
          continue;
        }
        together += spread.together(item.group, index++);
        if (index == item.group.parity().blockGroups) {
          item.setTogether(together);
          next();
        }
      }
    }

    private void next() {
      due.remove();
      index = 0;
      together = 0;
    }

    void clear() {
      due.clear();
      hasBegun = false;
      index = 0;
      together = 0;
    }
  }
}
