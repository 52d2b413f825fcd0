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
 * The server's part of the protocol NBD (network block device): the classes take bytes of a client,
 * and return decisions and bytes. {@code NbdHandshake} has the messages until the client has chosen
 * an export, and {@code NbdRequest}, {@code NbdRequestRules} and {@code NbdReplies} those after it.
 * No class here uses sockets, threads or devices, so that each step can be tested with arrays of
 * bytes.
 */
@InterfaceAudience.Private
package org.hdfsppr.client.nbd;

import org.apache.hadoop.classification.InterfaceAudience;
