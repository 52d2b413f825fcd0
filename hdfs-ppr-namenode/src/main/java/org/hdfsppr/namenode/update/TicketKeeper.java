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
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.apache.hadoop.ipc.RetriableException;
import org.hdfsppr.operate.TicketRequest;
import org.hdfsppr.operate.UpdateRefusedException;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.LogPosition;
import org.hdfsppr.update.append.Ticket;
import org.hdfsppr.update.append.UnitId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives units terms and holders, and remembers them in the namespace. A term that was given is on
 * disk before a caller hears of it. All state is read from the namespace with each call and changed
 * only if it is still the same, so that two NameNodes that both take themselves for the active one
 * cannot give the same term twice. Used by one thread, because it asks DataNodes.
 */
@InterfaceAudience.Private
public final class TicketKeeper {
  private static final Logger LOG = LoggerFactory.getLogger(TicketKeeper.class);
  /** The attribute of a group's directory. */
  static final String TERMS_XATTR = "hdfs-ppr.terms";
  /** The attribute of the directory of all: the latest term, 8 bytes. */
  static final String LATEST_XATTR = "hdfs-ppr.latest-term";

  /** What a unit gets: a ticket, a refusal, or neither if it has no log. Immutable. */
  static final class Given {
    private final int unit;
    private final Ticket ticket;
    private final String refusal;

    private Given(int unit, Ticket ticket, String refusal) {
      this.unit = unit;
      this.ticket = ticket;
      this.refusal = refusal;
    }

    int unit() {
      return unit;
    }

    Optional<Ticket> ticket() {
      return Optional.ofNullable(ticket);
    }

    Optional<String> refusal() {
      return Optional.ofNullable(refusal);
    }
  }

  private final int replicas;
  private final UpdateNamespace namespace;
  private final UpdateFolder folder;
  private final LogNodes nodes;
  private final LogQuestions questions;
  private final Supplier<UUID> uuids;
  private final TermRate rate;

  /**
   * @param settings the settings
   * @param namespace reads and changes attributes
   * @param folder has the records
   * @param nodes the DataNodes that keep logs
   * @param questions asks them
   * @param uuids makes UUIDs of files
   * @param clockMs the time, monotonic, ms
   */
  public TicketKeeper(TicketSettings settings, UpdateNamespace namespace, UpdateFolder folder,
      LogNodes nodes, LogQuestions questions, Supplier<UUID> uuids, LongSupplier clockMs) {
    this.rate = new TermRate(clockMs);
    this.replicas = settings.replicas();
    this.namespace = namespace;
    this.folder = folder;
    this.nodes = nodes;
    this.questions = questions;
    this.uuids = uuids;
  }

  boolean setUpdatable(long directory, boolean isUpdatable) throws IOException {
    return folder.setUpdatable(directory, isUpdatable);
  }

  /**
   * Returns what each data unit of a group gets that has bytes.
   *
   * @param mayChange false while the namespace takes no changes. Readers then get tickets of the
   *     terms that there are
   */
  List<Given> grant(UpdatableFile file, TicketRequest request, boolean mayChange)
      throws IOException {
    if (file.tag() == null && !(file.isUpdatable() && mayChange)) {
      return new Round(file, request, null, false).nothing();
    }
    return new Round(file, request, tag(file), mayChange).run();
  }

  private UpdateTag tag(UpdatableFile file) throws IOException {
    if (file.tag() == null) {
      UpdateTag tag = new UpdateTag(uuids.get(), file.inodeId(), 0);
      require(namespace.change(List.of(new UpdateNamespace.Change(file.inodeId(),
          UpdateTag.XATTR, null, tag.toBytes()))));
      return tag;
    }
    UpdateTag tag = UpdateTag.parse(file.tag(), file.path());
    if (tag.inodeId() != file.inodeId()) {
      throw new UpdateRefusedException(file.path() + " has the attribute trusted."
          + UpdateTag.XATTR + " of another file, of which it may be a copy. If it is a copy, remove"
          + " the attribute: hdfs dfs -setfattr -x trusted." + UpdateTag.XATTR + " "
          + file.path());
    }
    return tag;
  }

  private static void require(boolean isChanged) throws RetriableException {
    if (!isChanged) {
      throw new RetriableException("The records of updates have changed meanwhile; try again");
    }
  }

  /** One call: what was there, and what changes. */
  private final class Round {
    private final UpdatableFile file;
    private final TicketRequest request;
    private final UpdateTag tag;
    private final boolean mayChange;
    private final List<Given> given = new ArrayList<>();
    private final List<UnitTerm> changed = new ArrayList<>();
    private GroupTerms known = GroupTerms.NONE;
    private byte[] before;
    private long latest = -1;

    Round(UpdatableFile file, TicketRequest request, UpdateTag tag, boolean mayChange) {
      this.mayChange = mayChange;
      this.file = file;
      this.request = request;
      this.tag = tag;
    }

