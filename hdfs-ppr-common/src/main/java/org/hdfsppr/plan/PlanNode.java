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
import java.util.function.Consumer;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * A node of a repair tree. It multiplies its sources, adds what its children send, and sends the
 * sums to its parent. A source whose holder is another node is read from there with the stock read
 * operation: that is how nodes without the extension take part. Immutable.
 */
@InterfaceAudience.Private
public final class PlanNode {
  private final NodeRef node;
  private final List<Source> sources;
  private final List<PlanNode> children;

  public PlanNode(NodeRef node, List<Source> sources, List<PlanNode> children) {
    this.node = Objects.requireNonNull(node, "node");
    this.sources = Collections.unmodifiableList(new ArrayList<>(sources));
    this.children = Collections.unmodifiableList(new ArrayList<>(children));
  }

  public NodeRef node() {
    return node;
  }

  public List<Source> sources() {
    return sources;
  }

  public List<PlanNode> children() {
    return children;
  }

  /** Whether {@code source} is read from another node. */
  public boolean isRemote(Source source) {
    return !source.holder().equals(node);
  }

  /**
   * Whether this subtree has anything to send for a slice. One that has not is silent for that
   * slice; parent and child both know it from the plan.
   */
  public boolean contributes(SliceKind kind) {
    for (Source source : sources) {
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

  /** The same for slices that are no tails. */
  public boolean contributes(boolean checked) {
    return contributes(SliceKind.of(checked, false));
  }

  /** Edges on the longest way down; 0 for a leaf. */
  public int height() {
    int height = 0;
    for (PlanNode child : children) {
      height = Math.max(height, child.height() + 1);
    }
    return height;
  }

  /** Nodes in this subtree, this one included. */
  public int size() {
    int size = 1;
    for (PlanNode child : children) {
      size += child.size();
    }
    return size;
  }

  /** Whether {@code candidate} is in this subtree, or a unit is read from it for this subtree. */
  public boolean involves(NodeRef candidate) {
    if (node.equals(candidate)
        || sources.stream().anyMatch(source -> source.holder().equals(candidate))) {
      return true;
    }
    return children.stream().anyMatch(child -> child.involves(candidate));
  }

  /** Visits this node and then its children's subtrees. */
  public void forEach(Consumer<PlanNode> visitor) {
    visitor.accept(this);
    for (PlanNode child : children) {
      child.forEach(visitor);
    }
  }

  /** Like {@code 10.0.0.1:9866[3](10.0.0.2:9866[4] 10.0.0.3:9866[5])}: nodes and their units. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    append(text);
    return text.toString();
  }

  private void append(StringBuilder text) {
    text.append(node).append('[');
    String separator = "";
    for (Source source : sources) {
      text.append(separator).append(isRemote(source) ? source.toString() : "" + source.unit());
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
