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
 * The operations of HDFS under whose names this package checks permissions. Hadoop stores the name
 * of the present operation for each thread. An external authorizer gets the name with each check,
 * and decides and audits by it. If this package set no name, the authorizer would get that of the
 * last operation that the thread has checked.
 */
enum AuthorizedOperation {
  /** The caller gets tokens to read a file, or learns that something exists. */
  OPEN("open"),
  /** The caller writes to a file, or asks for a commit of it. */
  APPEND("append"),
  /** The caller may list a directory, and learns that it exists. */
  LIST_STATUS("listStatus"),
  /** A file takes the path of another one. */
  RENAME("rename"),
  /** The caller changes an extended attribute of a directory. */
  SET_XATTR("setXAttr");

  private final String name;

  AuthorizedOperation(String name) {
    this.name = name;
  }

  /**
   * Names the members of Hadoop's classes that {@link #begin} needs, so that it is checked whether
   * they exist.
   */
  static void require(HadoopMembers hadoop) {
    hadoop.method("FSPermissionChecker", "setOperationType", void.class, String.class);
  }

  /** Sets this operation as the one for which this thread checks permissions from now on. */
  void begin() {
    FSPermissionChecker.setOperationType(name);
  }
}
