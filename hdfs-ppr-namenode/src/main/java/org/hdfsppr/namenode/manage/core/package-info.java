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
 * Decides what CORE means for lost groups: which columns can rebuild units, which rows wait for
 * others, and in which steps rows are repaired that have lost too many units. What it decides goes
 * with a {@code LostGroup}, as its {@code CoreWork}; the package {@code schedule} plans by it. A
 * rebuilt unit stays off the nodes that have other blocks of its column ({@code ColumnNeighbours}).
 */
@org.apache.hadoop.classification.InterfaceAudience.Private
package org.hdfsppr.namenode.manage.core;
