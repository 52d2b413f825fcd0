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
 * Makes new versions of closed erasure-coded files on the DataNodes. {@code VersionEngine} is the
 * door: it takes a {@code VersionRequest}, and answers by a {@code VersionOutcome}. {@code
 * VersionRules} decides, pure, of which files no version is made. The package reaches the namespace
 * through {@code VersionNamespace}, and the DataNodes through {@code VersionDataNodes}. {@code
 * MakePlanner} says which units of a new version are links, and which ones are made, by which nodes
 * and of what. This package does not know from which jobs the requests come.
 */
@InterfaceAudience.Private
package org.hdfsppr.namenode.version;

import org.apache.hadoop.classification.InterfaceAudience;
