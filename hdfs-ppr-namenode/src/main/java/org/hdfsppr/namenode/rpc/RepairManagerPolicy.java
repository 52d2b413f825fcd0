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
package org.hdfsppr.namenode.rpc;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.security.authorize.PolicyProvider;
import org.apache.hadoop.security.authorize.Service;
import org.hdfsppr.column.ColumnProtocolPB;
import org.hdfsppr.manage.RepairManagerProtocolPB;
import org.hdfsppr.operate.PprClientProtocolPB;

/** The part of {@code hadoop-policy.xml} that concerns the server of the repair manager. */
@InterfaceAudience.Private
public final class RepairManagerPolicy extends PolicyProvider {
  /**
   * The key of the setting that lists the users and groups that may send heartbeats of DataNodes.
   * Without the setting, Hadoop's default applies: all users may call.
   */
  public static final String ACL_KEY = "security.ppr.repair.protocol.acl";

  /** The same for the calls of users' commands. */
  public static final String CLIENT_ACL_KEY = "security.ppr.client.protocol.acl";

  /** The same for clients that cannot read a block. */
  public static final String COLUMN_ACL_KEY = "security.ppr.column.protocol.acl";

  @Override
  public Service[] getServices() {
    return new Service[] {new Service(ACL_KEY, RepairManagerProtocolPB.class),
        new Service(CLIENT_ACL_KEY, PprClientProtocolPB.class),
        new Service(COLUMN_ACL_KEY, ColumnProtocolPB.class)};
  }
}
