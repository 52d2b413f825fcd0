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
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.util.StripedBlockUtil;
import org.hdfsppr.namenode.update.look.UpdatableFile;
import org.hdfsppr.namenode.update.look.UpdateTag;
import org.hdfsppr.operate.TicketRequest;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.CommitWays;
import org.hdfsppr.update.append.LogPosition;
import org.hdfsppr.update.append.UnitId;
import org.hdfsppr.update.append.UpdateBounds;
import org.hdfsppr.update.append.UpdateTicket;
import org.hdfsppr.wire.PeerText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out one call for the tickets of a block group. Each unit gets its own answer: if the
 * holders of one unit are silent, callers still get tickets of the others. Used once, by one
 * thread.
 */
final class TicketRound {
  private static final Logger LOG = LoggerFactory.getLogger(TicketRound.class);
  private static final String NOT_HEARD = "This NameNode has not heard of all DataNodes with update"
      + " logs yet; try again";

  static final String READERS = "Readers know for a moment that this was never updated; try again";

  private final TicketParts parts;
  private final UpdatableFile file;
  private final TicketRequest request;
  private final UpdateTag tag;
  private final TermRecord record;
  private final boolean mayChange;
  /**
   * How many DataNodes should follow a leader, and how many must follow it before a writer gets a
   * ticket.
   */
  private final int replicas;
  private final int replicasLeast;
  private final List<TicketDecision> given = new ArrayList<>();
  private final List<UnitTerm> toGoOn = new ArrayList<>();

  /**
   * @param mayChange whether terms may be changed; false while the namespace takes no changes, see
   *     {@link TicketKeeper#grant}
   * @throws IOException if the record of the group cannot be read
   */
  TicketRound(TicketParts parts, UpdatableFile file, TicketRequest request, UpdateTag tag,
      boolean mayChange) throws IOException {
    this.parts = parts;
    this.file = file;
    this.request = request;
    this.tag = tag;
    this.mayChange = mayChange;
    this.replicas = parts.replicas(file.policy.parityUnits);
    this.replicasLeast = parts.replicasLeast();
    this.record = TermRecord.read(parts.namespace, parts.folder, tag.file, file.ordinal);
  }

  /** Returns the answer for each data unit that has bytes; the call of a writer may begin terms. */
  List<TicketDecision> run() throws IOException {
    for (int unit = 0; unit < file.policy.dataUnits; unit++) {
      if (block(unit).length > 0) {
        give(unit);
      }
    }
    goOn();
    record.write(file.group.groupId);
    if (!record.changed.isEmpty()) {
      LOG.info("{}: group {} has {}", PeerText.oneLine(file.path), file.ordinal,
          record.changed);
    }
    return given;
  }

  /**
   * Gives each unit that has a term a later one.
   *
   * @return the tickets; empty if one of the units can get no later term now
   */
  List<UpdateTicket> runAll() throws IOException {
    toGoOn.addAll(record.terms().all());
    goOn();
    record.write(file.group.groupId);
    List<UpdateTicket> tickets = new ArrayList<>();
    given.forEach(one -> one.ticket().ifPresent(tickets::add));
    return tickets.size() == given.size() ? tickets : List.of();
  }

  private BlockRef block(int unit) {
    return file.group.block(unit, StripedBlockUtil.getInternalBlockLength(file.groupBytes,
        file.policy.cellBytes, file.policy.dataUnits, unit));
  }

  private UnitId unitId(int unit) {
    return new UnitId(tag.file, file.ordinal, unit);
  }

  private UpdateTicket ticket(UnitTerm term, List<NodeRef> holders) {
    UpdateTicket ticket = question(term, holders).ofVersion(tag.committed);
    // The ticket is sealed only if all holders accept sealed tickets, because the leader shows it
    // to its followers.
    if (holders.stream().allMatch(holder -> parts.nodes.knowsSealed(holder.uuid))) {
      ticket = ticket.withSeal();
    }
    return CommitWays.hasDeltas(strategy()) ? ticket.withDeltas()
        : CommitWays.hasOldBytes(strategy()) ? ticket.withOldBytes() : ticket;
  }

  private String strategy() {
    return file.strategy().orElse(parts.strategy());
  }

