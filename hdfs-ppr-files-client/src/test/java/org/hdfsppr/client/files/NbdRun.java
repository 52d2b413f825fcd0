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
package org.hdfsppr.client.files;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Closeable;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.hdfsppr.client.PprTool;

/** The command {@code hdfs ppr -nbd}, which runs on a thread until it is closed. */
final class NbdRun implements Closeable {
  private static final Pattern URI = Pattern.compile(" is served at (\\S+)");
  private static final long END_MS = TimeUnit.SECONDS.toMillis(60);

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final Thread thread;
  private volatile int code = -1;

  NbdRun(Configuration conf, String... args) {
    String[] all = new String[args.length + 1];
    all[0] = "-nbd";
    System.arraycopy(args, 0, all, 1, args.length);
    thread = new Thread(() ->
        code = PprTool.run(() -> conf, new PrintWriter(out), new PrintWriter(err), all));
    thread.start();
  }

  /** Waits until the command listens; returns where. */
  String uri() throws InterruptedException {
    while (true) {
      Matcher found = URI.matcher(out.toString());
      if (found.find()) {
        return found.group(1);
      }
      assertTrue(thread.isAlive(), this::toString);
      Thread.sleep(1);
    }
  }

  int port() throws InterruptedException {
    String uri = uri();
    return Integer.parseInt(uri.substring(uri.lastIndexOf(':') + 1));
  }

  /** Waits until the command ends by itself; returns its exit code. */
  int code() throws InterruptedException {
    thread.join(END_MS);
    assertFalse(thread.isAlive(), this::toString);
    return code;
  }

  /** Ends the command in order; returns its exit code. */
  int end() throws InterruptedException {
    thread.interrupt();
    return code();
  }

  String out() {
    return out.toString();
  }

  String err() {
    return err.toString();
  }

  @Override
  public void close() {
    thread.interrupt();
  }

  @Override
  public String toString() {
    return out + " " + err;
  }
}
