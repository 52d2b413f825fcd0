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
package org.hdfsppr.plan;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * A node of a repair tree. It multiplies its sources by coefficients, adds the sums that its
 * children send, and sends the result to its parent. If another node holds a source, this node
 * reads the source from there with the stock read operation. In this way, units on nodes without
 * hdfs-ppr can be used. If the rows of a subtree depend on each other, its top node sends only some
 * of them, see {@link NarrowLinks}. Immutable.
 */
@InterfaceAudience.Private
public final class PlanNode {
  public final NodeRef node;
  /** The units that the node reads and multiplies, with their coefficients; unmodifiable */
  public final List<RepairSource> sources;
  /** The subtrees whose sums the node adds; unmodifiable */
  public final List<PlanNode> children;
  private final SentRows sentRows;

  /**
   * Makes a node that sends all lost rows to its parent.
   *
   * @param node the DataNode
   * @param sources the sources that the node multiplies; copied
   * @param children the subtrees whose sums the node adds; copied
   */
  public PlanNode(NodeRef node, List<RepairSource> sources, List<PlanNode> children) {
    this(node, sources, children, null);
  }

  private PlanNode(NodeRef node, List<RepairSource> sources, List<PlanNode> children,
      SentRows sentRows) {
    this.sentRows = sentRows;
    this.node = Objects.requireNonNull(node, "node");
    this.sources = Collections.unmodifiableList(new ArrayList<>(sources));
    this.children = Collections.unmodifiableList(new ArrayList<>(children));
  }

  /**
   * @param rows the lost rows that the node is to send to its parent, or null if it is to send all
   *     of them
   * @return the same node, which sends these rows
   */
  public PlanNode sending(SentRows rows) {
    return new PlanNode(node, sources, children, rows);
  }

  /** @return the lost rows that the node sends to its parent; empty if it sends all of them */
  public Optional<SentRows> sentRows() {
    return Optional.ofNullable(sentRows);
  }

  /**
   * @param source a source of this node
   * @return whether the source is read from another node
   */
  public boolean isRemote(RepairSource source) {
    return !source.holder.equals(node);
  }

  /**
   * Says whether this subtree has anything to send for a slice. If it has nothing to send, it sends
   * no message for that slice. Parent and child both know this from the plan.
   *
   * @param kind kind of the slice
   * @return whether any source of the subtree enters the sums of such slices
   */
  public boolean contributes(SliceKind kind) {
    for (RepairSource source : sources) {
      if (source.contributes(kind)) {
        return true;
      }
    }
    for (PlanNode child : children) {
      if (child.contributes(kind)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Like {@link #contributes(SliceKind)}, but for slices that are not tails.
   *
   * @param checked true for slices that carry the check row, false for slices without it
   * @return whether any source of the subtree enters the sums of such slices
   */
  public boolean contributes(boolean checked) {
    return contributes(SliceKind.of(checked, false));
  }

  /** @return number of edges on the longest path from this node down to a leaf; 0 for a leaf */
  public int height() {
    int height = 0;
    for (PlanNode child : children) {
      height = Math.max(height, child.height() + 1);
    }
    return height;
  }

  /** @return number of nodes in this subtree, including this node */
  public int size() {
    int size = 1;
    for (PlanNode child : children) {
      size += child.size();
    }
    return size;
  }

  /**
   * @param candidate a node
   * @return whether the candidate is in this subtree, or a node of this subtree reads a unit from
   *     it
   */
  public boolean involves(NodeRef candidate) {
    if (node.equals(candidate)
        || sources.stream().anyMatch(source -> source.holder.equals(candidate))) {
      return true;
    }
    return children.stream().anyMatch(child -> child.involves(candidate));
  }

  /**
   * Visits this node and then its children's subtrees.
   *
   * @param visitor takes each node
   */
  public void forEach(Consumer<PlanNode> visitor) {
    visitor.accept(this);
    for (PlanNode child : children) {
      child.forEach(visitor);
    }
  }

  /**
   * Returns a text like {@code 10.0.0.1:9866[3](10.0.0.2:9866[4] 10.0.0.3:9866[5])}: each node with
   * the units that it multiplies in brackets, followed by its children in parentheses.
   */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    append(text);
    return text.toString();
  }

  private void append(StringBuilder text) {
    text.append(node).append('[');
    String separator = "";
    for (RepairSource source : sources) {
      text.append(separator).append(isRemote(source) ? source.toString() : "" + source.unit);
      separator = " ";
    }
    text.append(']');
    if (!children.isEmpty()) {
      separator = "(";
      for (PlanNode child : children) {
        text.append(separator);
        child.append(text);
        separator = " ";
      }
      text.append(')');
    }
  }
}
