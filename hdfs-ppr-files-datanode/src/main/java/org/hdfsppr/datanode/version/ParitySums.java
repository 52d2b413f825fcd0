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
package org.hdfsppr.datanode.version;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.manage.version.PatchCommand;
import org.hdfsppr.manage.version.PatchSource;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.RepairSource;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.plan.SliceKind;
import org.hdfsppr.stream.SumRead;
import org.hdfsppr.stream.UnitSource;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.PeerLog;
import org.hdfsppr.wire.RepairException;
import org.hdfsppr.wire.SliceBuffer;
import org.slf4j.LoggerFactory;

/**
 * Lets other DataNodes compute sums for a parity unit. They use the same messages and the same
 * arithmetic as a repair:
 *
 * <pre>
 *   change of the parity = sum of c * (old unit + new unit)   over the changed data units
 *   the parity itself    = sum of c * new unit                over all data units
 * </pre>
 *
 * <p>The node of a data unit adds the old and the new block of the unit with the same coefficients,
 * so that only the change crosses the network. In each rack, one of these nodes also adds the sums
 * of the others, so that the rack sends one sum. Other changes come from the forwarder of this
 * rack, the node of a parity unit that has got them as they are, without coefficients, or from the
 * collector, such a node in another rack, which has the changes of all racks. Used by one thread.
 */
final class ParitySums {
  /**
   * Writes into the DataNode's log file at a bounded rate. For messages that each command may
   * cause.
   */
  private static final PeerLog PEER_LOG = new PeerLog(LoggerFactory.getLogger(ParitySums.class));
  /**
   * Stands for this node as the root of the tree, which receives the sums. It differs from this
   * node's own name, because this node may also be in the tree with a unit that it holds.
   */
  private static final NodeRef READER = new NodeRef("the node of a parity unit", "", "", 0,
      NodeRef.NO_REPAIR_PORT, "");

  /**
   * Names of sets of nodes, see {@link Shares#add}, of which each has one node. Other sets have the
   * index of a unit or the name of a rack as their name.
   */
  private static final String FORWARDER = "forwarder";
  private static final String COLLECTOR = "collector";

  /** Receives slices of sums. */
  interface Sink {
    /**
     * @param part the geometry to which the index of the slice belongs
     * @param rows the sums, which may be read during the call; null if they are zero
     */
    void take(SliceGeometry part, int slice, SliceBuffer rows) throws IOException;
  }

  /**
   * From where the changes of the data units come for a slice. In each number, bit i stands for
   * unit i. Immutable.
   */
  static final class Ways {
    private final long summed;
    private final long forwarded;
    private final long collected;
    private final long own;

    /**
     * @param summed the data units whose changes their own nodes add to sums
     * @param forwarded the data units whose changes the forwarder has
     * @param collected the data units whose changes the collector has
     * @param own the data units whose changes this node calculates itself
     */
    Ways(long summed, long forwarded, long collected, long own) {
      this.own = own;
      this.summed = summed;
      this.forwarded = forwarded;
      this.collected = collected;
    }

    @Override
    public boolean equals(Object o) {
      if (!(o instanceof Ways)) {
        return false;
      }
      Ways other = (Ways) o;
      return summed == other.summed && forwarded == other.forwarded
          && collected == other.collected && own == other.own;
    }

    @Override
    public int hashCode() {
      return Objects.hash(summed, forwarded, collected, own);
    }
  }

  private final PatchCommand command;
  private final LinearCode code;
  private final DataNode datanode;
  private final PatchTools tools;
  /** The changes that this node has calculated itself, by the index of the data unit. */
  private final Map<Integer, UnitSource> own;

  ParitySums(PatchCommand command, LinearCode code, DataNode datanode, PatchTools tools,
      Map<Integer, UnitSource> own) {
    this.own = own;
    this.command = command;
    this.code = code;
    this.datanode = datanode;
    this.tools = tools;
  }

