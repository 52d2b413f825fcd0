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

import org.hdfsppr.datanode.host.DataNodeHost;
import org.hdfsppr.datanode.repair.PeerDirectory.PeerConnector;
import org.hdfsppr.plan.NodeRef;

/** Contexts of repairs that no test runs. */
public final class RepairContexts {
  private RepairContexts() {
  }

  /** Returns a context that has only a clock, which stands still. */
  public static RepairContext empty() {
    return new RepairContext(null, DataNodeHost.leading(null, NodeRef.NO_REPAIR_PORT, null),
        new PeerConnector(null, null), null, null, null, () -> 0);
  }
}
