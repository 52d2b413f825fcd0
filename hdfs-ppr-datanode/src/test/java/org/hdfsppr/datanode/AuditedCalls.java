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
package org.hdfsppr.datanode;

import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.hdfs.server.namenode.AuditLogger;

/** An audit log for all NameNodes of this JVM. It keeps the lines about calls of hdfs-ppr. */
public final class AuditedCalls implements AuditLogger {
  private static final List<String> LINES = new CopyOnWriteArrayList<>();

  /** Lets the NameNodes of a configuration write to this log, and empties it. */
  public static void start(Configuration conf) {
    LINES.clear();
    conf.set("dfs.namenode.audit.loggers", AuditedCalls.class.getName());
  }

  /** Returns a line for each call: whether it was allowed, the user, the command, and the path. */
  public static List<String> lines() {
    return List.copyOf(LINES);
  }

  public static void clear() {
    LINES.clear();
  }

  @Override
  public void initialize(Configuration conf) {
    // There is nothing to set.
  }

  @Override
  public void logAuditEvent(boolean succeeded, String userName, InetAddress addr, String cmd,
      String src, String dst, FileStatus stat) {
    if (cmd.startsWith("ppr")) {
      LINES.add(succeeded + " " + userName.split(" ")[0] + " " + cmd + " " + src);
    }
  }
}
