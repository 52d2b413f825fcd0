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
 * Sees whether clients still read the old blocks of files that get new versions. A stream that was
 * opened before a conversion goes on with the old code, and needs the old blocks. So DataNodes
 * report such reads, and the NameNode decides whether it keeps the old version for longer.
 * {@code OldReadWatch} says how reads are seen.
 */
@InterfaceAudience.Private
package org.hdfsppr.datanode.watch;

import org.apache.hadoop.classification.InterfaceAudience;
