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
package org.hdfsppr.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

/** The lines that others can cause, and their number. */
class TestPeerLog {
  private final AtomicLong clock = new AtomicLong(-7);
  private final List<String> lines = new ArrayList<>();
  private final List<Throwable> thrown = new ArrayList<>();
  private boolean isDebugged = true;
  private final PeerLog log = new PeerLog((Logger) Proxy.newProxyInstance(
      Logger.class.getClassLoader(), new Class<?>[] {Logger.class}, (proxy, method, arguments) -> {
        if (arguments == null) {
          return isDebugged;
        }
        lines.add(method.getName() + " " + arguments[0]);
        thrown.add((Throwable) arguments[1]);
        return null;
      }), clock::get);

  @Test
  void oneLineOfACauseAndMinute() {
    log.warn("token", "{} has no token", "10.0.0.1");
    log.warn("token", "{} has no token", "10.0.0.2");
    log.warn("token", "{} has no token", "10.0.0.3");
    log.info("gone", "{} went away", "10.0.0.4");
    clock.addAndGet(PeerLog.EVERY_NANOS - 1);
    log.warn("token", "{} has no token", "10.0.0.5");
    clock.addAndGet(1);
    log.warn("token", "{} has no token", "10.0.0.6");
    log.error("gone", "{} went away", "10.0.0.7");
    assertEquals(List.of("warn 10.0.0.1 has no token", "debug 10.0.0.2 has no token",
        "debug 10.0.0.3 has no token", "info 10.0.0.4 went away", "debug 10.0.0.5 has no token",
        "warn 10.0.0.6 has no token (3 more like it since the last such line)",
        "error 10.0.0.7 went away"), lines);
  }

  @Test
  void onlyADebuggerGetsTheOtherLines() {
    isDebugged = false;
    log.warn("token", "{} has no token", "10.0.0.1");
    log.warn("token", "{} has no token", "10.0.0.2");
    assertEquals(List.of("warn 10.0.0.1 has no token"), lines);
  }

  /** What follows a line break in the name of a file would look like a line of its own. */
  @Test
  void aLineHasNoBreaks() {
    IOException cause = new IOException("no /d/a\nb");
    cause.addSuppressed(new IOException("nor /d/c\r\nd"));
    IOException e = new IOException("why", cause);
    cause.initCause(e);
    log.warn("file", "{} is lost", "/d/a\nb", e);
    log.warn("file", "{} is lost", "/d/a\nb", e);
    assertEquals(List.of("warn /d/a b is lost", "debug /d/a b is lost"), lines);
    for (Throwable one : thrown) {
      StringWriter trace = new StringWriter();
      one.printStackTrace(new PrintWriter(trace, true));
      assertEquals(List.of("java.io.IOException: why", "Caused by: java.io.IOException: no /d/a b",
          "\tSuppressed: java.io.IOException: nor /d/c  d"), trace.toString().lines()
          .filter(line -> line.contains("java.io.IOException")).collect(Collectors.toList()));
      assertTrue(trace.toString().lines().allMatch(line -> line.startsWith("\t")
          || line.contains("java.io.IOException")), trace.toString());
      assertArrayEquals(e.getStackTrace(), one.getStackTrace());
    }
  }

  /** Texts of others stay texts, even if they look like a format. */
  @Test
  void argumentsAreNoFormats() {
    log.warn("odd", "{} and {}", "{}", "\\{}");
    assertEquals(List.of("warn {} and \\{}"), lines);
  }

  @Test
  void exceptionsKeepTheirTraces() {
    IOException e = new IOException("a test");
    log.warn("broken", "{} broke", "it", e);
    assertEquals(List.of("warn it broke"), lines);
    assertSame(e, thrown.get(0));
  }

  /** With any number of causes, memory and lines are bounded. */
  @Test
  void causesAreBounded() {
    for (int i = 0; i < 10_000; i++) {
      log.info("cause " + i, "line {}", i);
    }
    assertEquals(PeerLog.CAUSES_MOST + 1, log.causes());
    assertEquals(PeerLog.CAUSES_MOST + 1,
        lines.stream().filter(line -> line.startsWith("info")).count());
    clock.addAndGet(PeerLog.EVERY_NANOS);
    lines.clear();
    log.info("cause 10000", "line {}", 10_000);
    assertEquals(List.of("info line 10000"), lines, "there is room again");
    assertEquals(1, log.causes());
    log.info("cause 0", "line {}", 0);
    assertTrue(lines.contains("info line 0"), lines.toString());
  }
}
