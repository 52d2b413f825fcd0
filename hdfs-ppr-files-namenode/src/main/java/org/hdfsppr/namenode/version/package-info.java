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
 * Makes new versions of closed erasure-coded files on the DataNodes. Other packages call {@code
 * VersionEngine}: it takes a {@code VersionRequest}, and answers with a {@code VersionOutcome}.
 * {@code VersionRules} refuses files that must not get a new version. It decides from facts that
 * other classes have collected, and does no I/O. The package reaches the namespace through {@code
 * VersionNamespace}, and the DataNodes through {@code VersionDataNodes}. {@code MakePlanner} says
 * which units of a new version are links of old units. For each other unit, it decides which node
 * makes it, and from which units. This package does not know which jobs send the requests.
 *
 * <p>{@code VersionMaker} makes one version, {@code ParityMaker} the parity file of a CORE group,
 * and {@code FileMaking} has what both share. A {@code GroupMaking} has one group made, around
 * nodes that have failed and links that are busy. A full check compares digests of all units, those
 * of the new group ({@code GroupDigests}) and those of the old group from which it is made ({@code
 * OldProof}). Where there are no digests, it reads all bytes ({@code FullVerification}). The {@code
 * Publisher} looks again before each try to publish.
 *
 * <p>A file waits most of the time while it is made. So each of these classes works in steps, as a
 * {@code Phase} or in the same way, and never waits in a step for DataNodes or repairs. A {@code
 * MakingLane} has few threads for the steps of all files. The files of a lane take turns.
 *
 * <p>A {@code VersionRecord} in the namespace says what a version is for. After a crash, or when
 * its grace ends, {@code VersionFate} decides by the record what becomes of it, and the {@code
 * VersionJanitor} does that. Nothing is deleted on a doubt, nor before {@code PowerCutDurability}
 * knows that the new version survives a power cut.
 */
@InterfaceAudience.Private
package org.hdfsppr.namenode.version;

import org.apache.hadoop.classification.InterfaceAudience;
