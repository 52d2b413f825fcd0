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
 * Checks on a manager's order whether the units of a block group satisfy the code, and which unit
 * is wrong if they do not. Such checks have the lowest priority of all that a DataNode does.
 * Repairs, and the checks that a user starts from a client, do not belong here.
 */
@InterfaceAudience.Private
package org.hdfsppr.datanode.scrub;

import org.apache.hadoop.classification.InterfaceAudience;
