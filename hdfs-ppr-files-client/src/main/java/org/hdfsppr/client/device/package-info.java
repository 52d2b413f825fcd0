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
 * Block devices whose bytes are in HDFS: one file, or a directory of files of one block group each.
 * A server of block devices uses the interface {@code BlockDevice}; a device uses the interface
 * {@code UpdatableBytes} for files that can be changed in place. Package {@code update} writes
 * bytes into update logs, and {@code nbd} has the protocol of clients.
 */
@InterfaceAudience.Private
package org.hdfsppr.client.device;

import org.apache.hadoop.classification.InterfaceAudience;