  /** Takes a run of contiguous bytes of the unit. */
  interface Run<E extends Exception> {
    void take(long at, int length) throws E;
  }

  /**
   * Calls {@code run} for each run of bytes in the slices of a geometry, cut at the end of the
   * unit.
   */
  static <E extends Exception> void runs(SliceGeometry part, long unitBytes, Run<E> run)
      throws E {
    for (int slice = part.firstSlice; slice < part.slices(); slice++) {
      for (int i = 0; i < part.runs(slice); i++) {
        int length = part.lengthWithin(slice, i, unitBytes);
        if (length > 0) {
          run.take(part.offset(slice, i), length);
        }
      }
    }
  }

  /** Returns the geometry that cuts the parity unit into slices of this length. */
  SliceGeometry geometry(int sliceBytes) {
    // No data unit is longer than the parity unit, so that the geometry is right for data units,
    // too.
    return new SliceGeometry(command.to().length, sliceBytes, code.subChunks(),
        code.subChunks() == 1 ? 0 : command.made.cellBytes(), 0, 0);
  }

  /**
   * Reads the change of the parity unit in some slices.
   *
   * @param geometry the slices to read
   * @param ways from where the changes come for these slices
   * @param into takes the bytes of these slices; its other bytes stay as they are
   * @param offset the offset in the unit of the first byte of {@code into}
   */
  void change(SliceGeometry geometry, Ways ways, byte[] into, long offset) throws IOException {
    read(geometry, part -> changes(part, ways), into, offset);
  }

  private Shares changes(SliceGeometry geometry, Ways ways) throws IOException {
    Shares shares = new Shares(geometry);
    for (PatchSource source : command.sources) {
      long bit = 1L << source.unit;
      if ((ways.own & bit) != 0) {
        shares.addOwn(source(geometry, source.unit, numberOfNew(source), READER,
            command.made.block(source.unit)), own.get(source.unit));
      } else if ((ways.summed & bit) != 0) {
        shares.add(source.node, String.valueOf(source.via().orElse(source.unit)),
            source(geometry, source.unit, source.unit, source.node,
                command.oldBlock(source.unit)),
            source(geometry, source.unit, numberOfNew(source), source.node,
                command.made.block(source.unit)));
      } else if ((ways.forwarded & bit) != 0) {
        addKept(shares, geometry, FORWARDER, command.forwarder().orElseThrow().node, source);
      } else if ((ways.collected & bit) != 0) {
        addKept(shares, geometry, COLLECTOR, command.collector().orElseThrow().node, source);
      }
    }
    return shares;
  }

  /** Adds to the sources a change that the forwarder or the collector keeps. */
  private void addKept(Shares shares, SliceGeometry geometry, String set, NodeRef keeper,
      PatchSource source) throws IOException {
    shares.add(keeper, set, source(geometry, source.unit, numberOfNew(source), keeper,
        ForwardedChanges.name(command.made.block(source.unit))));
  }

  private int numberOfNew(PatchSource source) {
    return PatchCommand.numberOfNew(source.unit, code.dataUnits());
  }

  /**
   * Reads the change of one data unit in some slices, as it is, not multiplied by coefficients. The
   * change comes from this node if it has calculated it, otherwise from the data unit's node. The
   * parameters are those of {@link #change(SliceGeometry, Ways, byte[], long)}.
   */
  void asIs(PatchSource source, SliceGeometry geometry, byte[] into, long offset)
      throws IOException {
    read(geometry, part -> change(part, source), into, offset);
  }

  private Shares change(SliceGeometry geometry, PatchSource source) {
    int s = code.subChunks();
    byte[] one = new byte[s * s];
    for (int sub = 0; sub < s; sub++) {
      one[sub * s + sub] = 1;
    }
    byte[] tail = geometry.hasTail() ? new byte[] {1} : new byte[0];
    Shares shares = new Shares(geometry);
    BlockRef made = command.made.block(source.unit);
    UnitSource known = own.get(source.unit);
    if (known != null) {
      shares.addOwn(new RepairSource(numberOfNew(source), made, READER, one, s, s, tail), known);
    } else {
      shares.add(source.node, FORWARDER, new RepairSource(source.unit,
          command.oldBlock(source.unit), source.node, one, s, s, tail),
          new RepairSource(numberOfNew(source), made, source.node, one, s, s, tail));
    }
    return shares;
  }

