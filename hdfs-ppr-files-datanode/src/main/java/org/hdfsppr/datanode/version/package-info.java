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
 * Carries out the NameNode's commands for versions of files: links replicas to new blocks, makes
 * new blocks, and makes changed copies of units for commits. Repairs on this DataNode go first.
 * Package {@code org.hdfsppr.datanode.repair} makes blocks; {@code ReplicaLinksAccess} has the
 * members of Hadoop that link replicas. A job carries out one command, and a {@code JobPool}
 * bounds how many jobs run at a time. A {@code PatchJob} changes a data unit by the updates of its
 * log, and a parity unit by the changes of data units. The node of a parity unit calculates those
 * changes for which it has all bytes ({@code KnownChanges}), and gets the others from other nodes.
 */
@InterfaceAudience.Private
package org.hdfsppr.datanode.version;

import org.apache.hadoop.classification.InterfaceAudience;
