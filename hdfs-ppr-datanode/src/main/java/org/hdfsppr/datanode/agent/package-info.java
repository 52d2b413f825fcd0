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
 * Sends heartbeats from this DataNode to the repair managers of its NameNodes, and handles the
 * answers. An actor for each NameNode, the bookkeeping of commands for each nameservice, and the
 * reports that a heartbeat carries belong here. Other packages carry out the commands.
 */
@InterfaceAudience.Private
package org.hdfsppr.datanode.agent;

import org.apache.hadoop.classification.InterfaceAudience;
