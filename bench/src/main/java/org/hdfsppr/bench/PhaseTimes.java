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

import org.hdfsppr.bench.clock.ReadTimes;

/**
 * The times of one degraded read, in seconds, put together from the clock of the client and those
 * of the DataNodes.
 *
 * <p>All DataNodes work at the same time, and a read waits for the slowest. So the time of the disk
 * is that of the DataNode that read for longest, and likewise that of helpers' computation. Both
 * pass while the client waits for bytes. What is left of the client's waiting is the transfer.
 */
final class PhaseTimes {
  private static final double NANOS = 1e9;

  private final ReadTimes client;
  private final NodeTimes nodes;

  PhaseTimes(ReadTimes client, NodeTimes nodes) {
    this.client = client;
    this.nodes = nodes;
  }

  double total() {
    return client.total / NANOS;
  }

  /** Returns the time in which the client waited for bytes of DataNodes. */
  double waiting() {
    return client.waiting / NANOS;
  }

  /** Returns the time of file reads on the DataNode with the most. */
  double disk() {
    return nodes.diskMost() / NANOS;
  }

  /** Returns the time of file reads on all DataNodes together. */
  double diskOfAll() {
    return nodes.diskOfAll() / NANOS;
  }

  /** Returns the time in which the client computed. */
  double clientComputation() {
    return client.computing / NANOS;
  }

  double computation() {
    return (client.computing + nodes.computingMost) / NANOS;
  }

  double transfer() {
    return (client.waiting - nodes.diskMost() - nodes.computingMost) / NANOS;
  }

  double rest() {
    return (client.total - client.waiting - client.computing) / NANOS;
  }
}
