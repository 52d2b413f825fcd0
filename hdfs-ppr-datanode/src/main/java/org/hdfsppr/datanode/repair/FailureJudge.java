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
package org.hdfsppr.datanode.repair;

import java.util.ArrayList;
import java.util.List;
import org.hdfsppr.plan.NarrowLinks;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.plan.PlanNode;
import org.hdfsppr.plan.RepairPlan;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.RepairException;
import org.hdfsppr.wire.RequestFeatures;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Judges a failure from this node's point of view, because this node may reach a node that another
 * node cannot reach. Notes in the {@link PeerDirectory} the findings that later repairs need.
 */
final class FailureJudge {
  private static final Logger LOG = LoggerFactory.getLogger(FailureJudge.class);

  private final PeerDirectory peers;
  private final String job;

  /** @param job names the repair and its group in logs */
  FailureJudge(PeerDirectory peers, String job) {
    this.peers = peers;
    this.job = job;
  }

  /**
   * Notes that an attempt at {@code plan} has failed, and returns the failure as this node sees it.
   */
  RepairException judged(RepairPlan plan, RepairException e, AttemptPolicy attempts) {
    if (e.failureCause == FailureCause.UNSUPPORTED && hasNarrowLinks(plan, e.node)) {
      // The node probably lacks only the support for narrow links. There may be more such nodes,
      // so the next plan has none of these links, and the node stays usable.
      peers.noteLacks(e.node, RequestFeatures.NARROW_LINKS);
      attempts.widenLinks();
      return e;
    }
    if (e.failureCause == FailureCause.UNREACHABLE) {
      return judgedUnreachable(plan, e, attempts);
    } else if (e.failureCause == FailureCause.UNSUPPORTED
        && plan.geometry.subChunks() > 1) {
      // The node runs an older version, which does not support this plan. This repair leaves the
      // node out, because a stock read of the node would not help. Other repairs can use the node.
      attempts.leaveOut(e.node);
    } else if (e.failureCause == FailureCause.UNSUPPORTED) {
      peers.noteUnreachable(e.node);
    }
    return e;
  }

  /**
   * Returns whether a link at or below a node is narrow. The node's request then says which rows go
   * over that link.
   */
  private static boolean hasNarrowLinks(RepairPlan plan, NodeRef node) {
    boolean[] narrow = {false};
    plan.root.forEach(each ->
        narrow[0] |= each.node.equals(node) && NarrowLinks.isNarrow(each));
    return narrow[0];
  }

  private RepairException judgedUnreachable(RepairPlan plan, RepairException e,
      AttemptPolicy attempts) {
    NodeRef node = e.node;
    List<PlanNode> parents = new ArrayList<>();
    plan.root.forEach(parent -> {
      for (PlanNode child : parent.children) {
        if (child.node.equals(node)) {
          parents.add(parent);
        }
      }
    });
    boolean ownChild = parents.contains(plan.root);
    if (ownChild || parents.isEmpty() || !peers.stillServes(node)) {
      peers.noteUnreachable(node);
    } else if (!attempts.noAnswer(parents.get(0).node, node)) {
      return new RepairException(FailureCause.OVERLOADED, node,
          "it is reached from here, but " + parents.get(0).node + " got no answer", e);
    } else {
      LOG.warn("{}: {} is reached from here but not from {}, which is left out", job, node,
          parents.get(0).node);
    }
    return e;
  }
}
