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
 * The NameNode's side of updates in place: which files may be updated, and in which term which
 * DataNodes hold the log of a unit. {@code UpdateRpcHandler} checks the calls of users.
 * {@code TicketKeeper} keeps the records in the namespace. {@code NextTerm} decides which history
 * of updates goes on when a holder has failed; it is a pure function. No record is kept in memory
 * between two calls, because after a failover it could be out of date. The package {@code commit}
 * makes new versions of files from the updates.
 */
@InterfaceAudience.Private
package org.hdfsppr.namenode.update;

import org.apache.hadoop.classification.InterfaceAudience;
