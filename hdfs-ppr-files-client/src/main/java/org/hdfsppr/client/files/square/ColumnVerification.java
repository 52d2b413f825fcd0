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
package org.hdfsppr.client.files.square;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.client.files.call.PluginColumns;
import org.hdfsppr.client.verify.GroupSpot;
import org.hdfsppr.client.verify.Sentences;
import org.hdfsppr.client.verify.VerifySession;
import org.hdfsppr.client.verify.VerifySession.ParallelVerifier;
import org.hdfsppr.column.SquareBlocks;

/** Checks the columns of the CORE groups to which given files belong. */
@InterfaceAudience.Private
public final class ColumnVerification {
  private ColumnVerification() {
  }

  /**
   * Checks all columns of these CORE groups. The caller needs the right to read all files of a
   * group.
   *
   * @param session reads with the rights of the caller
   * @param paths files and directories of the session's file system
   * @param atATime how many checks run at the same time at most, each of the block groups with one
   *     index in a CORE group
   * @param findings takes each finding; several threads call it, but only one at a time
   * @param problems takes a sentence about each directory that cannot be listed, and about each
   *     file whose groups cannot be asked for
   * @return the counts of all findings
   * @throws IOException if a path does not exist or cannot be listed, or the NameNode does not
   *     answer; the message is a sentence that can be shown to users
   */
  public static SquareTally check(VerifySession session, List<Path> paths, int atATime,
      Consumer<SquareFinding> findings, Consumer<String> problems) throws IOException {
    PluginColumns columns = new PluginColumns(session.conf, session.uri(),
        UserGroupInformation.getCurrentUser());
    SquareVerification check = new SquareVerification(session, columns::square);
    SquareTally found = new SquareTally();
    try (ParallelVerifier<SquareBlocks, SquareFinding> verifier =
        new ParallelVerifier<>(atATime, check::check, SquareFinding::failed, finding -> {
          found.add(finding);
          findings.accept(finding);
        })) {
      session.walk(paths, new SquareWalk(columns::square, verifier::submit, problems, found),
          problem -> {
            found.problem();
            problems.accept(problem);
          });
      verifier.finish();
    } catch (UncheckedIOException e) {
      throw new IOException("The NameNode's hdfs-ppr does not say which files share a CORE group: "
          + Sentences.of(e.getCause()), e.getCause());
    } catch (IOException e) {
      throw Sentences.isOfNetwork(e) ? new IOException(Sentences.of(e), e) : e;
    }
    return found;
  }

  /**
   * Takes the block groups of files from a walk over directories, and asks for the CORE group of
   * each. Block groups with the same index in a CORE group are checked together, and must not be
   * checked again when the walk comes to the next of these files. All files of a CORE group are in
   * one directory, so the walk reaches them soon after each other, and it is enough to remember the
   * last block groups. If one was forgotten, it is only checked a second time. Used by one thread.
   */
  private static final class SquareWalk implements Consumer<GroupSpot> {
    /** How many block groups are remembered at most, with some 60 bytes each. */
    private static final int REMEMBERED_MOST = 100_000;

    private final SquareVerification.Squares squares;
    private final Consumer<SquareBlocks> found;
    private final Consumer<String> problems;
    private final SquareTally tally;
    private final Set<Long> known = new LinkedHashSet<>();
    /**
     * The last file about which a problem was reported. If its other block groups have the same
     * problem, it is not reported again.
     */
    private String last = "";

    /**
     * @param found takes the block groups to check, those with one index in a CORE group at a time
     * @param problems takes a sentence about each file whose groups cannot be asked for
     */
    SquareWalk(SquareVerification.Squares squares, Consumer<SquareBlocks> found,
        Consumer<String> problems, SquareTally tally) {
      this.squares = squares;
      this.found = found;
      this.problems = problems;
      this.tally = tally;
    }

    /** @throws UncheckedIOException if no NameNode answers; the walk ends then */
    @Override
    public void accept(GroupSpot spot) {
      if (known.contains(spot.groupId)) {
        return;
      }
      Optional<SquareBlocks> square;
      try {
        square = squares.of(spot.groupId);
      } catch (AccessControlException e) {
        problem(spot, "the other files of its CORE group may not be read: " + Sentences.of(e));
        return;
      } catch (RetriableException e) {
        problem(spot, Sentences.of(e));
        return;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      if (square.isEmpty()) {
        tally.ungrouped();
        return;
      }
      if (square.get().rows.isEmpty()) {
        tally.changed();
        return;
      }
      square.get().rows.forEach(row -> remember(row.group.getBlock().getBlockId()));
      found.accept(square.get());
    }

    private void remember(long blockGroup) {
      known.add(blockGroup);
      Iterator<Long> oldest = known.iterator();
      while (known.size() > REMEMBERED_MOST) {
        oldest.next();
        oldest.remove();
      }
    }

    private void problem(GroupSpot spot, String sentence) {
      tally.problem();
      if (!spot.file.equals(last)) {
        last = spot.file;
        problems.accept(spot.file + ": " + sentence);
      }
    }
  }
}
