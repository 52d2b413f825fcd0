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
 * Measures how busy the disks under this DataNode's volumes are, and estimates how fast they could
 * be. The counters that Linux keeps of disks, and the estimates from these counters, belong here.
 * The classes with which a manager uses the estimates do not.
 */
@InterfaceAudience.Private
package org.hdfsppr.datanode.disk;

import org.apache.hadoop.classification.InterfaceAudience;
