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
 * Checks the units of a block group by trees whose sums have to be zero, and finds a wrong unit.
 * The package has the code that clients and DataNodes share. What a client or a DataNode does after
 * a check, and when it tries again, does not belong here.
 */
@InterfaceAudience.Private
package org.hdfsppr.verify;

import org.apache.hadoop.classification.InterfaceAudience;
