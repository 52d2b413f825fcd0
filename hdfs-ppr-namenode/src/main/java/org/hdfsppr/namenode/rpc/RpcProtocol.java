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

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.authorize.Service;
import org.apache.hadoop.thirdparty.protobuf.BlockingService;

/**
 * A protocol of the repair manager's server for callers that are not DataNodes. Immutable.
 *
 * @param <P> the interface of the protocol's service, which names the protocol
 */
@InterfaceAudience.Private
public final class RpcProtocol<P> {
  private final Class<P> type;
  private final P implementation;
  private final Function<P, BlockingService> service;
  private final String aclKey;
  /** The exceptions that are answers to callers. The server does not log them. */
  final List<Class<? extends Throwable>> answers;

  /**
   * @param type the interface of the protocol's service, loaded by the class loader of this class
   * @param implementation answers the calls that the access control list lets through
   * @param service makes the service that Hadoop's server calls
   * @param aclKey the key of the setting that lists the users and groups that may call
   * @param answers the exceptions that callers get as answers
   */
  public RpcProtocol(Class<P> type, P implementation, Function<P, BlockingService> service,
      String aclKey, List<Class<? extends Throwable>> answers) {
    this.type = Objects.requireNonNull(type, "type");
    this.implementation = Objects.requireNonNull(implementation, "implementation");
    this.service = Objects.requireNonNull(service, "service");
    this.aclKey = Objects.requireNonNull(aclKey, "aclKey");
    this.answers = List.copyOf(answers);
  }

  /** Adds the protocol to a server. The server must not have read its access control lists yet. */
  void add(RPC.Server server, Configuration conf, ProtocolAcls acls) throws IOException {
    RPC.setProtocolEngine(conf, type, ProtobufRpcEngine2.class);
    server.addProtocol(RPC.RpcKind.RPC_PROTOCOL_BUFFER, type,
        service.apply(acls.checked(type, implementation)));
  }

  /** Returns the row of {@code hadoop-policy.xml} that concerns the protocol. */
  Service acl() {
    return new Service(aclKey, type);
  }
}
