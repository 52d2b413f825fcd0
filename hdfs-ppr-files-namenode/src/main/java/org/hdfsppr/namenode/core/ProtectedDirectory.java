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
package org.hdfsppr.namenode.core;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Objects;
import org.hdfsppr.namenode.core.look.CoreNamespace;
import org.hdfsppr.namenode.record.BadRecordException;
import org.hdfsppr.namenode.version.SealedText;
import org.hdfsppr.operate.CoreDirectory;

/**
 * A protected directory. Immutable. The directory's extended attribute has, within a {@link
 * SealedText}, a JSON object:
 *
 * <pre>
 * {"files":5, "recursive":true, "user":"alice"}
 * </pre>
 */
final class ProtectedDirectory {
  private static final String KIND = "core";
  private static final int FORMAT = 1;
  private static final ObjectMapper JSON = new ObjectMapper();

  final long inodeId;
  final String path;
  final int files;
  final boolean recursive;
  final String user;
  /** The sentence for users if the attribute cannot be read; empty if it can. */
  final String trouble;

  /**
   * @param inodeId inode id of the directory
   * @param path its path at the last look
   * @param files how many files form a group, if their policy does not say it
   * @param recursive whether the files in all directories below it are protected, too
   * @param user short name of the user that protected it last
   */
  ProtectedDirectory(long inodeId, String path, int files, boolean recursive, String user) {
    this(inodeId, path, files, recursive, user, "");
  }

  private ProtectedDirectory(long inodeId, String path, int files, boolean recursive, String user,
      String trouble) {
    this.inodeId = inodeId;
    this.path = Objects.requireNonNull(path, "path");
    this.files = files;
    this.recursive = recursive;
    this.user = Objects.requireNonNull(user, "user");
    this.trouble = Objects.requireNonNull(trouble, "trouble");
    if (files < CoreDirectory.FILES_MIN || files > CoreDirectory.FILES_MAX) {
      throw new IllegalArgumentException("A CORE group has " + CoreDirectory.FILES_MIN + " to "
          + CoreDirectory.FILES_MAX + " files, not " + files);
    }
  }

  /**
   * Returns a directory whose attribute cannot be read, so that it is unknown which files it
   * protects.
   *
   * @param files how many files form a group, if a user protects the directory again without a
   *     number
   * @param why the reason why the attribute cannot be read
   */
  static ProtectedDirectory unreadable(long inodeId, String path, int files, String why) {
    return new ProtectedDirectory(inodeId, path, files, false, "", "its attribute trusted."
        + CoreNamespace.XATTR + " cannot be read (" + why + "); its groups stay as they are, and no"
        + " new ones are formed. Upgrade this NameNode's hdfs-ppr, or protect the directory again,"
        + " with -t");
  }

  /**
   * Returns whether the attribute could be read; if not, it is unknown which files are protected.
   */
  boolean isReadable() {
    return trouble.isEmpty();
  }

  /**
   * Returns whether the directory's attribute still says what was read of it last. Another NameNode
   * may have been active meanwhile, and what a user may do depends on it. True if there is nothing
   * to compare: the attribute is gone, or could not be read the last time.
   *
   * @param attribute the present value of the attribute; null if there is none
   */
  boolean isStill(byte[] attribute) {
    if (!isReadable() || attribute == null) {
      return true;
    }
    try {
      ProtectedDirectory now = parse(inodeId, path, attribute);
      return files == now.files && recursive == now.recursive && user.equals(now.user);
    } catch (BadRecordException e) {
      return false;
    }
  }

  byte[] toBytes() {
    ObjectNode object = JSON.createObjectNode();
    object.put("files", files);
    object.put("recursive", recursive);
    object.put("user", user);
    try {
      return SealedText.seal(KIND, FORMAT, JSON.writeValueAsString(object));
    } catch (IOException e) {
      throw new IllegalStateException("The record of a protected directory cannot be written", e);
    }
  }

  /**
   * @throws BadRecordException if a newer hdfs-ppr has written the attribute, or if it is damaged
   */
  static ProtectedDirectory parse(long inodeId, String path, byte[] attribute)
      throws BadRecordException {
    String text = SealedText.open(KIND, FORMAT, FORMAT, attribute);
    try {
      JsonNode object = JSON.readTree(text);
      if (!object.path("files").isInt() || !object.path("recursive").isBoolean()
          || !object.path("user").isTextual()) {
        throw new IOException("a field is missing");
      }
      return new ProtectedDirectory(inodeId, path, object.get("files").intValue(),
          object.get("recursive").booleanValue(), object.get("user").textValue());
    } catch (IOException | IllegalArgumentException e) {
      throw new BadRecordException(BadRecordException.Why.CORRUPT, e.toString());
    }
  }
}
