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
 * Passes the commands of repair managers to their executors. The executor's interface, the class
 * that chooses an executor, and the pool that runs its jobs belong here. The messages are in
 * {@code org.hdfsppr.manage}; the executors are in the packages that do the work.
 */
@InterfaceAudience.Private
package org.hdfsppr.datanode.command;

import org.apache.hadoop.classification.InterfaceAudience;
