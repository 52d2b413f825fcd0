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

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hdfsppr.bench.read.ReadRequest;
import org.hdfsppr.bench.run.Row;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.cluster.Rate;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/**
 * The conditions under which {@code bench.sh degraded} reads: warm or cold clients, with or without
 * a slow node.
 */
final class DegradedConditions {
  /**
   * Warm clients make some reads that are not measured before their measured reads. Cold clients do
   * not.
   */
  enum Start { WARM, COLD }

  /** Parses a rate such as 5mbit. */
  static final class RateOption implements ITypeConverter<Rate> {
    @Override
    public Rate convert(String words) {
      try {
        return Rate.parse(words);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  @Option(names = "--start", paramLabel = "warm|cold", defaultValue = "warm",
      description = "warm: clients have read --warm-up times before. cold: each measurement has a "
          + "new client process that has read nothing before; DataNodes have served the modes "
          + "before it. Each round begins with another mode (default: ${DEFAULT-VALUE})")
  private Start start;

  @Option(names = "--slow-rate", paramLabel = "RATE",
      converter = RateOption.class,
      description = "Link of one node that holds another unit of the first group, while everything "
          + "is measured, like 5mbit (default: no node is slow)")
  private Rate slowRate;

  @Option(names = "--readers", defaultValue = "1",
      description = "Streams of a client that read at the same time and share the ranges of a "
          + "pattern (default: ${DEFAULT-VALUE})")
  private int readers;

  /** Checks that the options allow at least one stream to read. */
  void check() {
    if (readers < 1) {
      throw new IllegalArgumentException("--readers is " + readers + ", at least 1 is needed");
    }
  }

  /** Returns the request with the number of streams that the options set. */
  ReadRequest readBy(ReadRequest request) {
    return request.withReaders(readers);
  }

  boolean isCold() {
    return start == Start.COLD;
  }

  /**
   * Returns the order in which modes are measured in a round: first those with all nodes up, and
   * then the others. Each round begins with another mode of the others, because the first of them
   * finds the coldest DataNodes: a DataNode has just started again, and all connections to it are
   * new.
   */
  static List<DegradedMode> order(List<DegradedMode> modes, int round) {
    List<DegradedMode> degraded = modes.stream().filter(mode -> !mode.healthy)
        .collect(Collectors.toList());
    Collections.rotate(degraded, 1 - round);
    List<DegradedMode> order = modes.stream().filter(mode -> mode.healthy)
        .collect(Collectors.toList());
    order.addAll(degraded);
    return order;
  }

  /**
   * Makes a node slow, if the options ask for a slow node.
   *
   * @param lostUnit the index of the unit whose node is down or will be taken down
   * @return the slow node; empty if no node is slow
   */
  Optional<Integer> slowDown(HdfsProcessCluster cluster, DistributedFileSystem client,
      DegradedFile file, int lostUnit, int dataUnits) throws IOException, InterruptedException {
    if (slowRate == null) {
      return Optional.empty();
    }
    int node = file.holder(cluster, client, (lostUnit + 1) % dataUnits);
    cluster.links().setRate(node, slowRate);
    return Optional.of(node);
  }

  /** Sets the link of the slow node, if there is one, back to the rate of all other links. */
  static void restore(HdfsProcessCluster cluster, Optional<Integer> slowNode)
      throws IOException, InterruptedException {
    if (slowNode.isPresent()) {
      cluster.links().setRate(slowNode.get(), cluster.spec().rate);
    }
  }

  /** Adds the conditions of the measurement to its result. */
  Row addTo(Row result) {
    result.put("start", isCold() ? "cold" : "warm");
    result.put("readers", readers);
    result.put("slow_rate", slowRate == null ? null : slowRate.toString());
    return result;
  }

  @Override
  public String toString() {
    return (isCold() ? "cold" : "warm")
        + (readers == 1 ? "" : ", " + readers + " readers")
        + (slowRate == null ? "" : ", a node at " + slowRate);
  }
}
