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
 * The messages between clients and DataNodes about updates that are in no version of their file
 * yet: which unit they change, and the requests to append updates, replicate them, trim logs and
 * read logs. Each message is a class, whose {@code parse} checks the fields that a node receives.
 * Over a connection a caller sends a ticket once. Later requests name the number under which the
 * DataNode remembers the ticket ({@code ShownTickets}, {@code KeptTickets}). How a log is stored on
 * a disk does not belong here, but to the DataNode's package {@code update.log}.
 */
@InterfaceAudience.Private
package org.hdfsppr.update.append;

import org.apache.hadoop.classification.InterfaceAudience;
