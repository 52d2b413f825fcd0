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
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.security.token.Token;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.manage.PatchCommand;
import org.hdfsppr.manage.PatchCommand.PatchSource;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.SliceGeometry;
import org.hdfsppr.plan.SliceKind;
import org.hdfsppr.plan.Source;
import org.hdfsppr.stream.SumRead;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.PartialSumRequest;
import org.hdfsppr.wire.RepairException;
import org.hdfsppr.wire.SliceBuffer;

/**
 * Has other DataNodes add up what a parity unit needs, with the partial sums of repairs:
 *
 * <pre>
 *   change of the parity = sum of c * (old unit + new unit)   over the changed data units
 *   the parity itself    = sum of c * new unit                over all data units
 * </pre>
 *
 * <p>The node of a data unit adds the old and the new block of the unit with the same coefficients,
 * so that only the change crosses a link. Where the plan says so, the node of one unit also adds
 * what others send, so that a rack sends one sum. Used by one thread.
 */
@InterfaceAudience.Private
final class ParitySums {
  /** Stands for this node where it receives sums, because it may have a unit as well. */
  private static final NodeRef READER = new NodeRef("the node of a parity unit", "", "", 0,
      NodeRef.NO_REPAIR_PORT, "");

  private final PatchCommand command;
  private final LinearCode code;
  private final DataNode datanode;
  private final PatchTools tools;

  ParitySums(PatchCommand command, LinearCode code, DataNode datanode, PatchTools tools) {
    this.command = command;
    this.code = code;
    this.datanode = datanode;
    this.tools = tools;
  }

  /** Returns how the parity unit is cut into slices. */
  SliceGeometry geometry(int sliceBytes) {
    // The length of a parity unit is that of the stripes, also of the last one.
    return new SliceGeometry(command.to().length(), sliceBytes, code.subChunks(),
        code.subChunks() == 1 ? 0 : command.made().cellBytes(), 0, 0);
  }

  /**
   * Reads the change of the parity unit in some slices.
   *
   * @param geometry the slices
   * @param into gets the bytes; the others are zero afterwards
   * @param offset where in the unit {@code into} begins
   */
  void change(SliceGeometry geometry, byte[] into, long offset) throws IOException {
    Map<Integer, List<Source>> sources = new HashMap<>();
    for (PatchSource source : command.sources()) {
      if (source.isChanged()) {
        int number = PatchCommand.numberOfNew(source.unit(), code.dataUnits());
        sources.put(source.unit(), List.of(
            source(geometry, source, source.unit(), command.oldBlock(source.unit())),
            source(geometry, source, number, command.made().block(source.unit()))));
      }
    }
    read(geometry, tree(contributing(geometry, sources), true), into, offset);
  }

  /** Reads what the parity unit has to be in some slices, as {@link #change}. */
  void whole(SliceGeometry geometry, byte[] into, long offset) throws IOException {
    Map<Integer, List<Source>> sources = new HashMap<>();
    for (PatchSource source : command.sources()) {
      sources.put(source.unit(), List.of(source.isChanged()
          ? source(geometry, source, source.unit(), command.made().block(source.unit()))
          : source(geometry, source, source.unit(), command.oldBlock(source.unit()))));
    }
    read(geometry, tree(contributing(geometry, sources), false), into, offset);
  }

  private Source source(SliceGeometry geometry, PatchSource from, int number, BlockRef block)
      throws IOException {
    int s = code.subChunks();
    byte[] coefficients = new byte[s * s];
    for (int row = 0; row < s; row++) {
      for (int sub = 0; sub < s; sub++) {
        coefficients[row * s + sub] = (byte) code.generator().get(command.unit() * s + row,
            from.unit() * s + sub);
      }
    }
    byte[] tail = new byte[0];
    if (geometry.hasTail()) {
      LinearCode rest = code.remainderCode().orElseThrow(() -> new IOException(code.name()
          + " does not say how to code units whose length its sub-chunks do not divide"));
      tail = new byte[] {(byte) rest.generator().get(command.unit(), from.unit())};
    }
    return new Source(number, block, from.node(), coefficients, s, s, tail);
  }