  /** Chooses the holders of a term: the given leader, and the DataNodes that follow it. */
  private List<NodeRef> holders(NodeRef leader, List<NodeRef> earlier, List<NodeRef> all,
      int unit) {
    if (CommitWays.isLoggedAtParities(strategy())) {
      return LogHolderPlacement.withParities(leader, earlier, parity(), all, seed(unit), replicas);
    } else if (CommitWays.isLoggedAtCollector(strategy())) {
      return LogHolderPlacement.inLogRacks(leader, earlier, parity(), all, seed(unit), replicas);
    }
    return LogHolderPlacement.holders(leader, earlier, parity(), all, seed(unit), replicas);
  }

  /**
   * Returns a ticket with which the NameNode asks DataNodes how far their logs are; the file's
   * version does not matter for this. It is not sealed, because some DataNodes may be too old for
   * sealed ones, and no client gets it.
   */
  private UpdateTicket question(UnitTerm term, List<NodeRef> holders) {
    return new UpdateTicket(unitId(term.unit), block(term.unit), term.term, term.previous,
        term.epoch, holders);
  }

  /**
   * Returns the epoch of terms that begin now: their updates belong to this commit or to a later
   * one.
   */
  private long epoch() throws IOException {
    // The record is read again, because a commit may have begun since the caller looked at the
    // file.
    return Math.max(CommitRecord.read(parts, tag).next, tag.epoch());
  }

  /**
   * Gives each unit that has a term one with a later epoch than a commit, unless its term already
   * has one.
   *
   * @param commit the commit that was begun
   */
  List<TicketDecision> renew(long commit) throws IOException {
    for (UnitTerm term : record.terms().all()) {
      List<NodeRef> holders = live(term.holders);
      if (term.epoch > commit && holders.size() == term.holders.size()
          && request.failed(term.unit) < term.term) {
        give(term, holders);
      } else {
        toGoOn.add(term);
      }
    }
    goOn();
    record.write(file.group.groupId);
    if (!record.changed.isEmpty()) {
      LOG.info("{}: group {} has {} for commit {}", PeerText.oneLine(file.path), file.ordinal,
          record.changed, commit);
    }
    return given;
  }

  /**
   * Returns a ticket of the latest term for each unit that has a term and at least one live holder.
   */
  List<UpdateTicket> latest() {
    List<UpdateTicket> tickets = new ArrayList<>();
    for (UnitTerm term : record.terms().all()) {
      List<NodeRef> holders = live(term.holders);
      if (!holders.isEmpty()) {
        tickets.add(question(term, holders));
      }
    }
    return tickets;
  }

  /** Returns the UUIDs of the DataNodes that may have the log of a unit of the group. */
  Set<String> holders() {
    Set<String> holders = new HashSet<>();
    record.terms().all().forEach(term -> holders.addAll(asked(term)));
    return holders;
  }

  private void give(int unit) throws IOException {
    UnitTerm term = record.terms().unit(unit);
    if (term == null) {
      begin(unit);
      return;
    }
    if (request.failed(unit) > term.term) {
      given.add(TicketDecision.refused(unit, "Term " + request.failed(unit) + " of unit " + unit
          + " of "
          + file.group + " was never given, and cannot have failed"));
      return;
    }
    List<NodeRef> holders = live(term.holders);
    boolean isWhole = holders.size() == term.holders.size();
    if (!isWhole && !parts.nodes.areKnown()) {
      given.add(TicketDecision.later(unit, NOT_HEARD));
      return;
    }
    // If a caller has claimed failures too often, the unit keeps its term.
    boolean hasFailed = request.failed(unit) == term.term && parts.rate.take(unitId(unit));
    boolean isThin = request.isWrite && holders.size() <= replicas;
    // The epoch of a term is normally later than the published commit. It is not if the record of
    // commits was lost; then the unit needs a new term.
    boolean isOpen = term.epoch > tag.committed;
    boolean mayGrow = isThin && parts.nodes.live().size() > holders.size();
    if (isOpen && isWhole && !hasFailed && !mayGrow) {
      give(term, holders);
    } else {
      toGoOn.add(term);
    }
  }

  /**
   * Adds a ticket of a term to the answers; a refusal if the caller writes and the term has too few
   * holders.
   */
  private void give(UnitTerm term, List<NodeRef> holders) {
    given.add(request.isWrite && holders.size() <= replicasLeast
        ? TicketDecision.refused(term.unit, tooFew(holders.size()))
        : TicketDecision.of(term.unit, ticket(term, holders)));
  }

  private String tooFew(int has) {
    return "Only " + has + " of the " + (replicasLeast + 1) + " DataNodes are there that have to"
        + " hold the log of each unit (dfs.datanode.ppr.update.log.dir,"
        + " dfs.namenode.ppr.update.replicas)";
  }

