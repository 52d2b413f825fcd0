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
 * What clients and DataNodes say to each other about updates that are not in a version of their
 * file yet: which unit they change, and the requests to append, replicate, trim and read logs. Each
 * message is a class, whose {@code parse} checks what a node receives. Over a connection a ticket
 * is shown once; after that, requests name the number under which the node keeps it ({@code
 * ShownTickets}, {@code KeptTickets}). The bytes of a log on a disk are in the DataNode's {@code
 * update.log}.
 */
@InterfaceAudience.Private
package org.hdfsppr.update.append;

import org.apache.hadoop.classification.InterfaceAudience;
