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

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.thirdparty.protobuf.Descriptors.FieldDescriptor;
import org.hdfsppr.operate.proto.ClientProtos.CoreDirectoryProto;
import org.hdfsppr.wire.MalformedRequestException;

/** A directory whose files are protected by CORE groups, and how far that is. Immutable. */
@InterfaceAudience.Private
public final class CoreDirectory {
  /** The fewest files of a group. */
  public static final int FILES_MIN = 2;
  /** The most files of a group: DataNodes make the XOR of at most 15 blocks. */
  public static final int FILES_MAX = 15;
  /** Stands for a time at which nothing has happened. */
  public static final long NEVER = 0;

  /** A number of a directory. The names are those of the message. */
  public enum Number {
    /** CORE groups whose parity file exists. */
    GROUPS,
    /** Files in these groups. */
    MEMBERS,
    /** Bytes of file data in them. */
    MEMBER_BYTES,
    /** Bytes of file data in the parity files. */
    PARITY_BYTES,
    /** Bytes that the parity files take on disks. */
    PARITY_SPACE_BYTES,
    /** Groups that are being made. */
    FORMING,
    /** Groups that wait for a place to be made. */
    QUEUED,
    /** Block groups of members that are not the recorded ones any more. */
    STALE,
    /** Columns that had two blocks on one DataNode when they were last looked at. */
    COLUMNS_TOGETHER;

    /** The field of the message that has it */
    public final FieldDescriptor field = CoreDirectoryProto.getDescriptor()
        .findFieldByName(name().toLowerCase(Locale.ROOT));
  }

  /** Absolute path */
  public final String path;
  /** How many files of a policy that does not say it form a group */
  public final int files;
  /** Whether the files of all directories below it are protected, too */
  public final boolean recursive;
  /** Short name of the user that has protected it last */
  public final String user;
  private final Map<Number, Long> numbers = new TreeMap<>();
  /** How many files are in no group, by reason */
  public final Map<String, Long> waiting;
  /** Why the last group that could not be made was not; empty if all could be */
  public final String failure;
  /** When all files were last looked at, ms since 1970 (UTC); {@link #NEVER} if not yet */
  public final long walkedMs;

  private CoreDirectory(CoreDirectoryProto proto) {
    path = proto.getPath();
    files = proto.getFilesPerGroup();
    recursive = proto.getRecursive();
    user = proto.getUser();
    for (Number number : Number.values()) {
      numbers.put(number, (long) proto.getField(number.field));
    }
    waiting = Collections.unmodifiableMap(
        new TreeMap<>(ReasonCounts.parse(proto.getWaitingList())));
    failure = proto.getFailure();
    walkedMs = proto.getWalkedMs();
    if (!path.startsWith("/") || files < FILES_MIN || files > FILES_MAX
        || numbers.values().stream().anyMatch(number -> number < 0)) {
      throw new IllegalArgumentException("No protected directory is " + path + " with " + files
          + " files a group and " + numbers);
    }
  }

  /**
   * Makes a directory that has no groups.
   *
   * @param path absolute path
   * @param files how many files of a policy that does not say it form a group
   * @param recursive whether the files of all directories below it are protected, too
   * @return the directory
   * @throws IllegalArgumentException if a part makes no sense
   */
  public static CoreDirectory of(String path, int files, boolean recursive) {
    return new CoreDirectory(CoreDirectoryProto.newBuilder().setPath(path)
        .setFilesPerGroup(files).setRecursive(recursive).build());
  }

  /**
   * Reads a message that this node receives.
   *
   * @throws MalformedRequestException naming what is wrong
   */
  static CoreDirectory parse(CoreDirectoryProto proto) throws MalformedRequestException {
    try {
      return new CoreDirectory(proto);
    } catch (IllegalArgumentException e) {
      throw new MalformedRequestException("The answer is refused: " + e.getMessage(), e);
    }
  }

  static List<CoreDirectory> parse(List<CoreDirectoryProto> protos)
      throws MalformedRequestException {
    List<CoreDirectory> directories = new ArrayList<>();
    for (CoreDirectoryProto proto : protos) {
      directories.add(parse(proto));
    }
    return directories;
  }

  CoreDirectoryProto toProto() {
    CoreDirectoryProto.Builder proto = CoreDirectoryProto.newBuilder().setPath(path)
        .setFilesPerGroup(files).setRecursive(recursive).setUser(user)
        .addAllWaiting(ReasonCounts.toProtos(waiting)).setFailure(failure).setWalkedMs(walkedMs);
    numbers.forEach((number, value) -> proto.setField(number.field, value));
    return proto.build();
  }

  /**
   * @param change changes fields of the message
   * @return the directory with other fields
   * @throws IllegalArgumentException if a part makes no sense
   */
  public CoreDirectory with(Consumer<CoreDirectoryProto.Builder> change) {
    CoreDirectoryProto.Builder proto = toProto().toBuilder();
    change.accept(proto);
    return new CoreDirectory(proto.build());
  }

  /**
   * @param which a number
   * @return its value
   */
  public long get(Number which) {
    return numbers.get(which);
  }
}
