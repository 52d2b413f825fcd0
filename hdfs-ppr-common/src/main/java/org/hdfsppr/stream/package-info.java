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
 * The work of one node of a tree: the arithmetic of partial sums, the helper's session, the
 * destination's session, and the memory that these need. Other modules implement the interfaces of
 * this package for connections and replicas. Server sockets, replicas and decisions about failures
 * do not belong in this package.
 */
package org.hdfsppr.stream;
