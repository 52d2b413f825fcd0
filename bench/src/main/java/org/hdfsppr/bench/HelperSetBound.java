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
package org.hdfsppr.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;


/**
 * Computes a lower bound of the bytes that the busiest node must send, for codes with which only
 * some sets of nodes can rebuild a unit. This is the "recipes" part of {@link LowerBound}. The
 * class finds good weights of the nodes with the multiplicative weights method.
 */
final class HelperSetBound {
  /**
   * The number of steps that improve the weights. After 4000 steps the result is within one per
   * cent of the bound that the best weights give.
   */
  private static final int STEPS = 4000;

  private final List<LostUnit> lost;
  private final List<Integer> nodes;

  HelperSetBound(List<LostUnit> lost, List<Integer> nodes) {
    this.lost = lost;
    this.nodes = nodes;
  }

  /**
   * Returns a lower bound of the bytes that the busiest node must send; 0 if any large enough set
   * of holders can rebuild each unit.
   */
  double leastMaximum() {
    List<Choice> choices = new ArrayList<>();
    for (LostUnit unit : lost) {
      if (!unit.helperSets.isEmpty()) {
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
        // The more a node sends, the more its weight grows, so the next step prefers other nodes.
        // Later steps change the weights less, so that the weights converge.
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

  /**
   * Rebuilds each unit from the helper set with the least total weight. Returns the sum of all
   * bytes sent, each multiplied by its sender's weight. Stores in {@code sent} how many bytes each
   * node sends.
   */
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

  /**
   * The helper sets that can rebuild a lost unit. A set contains the indices of its nodes in the
   * list of all nodes.
   */
  private final class Choice {
    private final double bytes;
    private final List<int[]> sets = new ArrayList<>();

    Choice(LostUnit unit) {
      bytes = unit.bytes;
      for (List<Integer> set : unit.helperSets) {
        sets.add(set.stream().mapToInt(node -> FlowBound.indexOf(nodes, node)).toArray());
      }
    }
  }
}