    List<Given> run() throws IOException {
      OptionalLong record = folder.find(tag.file(), file.ordinal());
      if (record.isPresent()) {
        before = namespace.attribute(record.getAsLong(), TERMS_XATTR).orElse(null);
        known = before == null ? GroupTerms.NONE : GroupTerms.parse(before);
      }
      for (int unit = 0; unit < file.policy().dataUnits(); unit++) {
        if (block(unit).length() > 0) {
          give(unit);
        }
      }
      if (!changed.isEmpty()) {
        write();
        LOG.info("{}: group {} has {}", file.path(), file.ordinal(), changed);
      }
      return given;
    }

    /** Answers about a file that was never updated, and cannot be now. */
    List<Given> nothing() {
      for (int unit = 0; unit < file.policy().dataUnits(); unit++) {
        given.add(new Given(unit, null, null));
      }
      return given;
    }

    private void write() throws IOException {
      long root = folder.root();
      // The terms begin behind the latest one that was given, as it is now.
      Optional<byte[]> now = namespace.attribute(root, LATEST_XATTR);
      if (latest(now) != latest - changed.size()) {
        throw new RetriableException("Another NameNode gives terms; try again");
      }
      require(namespace.change(List.of(
          new UpdateNamespace.Change(root, LATEST_XATTR, now.orElse(null),
              ByteBuffer.allocate(Long.BYTES).putLong(latest).array()),
          new UpdateNamespace.Change(folder.make(tag.file(), file.ordinal()), TERMS_XATTR, before,
              known.with(changed).toBytes()))));
    }

    private long latest(Optional<byte[]> bytes) throws IOException {
      if (bytes.isPresent() && bytes.get().length != Long.BYTES) {
        throw new IOException("trusted." + LATEST_XATTR + " of " + UpdateNamespace.ROOT
            + " cannot be read; a newer hdfs-ppr may have written it");
      }
      return bytes.map(value -> ByteBuffer.wrap(value).getLong()).orElse(0L);
    }

    private long nextTerm() throws IOException {
      if (latest < 0) {
        latest = latest(namespace.attribute(folder.root(), LATEST_XATTR));
      }
      return ++latest;
    }

    private BlockRef block(int unit) {
      return file.group().block(unit, StripedBlockUtil.getInternalBlockLength(file.groupBytes(),
          file.policy().cellBytes(), file.policy().dataUnits(), unit));
    }

    private Ticket ticket(UnitTerm term, List<NodeRef> holders) {
      return new Ticket(new UnitId(tag.file(), file.ordinal(), term.unit()), block(term.unit()),
          term.term(), term.previous(), tag.epoch(), holders);
    }

    private void give(int unit) throws IOException {
      UnitTerm term = known.unit(unit);
      if (term == null) {
        begin(unit);
        return;
      }
      List<NodeRef> holders = live(term.holders());
      if (holders.size() < term.holders().size() && !nodes.areKnown()) {
        throw new RetriableException("This NameNode has not heard of all DataNodes with update logs"
            + " yet; try again");
      }
      if (request.failed(unit) > term.term()) {
        refuse(unit, "Term " + request.failed(unit) + " of unit " + unit + " of " + file.group()
            + " was never given, and cannot have failed");
        return;
      }
      boolean isWhole = holders.size() == term.holders().size();
      // A caller that has said so too often goes on with the term that there is.
      boolean hasFailed = request.failed(unit) == term.term()
          && rate.take(new UnitId(tag.file(), file.ordinal(), unit));
      boolean isThin = request.isWrite() && holders.size() <= replicas;
      if (isWhole && !hasFailed && !(isThin && nodes.live().size() > holders.size())) {
        give(unit, term, holders);
      } else {
        goOn(term);
      }
    }

    /** Gives a ticket of a term, unless too few nodes hold the log for a writer. */
    private void give(int unit, UnitTerm term, List<NodeRef> holders) {
      if (request.isWrite() && holders.size() <= replicas) {
        refuse(unit, tooFew(holders.size()));
      } else {
        given.add(new Given(unit, ticket(term, holders), null));
      }
    }

    private void refuse(int unit, String why) {
      given.add(new Given(unit, null, why));
    }

    private String tooFew(int has) {
      return "Only " + has + " of the " + (replicas + 1) + " DataNodes are there that have to hold"
          + " the log of each unit (dfs.datanode.ppr.update.log.dir,"
          + " dfs.namenode.ppr.update.replicas)";
    }

    private List<NodeRef> live(List<String> uuids) {
      List<NodeRef> live = new ArrayList<>();
      uuids.forEach(uuid -> nodes.live(uuid).ifPresent(live::add));
      return live;
    }

    private List<NodeRef> parity() {
      List<NodeRef> parity = new ArrayList<>();
      int k = file.policy().dataUnits();
      for (int unit = k; unit < k + file.policy().parityUnits(); unit++) {
        parity.addAll(live(file.nodes(unit)));
      }
      return parity;
    }

