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
 * Reads and writes the bytes of replicas, on this DataNode or on another one, and checks the bytes
 * by their stored sums. Classes that open a file of the DataNode or speak stock's data transfer
 * protocol belong here. Nothing here knows what a repair is.
 */
@InterfaceAudience.Private
package org.hdfsppr.datanode.replica;

import org.apache.hadoop.classification.InterfaceAudience;