  private List<NodeRef> live(Iterable<String> uuids) {
    List<NodeRef> live = new ArrayList<>();
    uuids.forEach(uuid -> parts.nodes.live(uuid).ifPresent(live::add));
    return live;
  }

  private List<NodeRef> parity() {
    List<NodeRef> parity = new ArrayList<>();
    int k = file.policy.dataUnits;
    for (int unit = k; unit < k + file.policy.parityUnits; unit++) {
      parity.addAll(live(file.nodes(unit)));
    }
    return parity;
  }

  /** Answers for a unit that has no term: a writer gets its first term, a reader a lease. */
  private void begin(int unit) throws IOException {
    if (!request.isWrite) {
      given.add(TicketDecision.noLog(unit, parts.leases.give(unitId(0))));
      return;
    }
    if (!parts.leases.isFree(file.group) || !parts.leases.isFree(unitId(0))) {
      given.add(TicketDecision.later(unit, READERS));
      return;
    }
    if (file.nodes(unit).isEmpty() && !isDecodable() && parts.nodes.areKnown()) {
      given.add(TicketDecision.refused(unit, "Unit " + unit + " of " + file.group
          + " is lost, and too"
          + " few other units are left to decode it; bring DataNodes that have some back"));
      return;
    }
    List<NodeRef> places = live(file.nodes(unit));
    List<NodeRef> all = parts.nodes.live();
    if ((places.isEmpty() || all.size() <= replicasLeast) && !parts.nodes.areKnown()) {
      given.add(TicketDecision.later(unit, NOT_HEARD));
      return;
    }
    if (all.size() <= replicasLeast) {
      given.add(TicketDecision.refused(unit, tooFew(all.size())));
      return;
    }
    // Any node may lead, also one that has no block of the group: a reader gets the bytes of the
    // unit from elsewhere, or decodes them, and then applies the leader's updates.
    NodeRef leader = places.isEmpty()
        ? LogHolderPlacement.holders(all.get(0), List.of(), parity(), all, seed(unit), 1).get(1)
        : places.get(0);
    List<NodeRef> holders = holders(leader, List.of(), all, unit);
    List<String> uuids = uuids(holders);
    change(new UnitTerm(unit, record.nextTerm(), 0, uuids, List.of(), uuids, epoch()), holders);
  }

  /**
   * Returns whether enough units are left to decode a lost one: as many as the group has data units
   * with bytes.
   */
  private boolean isDecodable() {
    int k = file.policy.dataUnits;
    int wanted = 0;
    int live = 0;
    for (int unit = 0; unit < k + file.policy.parityUnits; unit++) {
      wanted += unit < k && block(unit).length > 0 ? 1 : 0;
      live += file.nodes(unit).isEmpty() ? 0 : 1;
    }
    return live >= wanted;
  }

  private int seed(int unit) {
    return tag.file.hashCode() * 31 + file.ordinal * 16 + unit;
  }

  private static List<String> uuids(List<NodeRef> holders) {
    List<String> uuids = new ArrayList<>();
    holders.forEach(holder -> uuids.add(holder.uuid));
    return uuids;
  }

  private void change(UnitTerm term, List<NodeRef> holders) {
    record.change(term);
    give(term, holders);
  }

  private static Set<String> asked(UnitTerm term) {
    Set<String> asked = new LinkedHashSet<>(term.holders);
    asked.addAll(term.history);
    return asked;
  }

  /**
   * Gives each unit in {@link #toGoOn} a later term. It asks the DataNodes of all these units at
   * the same time.
   */
  private void goOn() throws IOException {
    List<LogQuestions.Question> questions = new ArrayList<>();
    for (UnitTerm term : toGoOn) {
      List<NodeRef> live = live(asked(term));
      questions.add(new LogQuestions.Question(live.isEmpty() ? null : parts.namespace.sign(
          question(term, live.subList(0, 1)), AccessMode.COPY), live));
    }
    List<Map<String, LogPosition>> answers = mayChange && !questions.isEmpty()
        ? parts.questions.positions(questions) : List.of();
    for (int i = 0; i < toGoOn.size(); i++) {
      if (mayChange) {
        goOn(toGoOn.get(i), questions.get(i).nodes, answers.get(i));
      } else {
        given.add(TicketDecision.later(toGoOn.get(i).unit,
            "No term begins while the NameNode is in safe"
            + " mode; try again"));
      }
    }
  }

