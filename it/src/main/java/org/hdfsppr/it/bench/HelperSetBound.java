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
package org.hdfsppr.it.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * What the busiest node has to send at least where only some sets of nodes can rebuild a unit: the
 * "recipes" part of {@link LowerBound}, by multiplicative weights.
 */
@InterfaceAudience.Private
final class HelperSetBound {
  /** Steps towards the best weights; with 4000 the bound is within one per cent of the best. */
  private static final int STEPS = 4000;

  private final List<LostUnit> lost;
  private final List<Integer> nodes;

  HelperSetBound(List<LostUnit> lost, List<Integer> nodes) {
    this.lost = lost;
    this.nodes = nodes;
  }

  /** Bytes of the busiest node at least; 0 if any holders will do for all units. */
  double leastMaximum() {
    List<Choice> choices = new ArrayList<>();
    for (LostUnit unit : lost) {
      if (!unit.helperSets().isEmpty()) {
        choices.add(new Choice(unit));
      }
    }
    double[] weights = new double[nodes.size()];
    Arrays.fill(weights, 1);
    double[] sum = new double[weights.length];
    double best = 0;
    for (int step = 1; step <= STEPS && !choices.isEmpty(); step++) {
      scale(weights);
      double[] sent = new double[weights.length];
      best = Math.max(best, lightest(choices, weights, sent));
      double most = Arrays.stream(sent).max().getAsDouble();
      for (int node = 0; node < weights.length; node++) {
        sum[node] += weights[node];
        // Nodes that send most count for more; by smaller and smaller steps.
        weights[node] *= Math.exp(sent[node] / most / Math.sqrt(step));
      }
    }
    scale(sum);
    best = Math.max(best, lightest(choices, sum, new double[sum.length]));
    return best;
  }

  private static void scale(double[] weights) {
    double all = Arrays.stream(weights).sum();
    for (int i = 0; i < weights.length; i++) {
      weights[i] /= all;
    }
  }

  /** The weight of all bytes when each unit is rebuilt by its lightest set, and what nodes send. */
  private static double lightest(List<Choice> choices, double[] weights, double[] sent) {
    double all = 0;
    for (Choice choice : choices) {
      int[] lightest = null;
      double least = Double.MAX_VALUE;
      for (int[] set : choice.sets) {
        double weight = 0;
        for (int node : set) {
          weight += weights[node];
        }
        if (weight < least) {
          least = weight;
          lightest = set;
        }
      }
      for (int node : lightest) {
        sent[node] += choice.bytes;
      }
      all += least * choice.bytes;
    }
    return all;
  }

  /** A unit's sets of helpers, by the nodes' indices. */
  private final class Choice {
    private final double bytes;
    private final List<int[]> sets = new ArrayList<>();

    Choice(LostUnit unit) {
      bytes = unit.bytes();
      for (List<Integer> set : unit.helperSets()) {
        sets.add(set.stream().mapToInt(node -> FlowBound.indexOf(nodes, node)).toArray());
      }
    }
  }
}
