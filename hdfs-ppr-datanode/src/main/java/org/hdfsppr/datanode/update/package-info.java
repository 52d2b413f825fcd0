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
 * Takes and serves the updates of files that are not in a version of their file yet. A node leads
 * the history of a unit, or follows a leader. What a log has on its disk, and the rules of a
 * history, are in {@code log}; the messages are in {@code org.hdfsppr.update.append}.
 */
@InterfaceAudience.Private
package org.hdfsppr.datanode.update;

import org.apache.hadoop.classification.InterfaceAudience;
