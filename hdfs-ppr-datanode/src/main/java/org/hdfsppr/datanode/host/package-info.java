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
 * Holds what this DataNode contributes to any tree, whether it runs the repair or helps with it.
 * Its replicas as sources, its connections to other nodes, the rules for both, and the guard on a
 * thread's time belong here. Nothing here knows of a port that listens, or of an order to repair.
 */
@InterfaceAudience.Private
package org.hdfsppr.datanode.host;

import org.apache.hadoop.classification.InterfaceAudience;