    /** Gives a unit its first term. */
    private void begin(int unit) throws IOException {
      if (!file.isUpdatable() || !mayChange) {
        given.add(new Given(unit, null, null));
        return;
      }
      if (file.nodes(unit).isEmpty()) {
        given.add(new Given(unit, null, request.isWrite() ? "Unit " + unit + " of "
            + file.group() + " is lost, and was never updated; it can be when it is repaired"
            : null));
        return;
      }
      List<NodeRef> places = live(file.nodes(unit));
      List<NodeRef> all = nodes.live();
      if ((places.isEmpty() || all.size() <= replicas) && !nodes.areKnown()) {
        throw new RetriableException("This NameNode has not heard of all DataNodes with update logs"
            + " yet; try again");
      }
      if (all.size() <= replicas) {
        given.add(new Given(unit, null, request.isWrite() ? tooFew(all.size()) : null));
        return;
      }
      // A node that has no block of the group may lead as well, because readers put updates over
      // what they have read elsewhere.
      NodeRef leader = places.isEmpty()
          ? HolderChoice.holders(all.get(0), List.of(), parity(), all, seed(unit), 1).get(1)
          : places.get(0);
      List<NodeRef> holders = HolderChoice.holders(leader, List.of(), parity(), all, seed(unit),
          replicas);
      change(new UnitTerm(unit, nextTerm(), 0, uuids(holders), List.of()), holders);
    }

    private int seed(int unit) {
      return tag.file().hashCode() * 31 + file.ordinal() * 16 + unit;
    }

    private List<String> uuids(List<NodeRef> holders) {
      List<String> uuids = new ArrayList<>();
      holders.forEach(holder -> uuids.add(holder.uuid()));
      return uuids;
    }

    private void change(UnitTerm term, List<NodeRef> holders) {
      changed.add(term);
      give(term.unit(), term, holders);
    }

    /**
     * Returns the holders that were to take the history and do not have it. Their logs may be full.
     */
    private Set<String> unfit(UnitTerm term, Map<String, LogPosition> answers) {
      Set<String> unfit = new HashSet<>(term.holders());
      unfit.removeIf(uuid -> !answers.containsKey(uuid)
          || answers.get(uuid).term() != term.term() || answers.get(uuid).isComplete());
      return unfit;
    }

    private long answered(List<NodeRef> answering, Set<String> asked) {
      return answering.stream().filter(node -> asked.contains(node.uuid())).count();
    }

    /** Gives a unit a later term, with the history of the last one that was acknowledged. */
    private void goOn(UnitTerm term) throws IOException {
      if (!mayChange) {
        throw new RetriableException("No term begins while the NameNode is in safe mode; try"
            + " again");
      }
      Set<String> asked = new LinkedHashSet<>(term.holders());
      asked.addAll(term.history());
      List<NodeRef> live = live(new ArrayList<>(asked));
      NextTerm next = null;
      // A node that does not answer has died just now, and is no good choice.
      List<NodeRef> all = new ArrayList<>(nodes.live());
      Set<String> unfit = new HashSet<>();
      if (!live.isEmpty()) {
        Map<String, LogPosition> answers = questions.positions(
            namespace.sign(ticket(term, live.subList(0, 1)), AccessMode.COPY), live);
        next = NextTerm.of(term, answers);
        all.removeIf(node -> asked.contains(node.uuid()) && !answers.containsKey(node.uuid()));
        unfit.addAll(unfit(term, answers));
      }
      if (next == null && !live.isEmpty() && live.size() > answered(all, asked)) {
        throw new RetriableException("Not all of the DataNodes " + asked + " answer, which have the"
            + " updates of unit " + term.unit() + " of " + file.group() + "; try again");
      }
      if (next == null) {
        refuse(term.unit(), "The updates of unit " + term.unit() + " of " + file.group()
            + " are in the logs of the DataNodes " + asked + ", and too few of them answer; they"
            + " are there again when these are");
        return;
      }
      List<NodeRef> witnesses = live(next.witnesses());
      List<NodeRef> leaders = live(next.leaders());
      if (witnesses.isEmpty() || leaders.isEmpty()) {
        throw new RetriableException("A DataNode has become silent; try again");
      }
      List<NodeRef> fit = new ArrayList<>(all);
      fit.removeIf(node -> unfit.contains(node.uuid()));
      if (fit.size() > replicas) {
        all = fit;
      }
      // A leader that has the unit, too, is best.
      NodeRef leader = leaders.stream().filter(node ->
          file.nodes(term.unit()).contains(node.uuid())).findFirst().orElse(leaders.get(0));
      List<NodeRef> holders = HolderChoice.holders(leader, witnesses, parity(), all,
          seed(term.unit()), replicas);
      change(new UnitTerm(term.unit(), nextTerm(), next.previous(), uuids(holders),
          next.complete()), holders);
    }
  }
}
