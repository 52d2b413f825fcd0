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

/**
 * A directory whose files are protected by CORE groups, with the state of these groups. Immutable.
 */
@InterfaceAudience.Private
public final class CoreDirectory {
  /** The fewest files of a group. */
  public static final int FILES_MIN = 2;
  /** How many files a group has at most: DataNodes make the XOR of at most 15 blocks. */
  public static final int FILES_MAX = 15;
  /** The value of a time at which the event has not happened yet. */
  public static final long NEVER = 0;

  /** What is counted for a directory. The names are those of the message's fields. */
  public enum Number {
    /** CORE groups whose parity file exists. */
    GROUPS,
    /** Files in these groups. */
    MEMBERS,
    /** Bytes of file data in the files of these groups. */
    MEMBER_BYTES,
    /** Bytes of file data in the parity files. */
    PARITY_BYTES,
    /** Bytes that the parity files take on disks. */
    PARITY_SPACE_BYTES,
    /** Groups that are being made. */
    FORMING,
    /** Groups that wait until the NameNode makes them, because it makes only a few at a time. */
    QUEUED,
    /**
     * Block groups of member files that have changed since the parity file was made, so that their
     * columns do not protect them.
     */
    STALE,
    /** Columns of which two or more blocks were on one DataNode when the NameNode last looked. */
    COLUMNS_TOGETHER;

    /** The field of the message that has this number; documents use its name, too */
    public final FieldDescriptor field = CoreDirectoryProto.getDescriptor()
        .findFieldByName(name().toLowerCase(Locale.ROOT));
  }

  /** Absolute path */
  public final String path;
  /**
   * How many files form a group, if the codec of their policy does not say it; codecs such as
   * core-t3 do
   */
  public final int files;
  /** Whether the files of all directories below this one are protected as well */
  public final boolean recursive;
  /** The short name of the user that protected the directory, or changed its options, last */
  public final String user;
  private final Map<Number, Long> numbers = new TreeMap<>();
  /** How many files are in no group, for each reason */
  public final Map<String, Long> waiting;
  /**
   * Why the NameNode failed to make a group, the last time that this happened; empty if it never
   * happened
   */
  public final String failure;
  /**
   * When the NameNode last looked at all files of the directory, ms since 1970 (UTC); {@link
   * #NEVER} if not yet
   */
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
   * @param files how many files form a group, if the codec of their policy does not say it; codecs
   *     such as core-t3 do
   * @param recursive whether the files of all directories below this one are protected as well
   * @return the directory
   * @throws IllegalArgumentException if the path is not absolute, {@code files} is out of its
   *     bounds, or a number is negative
   */
  public static CoreDirectory of(String path, int files, boolean recursive) {
    return new CoreDirectory(CoreDirectoryProto.newBuilder().setPath(path)
        .setFilesPerGroup(files).setRecursive(recursive).build());
  }

  /**
   * Parses a message that this node has received.
   *
   * @throws MalformedRequestException whose message says what is wrong
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
   * @return this directory with the changed fields
   * @throws IllegalArgumentException if the path is not absolute, {@code files} is out of its
   *     bounds, or a number is negative
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
