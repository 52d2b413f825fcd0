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
 * Runs the repairs whose destination is this DataNode, from an order of stock or of a manager to
 * the finished replicas. {@code RepairService} puts all parts together. The classes that decide,
 * plan, run and report a job belong here. The classes that serve the repairs of other nodes are in
 * {@code server}. A second jar adds to repairs by a {@code DataNodeExtension}, and no class here
 * names one of that jar.
 */
@InterfaceAudience.Private
package org.hdfsppr.datanode.repair;

import org.apache.hadoop.classification.InterfaceAudience;
