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
 * The requests of clients to the DataNode that leads the log of a unit: which bytes acknowledged
 * updates have written, so that a reader can put them over the bytes of the committed version; and
 * to force all updates to the disks of all holders. {@code ViewFraming} checks what a process
 * receives. The ticket of {@code update.append} names that DataNode.
 */
@InterfaceAudience.Private
package org.hdfsppr.update.view;

import org.apache.hadoop.classification.InterfaceAudience;
