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
package org.hdfsppr.column;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenSelector;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.security.KerberosInfo;
import org.apache.hadoop.security.token.TokenInfo;
import org.hdfsppr.column.proto.ColumnProtos.ColumnService;

/** The form of {@link ColumnProtocol} that Hadoop's RPC calls, with protobuf messages. */
@InterfaceAudience.Private
@ProtocolInfo(protocolName = "org.hdfsppr.column.ColumnProtocolPB", protocolVersion = 1)
@KerberosInfo(serverPrincipal = ColumnProtocolPB.SERVER_PRINCIPAL_KEY)
@TokenInfo(DelegationTokenSelector.class)
public interface ColumnProtocolPB extends ColumnService.BlockingInterface {
  /** Stock's key for the NameNode's principal, because the plugin runs inside the NameNode. */
  String SERVER_PRINCIPAL_KEY = "dfs.namenode.kerberos.principal";
}
