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
package org.hdfsppr.operate;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.operate.proto.ClientProtos.SubmitConversionRequestProto;
import org.hdfsppr.wire.MalformedRequestException;

/** A user's request to begin a conversion job. Immutable. */
@InterfaceAudience.Private
public final class ConversionRequest {
  /** How many paths a job has at most. The path of a directory stands for all files below it. */
  public static final int PATHS_MAX = 64;
  /**
   * How many bytes all paths of a job have together at most. The NameNode stores them in an
   * extended attribute, whose size is limited.
   */
  public static final int PATH_BYTES_MAX = 4 << 10;
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,63}");

  /** The id */
  public final String id;
  /** The policy that the files get, and how the job works */
  public final ConversionOptions options;
  /** Absolute paths of files and directories */
  public final List<String> paths;

  /**
   * @param id the id, chosen by the caller: 1 to 64 letters, digits, - and _
   * @param options the policy that the files get, and how the job works
   * @param paths absolute paths of files and directories
   * @throws IllegalArgumentException if the id is not valid, or the paths are none, too many or too
   *     long; the message is a sentence for people
   */
  public ConversionRequest(String id, ConversionOptions options, List<String> paths) {
    this.id = checkedId(id);
    this.options = Objects.requireNonNull(options, "options");
    this.paths = List.copyOf(paths);
    if (paths.isEmpty() || paths.size() > PATHS_MAX) {
      throw new IllegalArgumentException("A job has 1 to " + PATHS_MAX + " paths, not "
          + paths.size() + "; name their directory, or submit several jobs");
    }
    long bytes = paths.stream().mapToLong(p -> p.getBytes(StandardCharsets.UTF_8).length).sum();
    if (bytes > PATH_BYTES_MAX) {
      throw new IllegalArgumentException("The paths of a job have at most " + PATH_BYTES_MAX
          + " bytes, not " + bytes + "; name their directory, or submit several jobs");
    }
  }

  /**
   * Parses a message that this node has received.
   *
   * @throws MalformedRequestException whose message names the wrong field
   */
  static ConversionRequest parse(SubmitConversionRequestProto proto)
      throws MalformedRequestException {
    try {
      if (proto.getPathsCount() > PATHS_MAX) {
        throw new IllegalArgumentException(proto.getPathsCount() + " paths, at most "
            + PATHS_MAX + " are allowed");
      }
      for (String path : proto.getPathsList()) {
        if (!path.startsWith("/")) {
          throw new IllegalArgumentException("a path is not absolute");
        }
        if (path.indexOf('\0') >= 0) {
          throw new IllegalArgumentException("a path has a character that no name in HDFS has");
        }
      }
      ConversionOptions options = ConversionOptions.parse(proto.getOptions());
      return new ConversionRequest(proto.getJobId(), options, proto.getPathsList());
    } catch (IllegalArgumentException e) {
      throw new MalformedRequestException("The job is refused: " + e.getMessage(), e);
    }
  }

  SubmitConversionRequestProto toProto() {
    return SubmitConversionRequestProto.newBuilder().setJobId(id).setOptions(options.toProto())
        .addAllPaths(paths).build();
  }

  /**
   * Checks the id of a job. The NameNode makes a directory with this name.
   *
   * @param id the id
   * @return the same id
   * @throws IllegalArgumentException if the id has other characters or another length, or begins
   *     with - or _
   */
  public static String checkedId(String id) {
    if (!ID.matcher(id).matches()) {
      throw new IllegalArgumentException("The id of a job has 1 to 64 letters, digits, - and _,"
          + " and begins with a letter or a digit");
    }
    return id;
  }

  @Override
  public String toString() {
    return id + ": " + options + ", " + paths.size() + " paths";
  }
}