  /**
   * Computes the right bytes of the parity unit in some slices, from all data units.
   *
   * @param sink takes the slices; it may get a slice more than once, and then the last one counts
   */
  void whole(SliceGeometry geometry, Sink sink) throws IOException {
    read(geometry, this::whole, sink);
  }

  private Shares whole(SliceGeometry geometry) throws IOException {
    Shares shares = new Shares(geometry);
    for (PatchSource source : command.sources) {
      shares.add(source.node, source.node.rack, source(geometry, source.unit,
          source.unit, source.node, source.isChanged()
              ? command.made.block(source.unit) : command.oldBlock(source.unit)));
    }
    return shares;
  }

  private RepairSource source(SliceGeometry geometry, int unit, int number, NodeRef holder,
      BlockRef block) throws IOException {
    int s = code.subChunks();
    byte[] coefficients = new byte[s * s];
    for (int row = 0; row < s; row++) {
      for (int sub = 0; sub < s; sub++) {
        coefficients[row * s + sub] = (byte) code.generator().get(command.unit * s + row,
            unit * s + sub);
      }
    }
    byte[] tail = new byte[0];
    if (geometry.hasTail()) {
      LinearCode rest = code.remainderCode().orElseThrow(() -> new IOException(code.name()
          + " does not say how to code units whose length its sub-chunks do not divide"));
      tail = new byte[] {(byte) rest.generator().get(command.unit, unit)};
    }
    return new RepairSource(number, block, holder, coefficients, s, s, tail);
  }

  /** Collects the blocks to add up, and makes a tree of the nodes that have them. */
  private static final class Shares {
    private final SliceGeometry geometry;
    private final Map<NodeRef, List<RepairSource>> ofNode = new LinkedHashMap<>();
    private final Map<NodeRef, NodeRef> above = new HashMap<>();
    /** For each named set of nodes, the node in it that adds up the sums of the others. */
    private final Map<String, NodeRef> collectors = new HashMap<>();
    /**
     * The changes that this node has calculated itself, with their coefficients. {@link #ownUnits}
     * has the bytes.
     */
    private final List<RepairSource> own = new ArrayList<>();
    private final List<UnitSource> ownUnits = new ArrayList<>();

    Shares(SliceGeometry geometry) {
      this.geometry = geometry;
    }

    /**
     * Adds blocks of a node to the sum, unless they have no bytes in the slices or the parity unit
     * does not depend on them. A node has only one place in the tree, even if it has several units.
     *
     * @param set the name of the set of nodes that send one sum together
     */
    void add(NodeRef node, String set, RepairSource... sources) {
      if (!isIn(sources[0])) {
        return;
      }
      if (!ofNode.containsKey(node)) {
        NodeRef collector = collectors.putIfAbsent(set, node);
        if (collector != null) {
          above.put(node, collector);
        }
      }
      ofNode.computeIfAbsent(node, none -> new ArrayList<>()).addAll(List.of(sources));
    }

    /**
     * Adds a change that this node has calculated itself, under the same conditions as
     * {@link #add}.
     */
    void addOwn(RepairSource source, UnitSource unit) {
      if (isIn(source)) {
        own.add(source);
        ownUnits.addAll(Collections.nCopies(geometry.subChunks(), unit));
      }
    }

    private boolean isIn(RepairSource one) {
      return (one.contributes(SliceKind.PLAIN)
          || geometry.hasTail() && one.contributes(SliceKind.of(false, true)))
          && geometry.offset(geometry.firstSlice) < one.length();
    }

    List<PlanNode> tree() {
      return below(null, ofNode, above);
    }
  }

