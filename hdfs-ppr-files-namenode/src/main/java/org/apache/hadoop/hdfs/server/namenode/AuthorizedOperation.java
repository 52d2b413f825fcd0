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
package org.apache.hadoop.hdfs.server.namenode;

import org.hdfsppr.loader.HadoopMembers;

/**
 * The operations of HDFS for which this package checks permissions. An external authorizer hears
 * the operation of a check, which Hadoop keeps for the thread, and judges and audits by it. Without
 * a name of our own it would hear which operation the thread has checked last.
 */
enum AuthorizedOperation {
  /** The caller gets tokens to read, or learns what is there. */
  OPEN("open"),
  /** The caller writes into a file, or wants it committed. */
  APPEND("append"),
  /** The caller learns that a directory is there, whose entries it may list. */
  LIST_STATUS("listStatus"),
  /** Another file takes the place of one. */
  RENAME("rename"),
  /** The caller changes an attribute of a directory. */
  SET_XATTR("setXAttr");

  private final String name;

  AuthorizedOperation(String name) {
    this.name = name;
  }

  /** Names the members that {@link #begin} needs. */
  static void require(HadoopMembers hadoop) {
    hadoop.method("FSPermissionChecker", "setOperationType", void.class, String.class);
  }

  /** Says that the checks of this thread are for this operation from now on. */
  void begin() {
    FSPermissionChecker.setOperationType(name);
  }
}
