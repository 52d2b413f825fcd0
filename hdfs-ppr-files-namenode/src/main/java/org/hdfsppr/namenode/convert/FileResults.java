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
package org.hdfsppr.namenode.convert;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.hdfsppr.namenode.version.RefusalReason;
import org.hdfsppr.namenode.version.VersionBytes;
import org.hdfsppr.namenode.version.VersionEnd;
import org.hdfsppr.namenode.version.VersionOutcome;
import org.hdfsppr.namenode.version.VersionRefusal;
import org.hdfsppr.operate.ConversionCounts;
import org.hdfsppr.operate.ConversionCounts.Number;
import org.hdfsppr.operate.ConversionFailure;

/** Makes the result of a file from what has happened to it. Stateless. */
final class FileResults {
  /**
   * Reasons that do not depend on the file but on the NameNode, and that pass: the file is tried
   * again later.
   */
  private static final Set<RefusalReason> LATER =
      EnumSet.of(RefusalReason.SAFE_MODE, RefusalReason.NOT_IN_CHARGE, RefusalReason.FULL);

  private FileResults() {
  }

  /**
   * Makes the result of a file from the outcome of its version.
   *
   * @return the result; empty if the file has to be tried again later
   */
  static Optional<FileResult> of(String path, long bytes, VersionOutcome outcome) {
    VersionEnd end = outcome.end;
    if (end == VersionEnd.STOPPED
        || end == VersionEnd.REFUSED && LATER.contains(outcome.reason)) {
      return Optional.empty();
    }
    if (end == VersionEnd.REFUSED) {
      return Optional.of(refused(path, bytes, outcome.reason, outcome.sentence));
    }
    ConversionCounts counts = cost(outcome.bytes);
    if (end == VersionEnd.PUBLISHED) {
      return Optional.of(new FileResult(counts.plus(Number.CONVERTED, 1)
          .plus(Number.BYTES_CONVERTED, bytes).plus(Number.BYTES_PASSED, bytes), null));
    }
    if (end == VersionEnd.CANCELLED) {
      // The file is unchanged, and is not counted in any class of results.
      return Optional.of(new FileResult(counts, null));
    }
    Number number = end == VersionEnd.CHANGED ? Number.CHANGED : Number.FAILED;
    return Optional.of(new FileResult(
        counts.plus(number, 1).plus(Number.BYTES_PASSED, bytes), new ConversionFailure(path,
        end.name().toLowerCase(Locale.ROOT), "", outcome.sentence)));
  }

  private static ConversionCounts cost(VersionBytes bytes) {
    return ConversionCounts.NONE
        .plus(Number.GROUPS, bytes.groups)
        .plus(Number.BYTES_LINKED, bytes.linked)
        .plus(Number.BYTES_COPIED, bytes.copied)
        .plus(Number.BYTES_MADE, bytes.made)
        .plus(Number.BYTES_MOVED, bytes.moved);
  }

  static FileResult refused(String path, long bytes, VersionRefusal refusal) {
    return refused(path, bytes, refusal.reason, refusal.sentence);
  }

  static FileResult refused(String path, long bytes, RefusalReason reason, String sentence) {
    if (reason == RefusalReason.SAME_POLICY) {
      return already(bytes);
    }
    String word = reason.name().toLowerCase(Locale.ROOT);
    // Replicated files are only counted: a directory may have many, and users need do nothing about
    // them.
    return new FileResult(ConversionCounts.NONE.plusRefused(word, 1)
        .plus(Number.BYTES_PASSED, bytes), reason == RefusalReason.REPLICATED ? null
            : new ConversionFailure(path, "refused", word, sentence));
  }

  static FileResult already(long bytes) {
    return new FileResult(ConversionCounts.NONE.plus(Number.ALREADY, 1)
        .plus(Number.BYTES_PASSED, bytes), null);
  }

  /** Returns the result of a file that was moved or deleted after its directory was listed. */
  static FileResult gone(String path) {
    return new FileResult(ConversionCounts.NONE.plus(Number.CHANGED, 1),
        new ConversionFailure(path, "changed", "", "it was moved or deleted meanwhile"));
  }

  /** Returns the result of a file that could not be looked at. */
  static FileResult failed(String path, String sentence) {
    return new FileResult(ConversionCounts.NONE.plus(Number.FAILED, 1),
        new ConversionFailure(path, "failed", "", sentence));
  }

  /** Returns the result of a dry run for a file that would be converted. */
  static FileResult wouldBe(long bytes, VersionBytes price, ConversionCounts worth) {
    return new FileResult(cost(price).plus(Number.CONVERTED, 1).plus(Number.BYTES_CONVERTED, bytes)
        .plus(Number.BYTES_PASSED, bytes).plus(worth), null);
  }

  /**
   * Returns the result of a directory that could not be listed, or whose policy could not be
   * changed.
   */
  static FileResult directoryRefused(String path, String reason, String sentence) {
    return new FileResult(ConversionCounts.NONE.plusRefused(reason, 1),
        new ConversionFailure(path, "refused", reason, sentence));
  }

  static FileResult directory() {
    return new FileResult(ConversionCounts.NONE.plus(Number.DIRECTORIES, 1), null);
  }
}
