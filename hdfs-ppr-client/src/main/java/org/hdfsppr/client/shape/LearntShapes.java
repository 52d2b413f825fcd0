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
package org.hdfsppr.client.shape;

import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Chooses the shape that was fastest in recent reads ({@link ShapeChoice}). For shapes that were
 * not tried, the rule takes the time that {@link ReadCosts} expects. {@link ShapeTrials} find out
 * whether another shape has become faster. Thread-safe.
 */
@InterfaceAudience.Private
public final class LearntShapes implements ShapeRule {
  private final ReadCosts costs;
  private final ShapeChoice choice;
  private final ShapeTrials trials;

  /**
   * @param costs learns from all reads
   * @param chainsMost how many chains a tree may have
   * @param nanoClock of the client
   * @param background runs a trial, if a thread is free
   * @param counter is run after each trial
   */
  public LearntShapes(ReadCosts costs, int chainsMost, LongSupplier nanoClock,
      Predicate<Runnable> background, Runnable counter) {
    this.costs = costs;
    this.choice = new ShapeChoice(costs);
    this.trials = new ShapeTrials(choice, chainsMost, nanoClock, background, counter);
  }

  @Override
  public Shape choose(int helpers, long rangeBytes, int sliceBytes, int chainsMost, int others) {
    return choice.choose(helpers, rangeBytes, sliceBytes, chainsMost, others);
  }

  @Override
  public void healthyTook(long bytes, long nanos) {
    costs.read(bytes, nanos);
  }

  @Override
  public void sourcesTook(long bytes, long startNanos, long nanos) {
    if (!trials.wasBusySince(startNanos)) {
      costs.read(bytes, nanos);
    }
  }

  @Override
  public void treeTook(Shape shape, long startNanos, long nanos, boolean alone) {
    if (trials.wasBusySince(startNanos)) {
      return;
    }
    if (alone) {
      costs.tree(shape.hops(), shape.bytesInTurn(), nanos);
    }
    choice.took(shape, nanos);
  }

  @Override
  public void treeWasLate(Shape shape, long nanos) {
    costs.lateTree(shape.hops(), shape.bytesInTurn(), nanos);
  }

  /**
   * The rule ignores the time of a range if a trial ran at the same time. Between two trials some
   * ranges are decoded alone, so the time of decoding stays known.
   */
  @Override
  public void decodingTook(Shape chosen, long startNanos, long nanos,
      ShapeTrials.TrialTree trial) {
    if (trials.wasBusySince(startNanos)) {
      return;
    }
    choice.took(chosen, nanos);
    if (chosen.isDecoding()) {
      trials.decoded(chosen, nanos, trial);
    }
  }

  @Override
  public String toString() {
    return costs.toString();
  }
}
