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
 * Checks in the background that the units of each block group agree. {@code BackgroundScrubber}
 * decides what is done next, on a thread of its own. {@code TreeWalk} finds files through a {@code
 * ScrubNamespace}. {@code ScrubPass} has the groups that are checked next. {@code LinkLoads} keeps
 * checks away from nodes that repairs use. {@code ScrubProgressStore} stores in the namespace how
 * far a pass is. DataNodes get their orders through a {@code ScrubDataNodes}, and the scrubber asks
 * the repair manager through a {@code ScrubGate}. Nothing here takes a lock of the NameNode.
 */
package org.hdfsppr.namenode.scrub;
