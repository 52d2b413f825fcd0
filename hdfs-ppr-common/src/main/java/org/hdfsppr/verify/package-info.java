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
 * Reads the units of a block group through trees whose sums are zero, and finds the unit that is
 * wrong. What clients and DataNodes have in common for this belongs here. What they conclude, and
 * when they try again, does not.
 */
@InterfaceAudience.Private
package org.hdfsppr.verify;

import org.apache.hadoop.classification.InterfaceAudience;
