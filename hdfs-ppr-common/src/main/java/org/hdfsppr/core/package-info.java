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
 * Decides how the blocks of a CORE group are repaired: a group is a matrix whose rows are t files
 * and their parity file, and whose columns are the internal blocks with the same index. The package
 * splits a matrix of lost blocks into independent clusters, finds out whether they are recoverable,
 * and makes a schedule of repairs along rows and columns. No class here knows of nodes, bytes or a
 * clock. Other packages form CORE groups and record them.
 */
package org.hdfsppr.core;
