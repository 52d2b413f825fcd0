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
 * Linear digests of units. DataNodes report the digests of units that they have made, and the
 * NameNode checks whether they satisfy the equations of the code. So it checks the bytes of the
 * units without moving them.
 */
@InterfaceAudience.Private
package org.hdfsppr.digest;

import org.apache.hadoop.classification.InterfaceAudience;