  /** Returns the sources that have bytes in the slices, and that enter the parity unit. */
  private static Map<Integer, List<Source>> contributing(SliceGeometry geometry,
      Map<Integer, List<Source>> all) {
    Map<Integer, List<Source>> some = new HashMap<>();
    all.forEach((unit, sources) -> {
      Source one = sources.get(0);
      boolean isIn = one.contributes(SliceKind.PLAIN)
          || geometry.hasTail() && one.contributes(SliceKind.of(false, true));
      if (isIn && geometry.offset(geometry.firstSlice()) < one.length()) {
        some.put(unit, sources);
      }
    });
    return some;
  }

  /** Returns the tree below this node. Units on the same node have one place in it. */
  private List<PlanNode> tree(Map<Integer, List<Source>> sources, boolean isByPlan) {
    Map<NodeRef, List<Source>> ofNode = new LinkedHashMap<>();
    Map<NodeRef, NodeRef> above = new HashMap<>();
    Map<Integer, NodeRef> nodes = new HashMap<>();
    for (PatchSource source : command.sources()) {
      if (!sources.containsKey(source.unit())) {
        continue;
      }
      nodes.put(source.unit(), source.node());
      boolean isNew = !ofNode.containsKey(source.node());
      ofNode.computeIfAbsent(source.node(), node -> new ArrayList<>())
          .addAll(sources.get(source.unit()));
      if (isNew && isByPlan && source.via().isPresent()) {
        // The unit that it goes through is listed before.
        NodeRef via = nodes.get(source.via().getAsInt());
        if (via != null && !via.equals(source.node())) {
          above.put(source.node(), via);
        }
      }
    }
    return below(null, ofNode, above);
  }

  private static List<PlanNode> below(NodeRef parent, Map<NodeRef, List<Source>> ofNode,
      Map<NodeRef, NodeRef> above) {
    List<PlanNode> children = new ArrayList<>();
    ofNode.forEach((node, sources) -> {
      if (parent == null ? !above.containsKey(node) : parent.equals(above.get(node))) {
        children.add(new PlanNode(node, sources, below(node, ofNode, above)));
      }
    });
    return children;
  }

  private void read(SliceGeometry geometry, List<PlanNode> children, byte[] into, long offset)
      throws IOException {
    if (children.isEmpty()) {
      Arrays.fill(into, (byte) 0);
      return;
    }
    PlanNode root = new PlanNode(READER, Collections.emptyList(), children);
    Map<BlockRef, Token<BlockTokenIdentifier>> tokens = new HashMap<>();
    List<Source> all = new ArrayList<>();
    root.forEach(node -> all.addAll(node.sources()));
    for (Source source : all) {
      tokens.put(source.block(), datanode.getBlockAccessToken(source.block().toExtendedBlock(),
          EnumSet.of(AccessMode.READ), StorageType.EMPTY_ARRAY, new String[0]));
    }
    PartialSumRequest request = new PartialSumRequest(command.id(), command.old(), geometry,
        code.subChunks(), 0, tools.stallTimeoutMs(), root, tokens);
    for (int tries = 1; true; tries++) {
      try (SumRead sums = new SumRead(request, Collections.emptyList(), tools.kernel(),
          tools.memory(), tools.nanoClock())) {
        // An attempt that has failed may have brought some of the slices.
        Arrays.fill(into, (byte) 0);
        sums.run(tools.connector(), (slice, rows) -> take(geometry, slice, rows, into, offset));
        return;
      } catch (RepairException e) {
        if (e.failureCause() != FailureCause.OVERLOADED || tries == PatchTools.TRIES_MAX) {
          throw e;
        }
        tools.pause();
      }
    }
  }

  private void take(SliceGeometry geometry, int slice, SliceBuffer rows, byte[] into,
      long offset) {
    for (int run = 0; rows != null && run < geometry.runs(slice); run++) {
      int length = geometry.lengthWithin(slice, run, command.to().length());
      rows.row(run).get(into, (int) (geometry.offset(slice, run) - offset), length);
    }
  }
}
