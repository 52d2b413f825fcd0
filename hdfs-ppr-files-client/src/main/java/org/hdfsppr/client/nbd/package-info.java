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
 * The protocol NBD (network block device), as a server speaks it: it takes bytes, and returns
 * decisions and bytes. {@code NbdHandshake} has the part before an export is chosen,
 * {@code NbdRequest}, {@code NbdRequestRules} and {@code NbdReplies} the part after it. Nothing
 * here knows of sockets, threads or devices, so that each step can be tested with arrays of bytes.
 */
@InterfaceAudience.Private
package org.hdfsppr.client.nbd;

import org.apache.hadoop.classification.InterfaceAudience;
