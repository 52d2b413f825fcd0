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
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.conf.RemovedValues;
import org.hdfsppr.manage.version.PatchCommand;
import org.hdfsppr.namenode.convert.ConvertGate;
import org.hdfsppr.namenode.convert.RpcCaller;
import org.hdfsppr.namenode.convert.UserDesk;
import org.hdfsppr.namenode.update.look.UpdatableFile;
import org.hdfsppr.namenode.update.look.UpdateNamespace;
import org.hdfsppr.operate.GroupReplacedException;
import org.hdfsppr.operate.TicketRequest;
import org.hdfsppr.operate.UnitGrant;
import org.hdfsppr.operate.UpdateProtocol;
import org.hdfsppr.operate.UpdateRefusedException;
import org.hdfsppr.update.CommitWays;
import org.hdfsppr.update.append.SignedTicket;

/**
 * Takes the calls of users about updates in place. It checks the rights of the caller and what else
 * it can check at once; the ticket keeper does the rest on its own thread. Thread-safe.
 */
@InterfaceAudience.Private
public final class UpdateRpcHandler extends UserDesk implements UpdateProtocol {
  /**
   * How long a call may take, ms. Then the client gets an exception, and calls again. Questions to
   * DataNodes take at most 3 s of this.
   */
  private static final long ANSWER_MS_MAX = 8_000;

  private final TicketKeeper keeper;
  private final UpdateNamespace namespace;
  private final boolean givesOldTickets;

  /**
   * @param keeper has the terms of logs
   * @param gate says whether this NameNode takes calls
   * @param users checks the rights of the caller of the present RPC
   * @param namespace looks up files and their attributes
   * @param givesOldTickets see {@link TicketSettings#givesOldTickets}
   */
  public UpdateRpcHandler(TicketKeeper keeper, ConvertGate gate, RpcCaller users,
      UpdateNamespace namespace, boolean givesOldTickets) {
    super(users, gate, UpdateRefusedException::new);
    this.givesOldTickets = givesOldTickets;
    this.keeper = keeper;
    this.namespace = namespace;
  }

  private void checkChanges() throws IOException {
    checkCharge(namespace.isStarting(), ", and no file is updated");
  }

  /**
   * Returns a path as the NameNode writes it; throws an exception if no user's file can be there.
   */
  private String normal(String text) throws IOException {
    String path = path(text);
    checkNoSnapshot(path, "file or directory");
    if (names(path).contains(".hdfs-ppr")) {
      throw new UpdateRefusedException(path + " is reserved; name files of users");
    }
    return path;
  }

  @Override
  public boolean setUpdatable(String wanted, boolean isUpdatable, String strategy)
      throws IOException {
    checkActive();
    checkChanges();
    checkStrategy(isUpdatable, strategy);
    String path = normal(wanted);
    if (path.startsWith("/.reserved")) {
      throw new UpdateRefusedException(path + " is reserved; name directories of users");
    }
    // To make a directory not updatable any more, the caller has to own it: WRITE is not enough,
    // because this affects the files of all users below.
    long inode = audited("pprUpdatable", path, () ->
        namespace.directory(path, !isUpdatable).orElseThrow(() ->
            new UpdateRefusedException(path + " is a file; name its directory")));
    boolean isChanged = keeper.call(() ->
        keeper.setUpdatable(inode, isUpdatable, strategy), ANSWER_MS_MAX);
    users.audit(true, "pprUpdatable", path);
    return isChanged;
  }

  private static void checkStrategy(boolean isUpdatable, String strategy)
      throws UpdateRefusedException {
    if (strategy == null) {
      return;
    }
    if (!isUpdatable) {
      throw new UpdateRefusedException("Files that are not updated have no strategy of commits");
    }
    String current = RemovedValues.current(PprKeys.NAMENODE_COMMIT_STRATEGY_KEY, strategy);
    if (!current.equals(strategy)) {
      throw new UpdateRefusedException("Commits know no strategy '" + strategy
          + "' any more; name '" + current + "', which sends, for each range of bytes and pair of"
          + " racks, the fewer of sums and changes");
    }
    if (!strategy.equals(DEFAULT_STRATEGY)) {
      try {
        CommitWays.check(strategy);
      } catch (IllegalArgumentException e) {
        throw new UpdateRefusedException(e.getMessage());
      }
    }
  }

  @Override
  public boolean isUpdatable(String wanted) throws IOException {
    checkActive();
    if (wanted.contains("/.snapshot/")) {
      // A file in a snapshot has no updates but those that commits have put into its version.
      return false;
    }
    UpdatableFile file = namespace.file(normal(wanted), null, false);
    return file.tag != null || file.isUpdatable && UpdateRules.whyNot(file, false).isEmpty();
  }

