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
package org.hdfsppr.namenode.files;

import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.column.ColumnProtocol;
import org.hdfsppr.column.ColumnProtocolPB;
import org.hdfsppr.column.ColumnServerTranslator;
import org.hdfsppr.column.proto.ColumnProtos.ColumnService;
import org.hdfsppr.namenode.rpc.RpcProtocol;
import org.hdfsppr.operate.ConversionRefusedException;
import org.hdfsppr.operate.CoreRefusedException;
import org.hdfsppr.operate.GroupReplacedException;
import org.hdfsppr.operate.PprClientProtocol;
import org.hdfsppr.operate.PprClientProtocolPB;
import org.hdfsppr.operate.PprClientServerTranslator;
import org.hdfsppr.operate.UpdateRefusedException;
import org.hdfsppr.operate.proto.ClientProtos.PprClientService;

/**
 * The RPC protocols for users' commands and for clients, with the configuration keys of their
 * access control lists. Stateless.
 */
@InterfaceAudience.Private
public final class FilesProtocols {
  /** The key of the access control list of the protocol for users' commands. */
  public static final String CLIENT_ACL_KEY = "security.ppr.client.protocol.acl";

  /** The key of the access control list of the protocol for clients that cannot read a block. */
  public static final String COLUMN_ACL_KEY = "security.ppr.column.protocol.acl";

  private FilesProtocols() {
  }

  /**
   * @param users answers the calls of users
   * @return the protocol for users' commands
   */
  public static RpcProtocol<PprClientProtocolPB> users(PprClientProtocol users) {
    // The RPC server logs these exceptions without a stack trace: they are normal answers, which
    // the commands print.
    return new RpcProtocol<>(PprClientProtocolPB.class, new PprClientServerTranslator(users),
        PprClientService::newReflectiveBlockingService, CLIENT_ACL_KEY,
        List.of(ConversionRefusedException.class, CoreRefusedException.class,
            UpdateRefusedException.class, GroupReplacedException.class));
  }

  /**
   * @param columns answers clients that cannot read a block
   * @return the protocol for these clients
   */
  public static RpcProtocol<ColumnProtocolPB> columns(ColumnProtocol columns) {
    return new RpcProtocol<>(ColumnProtocolPB.class, new ColumnServerTranslator(columns),
        ColumnService::newReflectiveBlockingService, COLUMN_ACL_KEY, List.of());
  }
}
