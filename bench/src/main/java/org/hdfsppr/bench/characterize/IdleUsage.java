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
package org.hdfsppr.bench.characterize;

/**
 * What NameNodes and DataNodes use in a second without any client. As the paper does, it is taken
 * off the processor time and the context switches of points, so that slow loads do not pay for the
 * seconds that they take. Immutable.
 */
final class IdleUsage {
  final double userShare;
  final double systemShare;
  final double switchesPerSecond;

  private IdleUsage(double userShare, double systemShare, double switchesPerSecond) {
    this.userShare = userShare;
    this.systemShare = systemShare;
    this.switchesPerSecond = switchesPerSecond;
  }

  /**
   * {@return what a cluster without clients uses}
   *
   * @param used what it has used during some seconds
   */
  static IdleUsage of(Usage used) {
    ProcessUsage cluster = used.ofCluster();
    return new IdleUsage(cluster.userSeconds / used.seconds,
        cluster.systemSeconds / used.seconds, cluster.switches() / used.seconds);
  }

  double userSeconds(Usage used) {
    return Math.max(0, used.ofCluster().userSeconds - userShare * used.seconds);
  }

  double systemSeconds(Usage used) {
    return Math.max(0, used.ofCluster().systemSeconds - systemShare * used.seconds);
  }

  double switches(Usage used) {
    return Math.max(0, used.ofCluster().switches() - switchesPerSecond * used.seconds);
  }
}
