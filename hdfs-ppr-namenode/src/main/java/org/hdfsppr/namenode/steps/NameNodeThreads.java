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
package org.hdfsppr.namenode.steps;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.PrivilegedAction;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Makes daemon threads that work as the NameNode's own user, also if a call of another user has had
 * them made. A thread inherits the user and the caller context of the thread that makes it. The
 * NameNode would then check the rights of that user where the plugin writes below {@code
 * /.hdfs-ppr}, and would name that caller in the audit lines of all later work. Thread-safe.
 */
@InterfaceAudience.Private
public final class NameNodeThreads implements ThreadFactory {
  private final String name;
  private final AtomicInteger made = new AtomicInteger();

  /** @param name what the names of the threads begin with, before a number */
  public NameNodeThreads(String name) {
    this.name = name;
  }

  @Override
  public Thread newThread(Runnable task) {
    Thread thread = new Thread(() -> run(task), name + made.incrementAndGet());
    thread.setDaemon(true);
    return thread;
  }

  private static void run(Runnable task) {
    CallerContext.setCurrent(null);
    try {
      UserGroupInformation.getLoginUser().doAs((PrivilegedAction<Void>) () -> {
        task.run();
        return null;
      });
    } catch (IOException e) {
      // The NameNode has logged in long before.
      throw new UncheckedIOException(e);
    }
  }
}
