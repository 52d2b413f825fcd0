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
 * Linear digests of units. DataNodes report them for units that they have made, and the NameNode
 * compares their sums. A digest tells whether a unit has the right bytes without moving these.
 */
@InterfaceAudience.Private
package org.hdfsppr.digest;

import org.apache.hadoop.classification.InterfaceAudience;