  @Override
  public List<UnitGrant> tickets(TicketRequest request) throws IOException {
    checkActive();
    if (request.isWrite) {
      checkChanges();
    }
    String path = normal(request.path);
    UpdatableFile file = audited("pprUpdate", path, () -> request.isWrite
        ? namespace.file(path, request.group, true) : namespace.fileToRead(path, request.group));
    Optional<String> why = UpdateRules.whyNot(file, request.isWrite);
    if (why.isPresent()) {
      throw new UpdateRefusedException(why.get());
    }
    if (file.group == null) {
      throw new GroupReplacedException(path + " does not have the block group "
          + request.group + "; it was replaced, so open it anew");
    }
    List<UnitGrant> grants = new ArrayList<>();
    AccessMode mode = request.isWrite ? AccessMode.WRITE : AccessMode.READ;
    boolean mayChange = !users.isInSafeMode();
    for (TicketDecision given : keeper.call(() -> keeper.grant(file, request, mayChange),
        ANSWER_MS_MAX)) {
      grants.add(grant(given, mode));
    }
    if (request.isWrite) {
      users.audit(true, "pprUpdate", path);
    }
    return grants;
  }

  private UnitGrant grant(TicketDecision given, AccessMode mode) throws IOException {
    return ofUnit(given, mode).of(given.file);
  }

  private UnitGrant ofUnit(TicketDecision given, AccessMode mode) throws IOException {
    if (given.ticket().isPresent()) {
      return ofTicket(given.unit, namespace.sign(given.ticket().get(), mode), mode);
    }
    if (given.refusal().isPresent()) {
      return UnitGrant.refused(given.unit, given.refusal().get());
    }
    return given.later().map(why -> UnitGrant.later(given.unit, why))
        .orElseGet(() -> UnitGrant.noLog(given.unit, given.validMs));
  }

  private UnitGrant ofTicket(int unit, SignedTicket signed, AccessMode mode) {
    // HDFS accepts the token of an unsealed ticket as a token of the block, so a writer could
    // replace replicas with it. For readers this is harmless: they may read the blocks anyway.
    boolean isToken = signed.token.getIdentifier().length > 0;
    return mode != AccessMode.WRITE || signed.ticket.sealed || givesOldTickets || !isToken
        ? UnitGrant.of(unit, signed)
        : UnitGrant.refused(unit, "A DataNode of " + signed.ticket.holders + " that has to hold"
            + " the log of unit " + unit + " is too old for tickets that HDFS does not take for"
            + " tokens of blocks; install this version there ('hdfs ppr -doctor' names it, "
            + PprKeys.NAMENODE_UPDATE_OLD_TICKETS_KEY + " is false)");
  }

  /** Decides which files may be updated in place, from what is known of the file. */
  static final class UpdateRules {
    /**
     * Codecs whose data units have the bytes of the file unchanged, and whose parity units are sums
     * of data units.
     */
    private static final Set<String> CODECS = Set.of("rs", "rs-legacy");
    private static final Set<String> OWN_CODECS = Set.of("hitchhiker", "lrc", "core");

    private UpdateRules() {
    }

    /**
     * Returns why clients get no tickets of a file, as a sentence with a remedy; empty if they do.
     *
     * @param isWrite whether the caller writes; a reader may get tickets of more files, because it
     *     has to see earlier updates
     */
    static Optional<String> whyNot(UpdatableFile file, boolean isWrite) {
      String path = file.path;
      if (file.policy == null) {
        return Optional.of(path + " is replicated, and only erasure-coded files are updated in "
            + "place; copy it into a directory with an erasure coding policy");
      }
      if (!isKnown(file.policy.codec)) {
        return Optional.of(path + " has the codec " + file.policy.codec + ", and only files of"
            + " Reed-Solomon, Hitchhiker and LRC codes are updated in place; 'hdfs ppr -convert'"
            + " may give it another one");
      }
      if (!isWrite) {
        return Optional.empty();
      }
      if (file.policy.dataUnits > PatchCommand.DATA_UNITS_MAX) {
        // No commit can be made of a file with more data units, so its logs would never be trimmed.
        return Optional.of(path + " has " + file.policy.dataUnits + " data units, and files with"
            + " at most " + PatchCommand.DATA_UNITS_MAX + " are updated in place; copy it into a"
            + " directory with another erasure coding policy");
      }
      if (!file.isUpdatable) {
        return Optional.of("No directory above " + path + " is updatable; 'hdfs ppr -updatable DIR'"
            + " makes one so");
      }
      if (file.isEncrypted) {
        return Optional.of(path + " lies in an encryption zone, and files there are not updated in"
            + " place; copy it elsewhere");
      }
      return Optional.ofNullable(file.open).map(why -> path + " " + why
          + "; try again when its writer has closed it ('hdfs debug recoverLease' closes it after a"
          + " writer's death)");
    }

    private static boolean isKnown(String codec) {
      return CODECS.contains(codec) || OWN_CODECS.stream().anyMatch(codec::startsWith);
    }
  }
}
