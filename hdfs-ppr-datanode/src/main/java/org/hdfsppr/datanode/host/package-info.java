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
 * Gives the trees of repairs access to this DataNode, whether this DataNode leads the repair or
 * helps with it. The classes for its replicas, for its connections to other nodes, for the rules of
 * both, and for the guard on a thread's time belong here. No class here listens on a port or
 * carries out an order to repair.
 */
@InterfaceAudience.Private
package org.hdfsppr.datanode.host;

import org.apache.hadoop.classification.InterfaceAudience;