  /**
   * Gives a unit a later term, which continues the history that has all acknowledged updates; see
   * {@link NextTerm}.
   *
   * @param live the DataNodes that were asked
   * @param answers the positions that they have answered, by UUID
   */
  private void goOn(UnitTerm term, List<NodeRef> live, Map<String, LogPosition> answers)
      throws IOException {
    Set<String> asked = asked(term);
    NextTerm next = live.isEmpty() ? null : NextTerm.of(term, answers);
    if (next == null) {
      String where = "The updates of unit " + term.unit + " of " + file.group + " are in the"
          + " logs of the DataNodes " + asked;
      // The unit is not refused for ever: a node that does not answer may come back. The caller
      // asks again, for as long as it would wait for a failover.
      given.add(TicketDecision.later(term.unit, answers.size() < live.size()
          ? where + ", and not all of them answer; try again"
          : where + ", and too few of them answer; they are there again when these are"));
      return;
    }
    List<NodeRef> witnesses = live(next.witnesses);
    List<NodeRef> leaders = live(next.leaders);
    if (witnesses.isEmpty() || leaders.isEmpty()) {
      given.add(TicketDecision.later(term.unit, "A DataNode has become silent; try again"));
      return;
    }
    List<NodeRef> all = new ArrayList<>(parts.nodes.live());
    // Nodes that were asked and do not answer are not chosen as holders.
    all.removeIf(node -> asked.contains(node.uuid) && !answers.containsKey(node.uuid));
    List<NodeRef> fit = new ArrayList<>(all);
    Set<String> unfit = unfit(term, answers);
    fit.removeIf(node -> unfit.contains(node.uuid));
    if (fit.size() > replicas) {
      all = fit;
    }
    // If possible, the leader is a node that also has the block of the unit.
    NodeRef leader = leaders.stream().filter(node ->
        file.nodes(term.unit).contains(node.uuid)).findFirst().orElse(leaders.get(0));
    List<NodeRef> holders =
        new ArrayList<>(holders(leader, witnesses, all, term.unit));
    if (next.heirs(uuids(holders)).size() < 2) {
      // With the leader as the only heir, no node could lead if the leader died before the term
      // began.
      addOne(holders, leaders, all);
    }
    List<String> uuids = uuids(holders);
    change(new UnitTerm(term.unit, record.nextTerm(), next.previous, uuids, next.complete,
        next.heirs(uuids), epoch()), holders);
  }

  /** Adds to the holders the first of some nodes that may hold the log and does not hold it yet. */
  private static void addOne(List<NodeRef> holders, List<NodeRef> nodes, List<NodeRef> all) {
    if (holders.size() < UpdateBounds.HOLDERS_MAX) {
      nodes.stream().filter(node -> all.contains(node) && !holders.contains(node)).findFirst()
          .ifPresent(holders::add);
    }
  }

  /**
   * Returns the holders of a term that are in this term, but have not copied all of its history,
   * perhaps because their logs are full.
   */
  private static Set<String> unfit(UnitTerm term, Map<String, LogPosition> answers) {
    Set<String> unfit = new HashSet<>(term.holders);
    unfit.removeIf(uuid -> !answers.containsKey(uuid)
        || answers.get(uuid).term != term.term || answers.get(uuid).complete);
    return unfit;
  }

  /**
   * Chooses the nodes that follow the leader of a unit's log. There are three ways, and the
   * strategy of commits says which one:
   *
   * <ul>
   * <li>{@link #holders}: one node in each of some other racks, as in CAU;</li>
   * <li>{@link #withParities}: all nodes that have parity units of the group, as in PARIX;</li>
   * <li>{@link #inLogRacks}: one node in each of the racks with most parity units of the group, for
   * logs with deltas.</li>
   * </ul>
   *
   * <p>If there are too few racks, a rack gets a second node, because a second copy there is better
   * than none.
   */
  static final class LogHolderPlacement {
    private LogHolderPlacement() {
    }

    /**
     * Chooses one node in each of some racks other than the leader's. Nodes that hold the log
     * already come first. Next come nodes with parity units, because a commit sends data to them
     * anyway.
     *
     * @param leader the leader, which was chosen before
     * @param earlier nodes that hold the log already
     * @param parity nodes with parity units of the group
     * @param all all nodes that may hold a log
     * @param seed with different seeds, different ones of equally good nodes are chosen
     * @param replicas how many nodes should follow
     * @return the leader and the nodes that follow; there are fewer if there are not enough nodes
     */
    static List<NodeRef> holders(NodeRef leader, List<NodeRef> earlier, List<NodeRef> parity,
        List<NodeRef> all, int seed, int replicas) {
      Set<NodeRef> inOrder = new LinkedHashSet<>(earlier);
      inOrder.addAll(parity);
      return spread(leader, inOrder, all, seed, replicas);
    }

