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
package org.hdfsppr.it.read;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeoutException;

import org.hdfsppr.it.cluster.BlockGroup;
import org.hdfsppr.it.cluster.Rate;
import org.hdfsppr.it.cluster.UnitFiles;
import org.hdfsppr.it.cluster.Unit;
import org.hdfsppr.it.util.Await;

/** Causes faults on the nodes of a cluster while clients read, as far as {@link Losses} allows. */
final class ReadHarm {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final Duration POLL = Duration.ofMillis(50);
  private static final int MBIT_MIN = 10;
  private static final int MBIT_MORE = 30;

  private final ReadCluster cluster;
  private final List<ReadFile> files;
  private final Losses losses;
  private final List<RandomReader> readers;
  private final Random random;
  private final Set<Integer> slow = new TreeSet<>();
  private final Map<String, Integer> done = new TreeMap<>();

  ReadHarm(ReadCluster cluster, List<ReadFile> files, Losses losses,
      List<RandomReader> readers, Random random) {
    this.cluster = cluster;
    this.files = files;
    this.losses = losses;
    this.readers = readers;
    this.random = random;
  }

  /** Takes down the node that holds the data unit of an offset, unless it is down already. */
  void killHolder(ReadFile file, long offset)
      throws IOException, InterruptedException, TimeoutException {
    kill(file.nodeAt(offset).orElseThrow());
  }

  /** Causes one of the possible faults, or undoes one. */
  void step() throws IOException, InterruptedException, TimeoutException {
    switch (random.nextInt(cluster.canSlow() ? 6 : 4)) {
      case 0:
      case 1:
        kill(1 + random.nextInt(cluster.nodes()));
        break;
      case 2:
        if (!losses.down().isEmpty()) {
          restart(losses.down().get(random.nextInt(losses.down().size())));
        }
        break;
      case 3:
        corrupt();
        break;
      case 4:
        slowDown(1 + random.nextInt(cluster.nodes()));
        break;
      default:
        setRates(Rate.UNLIMITED);
        break;
    }
  }

  private void count(String harm) {
    done.merge(harm, 1, Integer::sum);
  }

  private void kill(int node) throws IOException, InterruptedException, TimeoutException {
    if (losses.takeDown(node)) {
      cluster.processes().kill(node);
      count("kills");
    }
  }

  private void restart(int node) throws IOException, InterruptedException, TimeoutException {
    losses.mayBeBack(node);
    cluster.processes().start(node);
    cluster.awaitServing(node);
    awaitNamed(node);
    losses.isBack(node);
    count("restarts");
    // A stream that has met a node that was down is not required to survive as many further losses
    // as the code does. So all streams are opened anew.
    long returns = losses.returns();
    Await.until("all threads have opened their streams anew", LIMIT, POLL,
        () -> readers.stream().allMatch(reader -> reader.knows(returns)));
    if (losses.down().isEmpty()) {
      // Another node is taken down, so that there is always something to decode.
      ReadFile file = files.get(0);
      killHolder(file, (long) (random.nextDouble() * file.length));
    }
  }

  /** Waits until the NameNode lists the node's units, except those that it knows as corrupt. */
  private void awaitNamed(int node) throws IOException, InterruptedException, TimeoutException {
    Await.until("the NameNode names the units on dn" + node, LIMIT, POLL, () -> {
      for (ReadFile file : files) {
        List<BlockGroup> now =
            BlockGroup.of(cluster.processes(), cluster.writer(), file.path);
        for (int group = 0; group < now.size(); group++) {
          boolean had = file.groups.get(group).on(node)
              .map(unit -> !losses.isCorrupt(unit)).orElse(false);
          if (had && now.get(group).on(node).isEmpty()) {
            return false;
          }
        }
      }
      return true;
    });
  }

  private void corrupt() throws IOException {
    ReadFile file = files.get(random.nextInt(files.size()));
    int group = random.nextInt(file.groups.size());
    List<Unit> units = new ArrayList<>(file.groups.get(group).units);
    Unit unit = units.get(random.nextInt(units.size()));
    UnitFiles replica = UnitFiles.of(cluster.processes(), unit.node, unit.block);
    long bytes = replica.data.toFile().length();
    if (bytes == 0) {
      throw new IOException("no " + replica.data);
    }
    long at = (long) (random.nextDouble() * bytes);
    if (losses.takeBit(file, group, unit, at)) {
      replica.flipBit(at);
      count("corruptions");
    }
  }

  private void slowDown(int node) throws IOException, InterruptedException {
    cluster.processes().links().setRate(node,
        Rate.parse(MBIT_MIN + random.nextInt(MBIT_MORE) + "mbit"));
    slow.add(node);
    count("slowdowns");
  }

  private void setRates(Rate rate) throws IOException, InterruptedException {
    for (int node : slow) {
      cluster.processes().links().setRate(node, rate);
    }
    slow.clear();
  }

  /** Undoes all faults except corrupt replicas. No thread may be reading any more. */
  void undo() throws IOException, InterruptedException, TimeoutException {
    setRates(Rate.UNLIMITED);
    List<Integer> down = losses.down();
    for (int node : down) {
      losses.mayBeBack(node);
      cluster.processes().start(node);
    }
    for (int node : down) {
      cluster.awaitServing(node);
      losses.isBack(node);
    }
    cluster.processes().state().awaitLive(cluster.nodes(), LIMIT);
  }

  /** Lists the faults, and how often each occurred. */
  @Override
  public String toString() {
    return done.toString();
  }
}
