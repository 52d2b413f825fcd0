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
 * Commits of updates in place. This package decides which updates a new version of a file has, and
 * when the logs drop them. The package {@code version} makes and publishes the version; the package
 * {@code update} decides which DataNode holds which log. {@code CommitTriggers} says when a commit
 * begins, {@code CommitRunner} carries it out, {@code UpdateCollector} finds the updates that
 * belong to it, and {@code LogTrimmer} has logs drop what is published.
 *
 * <p>A commit has a number, and each term has an epoch, which is also the number of a commit. An
 * update belongs to the commit with the number of its epoch, or to a later one if that commit
 * fails. The following rules make sure that no acknowledged update is lost, and that no old one
 * comes back:
 *
 * <ol>
 * <li><b>A term has one epoch.</b> It stands in the record of the term, so that all tickets of the
 * term name it. No update of the term has an earlier epoch.</li>
 * <li><b>Terms that begin after a commit have later epochs.</b> The record of commits is changed
 * before the commit looks at any term, it is keyed by the file's UUID and not by its inode, and it
 * is read anew for each term that begins, on the thread that changes it. NameNodes change it by
 * compare-and-set.</li>
 * <li><b>Before a commit collects the updates of a unit, a term of a later epoch has begun at all
 * holders of the unit's log</b>, even if the unit was never written: a client with an older ticket
 * might still write. From then on no update of an earlier epoch is acknowledged. So the commit
 * collects all of its updates, and all holders have them.</li>
 * <li><b>What is published has exactly what was collected.</b> The node that patches a unit checks
 * that no number is missing, and that no update writes outside of the ranges for which the parities
 * are changed. A unit that no DataNode has is repaired first. If anything contradicts, nothing is
 * published.</li>
 * <li><b>The version says which commit it has</b>, by the tag of its inode. The NameNode writes the
 * tag and gives the version its path within one hold of the namesystem's lock. The tag is compared
 * with the one that was there when the commit began.</li>
 * <li><b>Logs drop updates only after the version that has them is on the NameNode's disk.</b> A
 * crash before that leaves the old version and all logs; a crash after it leaves updates in logs
 * that the tag covers. These do no harm: they are a suffix of the history without gaps, so that the
 * last of them to write a byte wrote what the version has, or what was written after it. The next
 * commit drops them.</li>
 * <li><b>A view is of a version.</b> A ticket names the commit of the version to which its block
 * belongs. A leader that has dropped updates of later commits refuses a view with this ticket: the
 * caller reads a version that does not have them. The NameNode gives a ticket for a block group
 * only while the file has this group, so that the caller finds out that it has to open the new
 * version. A reader takes the bytes of one group and the view of the same group.</li>
 * </ol>
 *
 * <p>A commit that fails does not give its epoch back: the next one takes its updates and all later
 * ones.
 */
@InterfaceAudience.Private
package org.hdfsppr.namenode.commit;

import org.apache.hadoop.classification.InterfaceAudience;
