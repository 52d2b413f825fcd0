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
/**
 * Opens the port to which DataNodes send their heartbeats, and checks each caller. A {@code
 * HeartbeatHandler}, which is in {@code manage}, answers heartbeats. It also keeps calls of
 * DataNodes, each a {@code WaitingCall}, until there are orders for the DataNode. The messages
 * themselves are in {@code manage} of the module common. Other callers use the same port; each kind
 * of them has an {@code RpcProtocol}.
 */
package org.hdfsppr.namenode.rpc;