  private static List<PlanNode> below(NodeRef parent, Map<NodeRef, List<RepairSource>> ofNode,
      Map<NodeRef, NodeRef> above) {
    List<PlanNode> children = new ArrayList<>();
    ofNode.forEach((node, sources) -> {
      if (parent == null ? !above.containsKey(node) : parent.equals(above.get(node))) {
        children.add(new PlanNode(node, sources, below(node, ofNode, above)));
      }
    });
    return children;
  }

  /** Says for some slices which blocks of which nodes are added up. */
  private interface Sharing {
    Shares of(SliceGeometry part) throws IOException;
  }

  private void read(SliceGeometry geometry, Sharing sharing, byte[] into, long offset)
      throws IOException {
    // If no node sends a slice, its change is zero. Only the wanted slices are cleared, because the
    // window around them may have 1 MiB.
    runs(geometry, command.to().length, (at, length) -> Arrays.fill(into, (int) (at - offset),
        (int) (at - offset) + length, (byte) 0));
    read(geometry, sharing, (part, slice, rows) -> {
      for (int run = 0; rows != null && run < part.runs(slice); run++) {
        int length = part.lengthWithin(slice, run, command.to().length);
        rows.row(run).get(into, (int) (part.offset(slice, run) - offset), length);
      }
    });
  }

  private void read(SliceGeometry geometry, Sharing sharing, Sink sink) throws IOException {
    RepairException refusal = null;
    if (geometry.isPicked() && !tools.olderPeers.areThere()) {
      try {
        readOnce(geometry, sharing.of(geometry), sink);
        return;
      } catch (RepairException e) {
        if (e.failureCause != FailureCause.UNSUPPORTED) {
          throw e;
        }
        refusal = e;
      }
    }
    for (SliceGeometry part : geometry.ranges()) {
      readOnce(part, sharing.of(part), sink);
    }
    if (refusal != null) {
      // No node has refused the same slices as contiguous ranges. So the refusal came from a node
      // of an older version, which does not know requests for slices that are not contiguous.
      tools.olderPeers.noteRefusal();
      PEER_LOG.info("older peers", "For a minute, commits ask for each stretch of slices on its"
          + " own: a DataNode of an older version has refused to send several at once: {}",
          refusal.getMessage());
    }
  }

  private void readOnce(SliceGeometry geometry, Shares shares, Sink sink) throws IOException {
    List<PlanNode> children = shares.tree();
    if (children.isEmpty() && shares.own.isEmpty()) {
      for (int slice = geometry.firstSlice; slice < geometry.slices(); slice++) {
        sink.take(geometry, slice, null);
      }
      return;
    }
    PlanNode root = new PlanNode(READER, shares.own, children);
    Map<BlockRef, Token<BlockTokenIdentifier>> tokens = new HashMap<>();
    List<RepairSource> all = new ArrayList<>();
    children.forEach(child -> child.forEach(node -> all.addAll(node.sources)));
    for (RepairSource source : all) {
      tokens.put(source.block, datanode.getBlockAccessToken(source.block.toExtendedBlock(),
          EnumSet.of(AccessMode.READ), StorageType.EMPTY_ARRAY, new String[0]));
    }
    PartialSumRequest request = new PartialSumRequest(PartialSumRequest.of(command.id(),
        code.subChunks(), 0, tools.stallTimeoutMs), command.old, geometry, root, tokens);
    for (int tries = 1; true; tries++) {
      try (SumRead sums = new SumRead(request, shares.ownUnits, tools.kernel,
          tools.memory, tools.nanoClock)) {
        // If this attempt fails after some slices, the sink gets them again from the next one.
        sums.run(tools.connector(), (slice, rows) -> sink.take(geometry, slice, rows));
        return;
      } catch (RepairException e) {
        if (e.failureCause != FailureCause.OVERLOADED || tries == PatchTools.TRIES_MAX) {
          throw e;
        }
        tools.pause();
      }
    }
  }
}
