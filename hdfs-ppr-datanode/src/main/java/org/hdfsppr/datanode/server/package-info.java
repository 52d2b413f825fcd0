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
 * Serves the requests of other nodes on this DataNode's port for repairs. The server with its
 * bounds on callers and a handler for each opcode belong here. The arithmetic of a request is in
 * {@code org.hdfsppr.stream}, and the replicas that the request reads are in {@code host}.
 */
@InterfaceAudience.Private
package org.hdfsppr.datanode.server;

import org.apache.hadoop.classification.InterfaceAudience;