    /**
     * Chooses one node with a parity unit in each of the racks with the most parity units, other
     * than the leader's. In the first of these racks, the same node follows for all units whose
     * leaders are in other racks, so that a commit finds the changes of these units on one node.
     * Nodes that hold the log already come after those with parity units.
     *
     * @param leader the leader, which was chosen before
     * @param earlier nodes that hold the log already
     * @param parity nodes with parity units of the group, in the order of these units
     * @param all all nodes that may hold a log
     * @param seed with different seeds, different ones of equally good nodes are chosen
     * @param replicas how many nodes should follow
     * @return the leader and the nodes that follow; there are fewer if there are not enough nodes
     */
    static List<NodeRef> inLogRacks(NodeRef leader, List<NodeRef> earlier, List<NodeRef> parity,
        List<NodeRef> all, int seed, int replicas) {
      Map<String, Long> parities = parity.stream()
          .collect(Collectors.groupingBy(ref -> ref.rack, Collectors.counting()));
      List<NodeRef> byRack = new ArrayList<>(parity);
      // The sort is stable: if two racks have as many parity units, the one with the earlier unit
      // comes first.
      byRack.sort(Comparator.comparingLong(node -> -parities.get(node.rack)));
      Set<NodeRef> inOrder = new LinkedHashSet<>(byRack);
      inOrder.addAll(earlier);
      return spread(leader, inOrder, all, seed, replicas);
    }

    /**
     * Chooses nodes in different racks, and then further nodes in the same racks if there are too
     * few.
     */
    private static List<NodeRef> spread(NodeRef leader, Set<NodeRef> first, List<NodeRef> all,
        int seed, int replicas) {
      List<NodeRef> others = new ArrayList<>(all);
      others.sort(Comparator.comparingInt((NodeRef node) -> mixed(node.uuid.hashCode() ^ seed))
          .thenComparing((NodeRef ref) -> ref.uuid));
      Set<NodeRef> inOrder = new LinkedHashSet<>(first);
      inOrder.addAll(others);
      inOrder.retainAll(all);
      List<NodeRef> holders = new ArrayList<>(List.of(leader));
      Set<String> racks = new HashSet<>(Set.of(leader.rack));
      for (NodeRef node : inOrder) {
        if (holders.size() <= replicas && !holders.contains(node) && racks.add(node.rack)) {
          holders.add(node);
        }
      }
      for (NodeRef node : inOrder) {
        if (holders.size() <= replicas && !holders.contains(node)) {
          holders.add(node);
        }
      }
      return holders;
    }

    /**
     * Chooses all nodes with parity units, whichever racks they are in. If these are too few,
     * {@link #holders} chooses the rest.
     *
     * @param leader the leader, which was chosen before
     * @param earlier nodes that hold the log already
     * @param parity nodes with parity units of the group
     * @param all all nodes that may hold a log
     * @param seed with different seeds, different ones of equally good nodes are chosen
     * @param replicas how many nodes should follow at least
     * @return the leader and the nodes that follow; there are fewer if there are not enough nodes
     */
    static List<NodeRef> withParities(NodeRef leader, List<NodeRef> earlier, List<NodeRef> parity,
        List<NodeRef> all, int seed, int replicas) {
      Set<NodeRef> inOrder = new LinkedHashSet<>(parity);
      inOrder.retainAll(all);
      inOrder.remove(leader);
      List<NodeRef> holders = new ArrayList<>(List.of(leader));
      holders.addAll(inOrder.stream().limit(UpdateBounds.HOLDERS_MAX - 1)
          .collect(Collectors.toList()));
      for (NodeRef node : holders(leader, earlier, parity, all, seed, all.size())) {
        if (holders.size() <= replicas && !holders.contains(node)) {
          holders.add(node);
        }
      }
      return holders;
    }

    /**
     * Mixes the bits of a number, so that similar numbers give very different ones (the last steps
     * of MurmurHash3).
     */
    private static int mixed(int bits) {
      int once = (bits ^ bits >>> 16) * 0x85ebca6b;
      int twice = (once ^ once >>> 13) * 0xc2b2ae35;
      return twice ^ twice >>> 16;
    }
  }
}
