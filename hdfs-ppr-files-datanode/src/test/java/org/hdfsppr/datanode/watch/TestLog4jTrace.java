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
package org.hdfsppr.datanode.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.apache.hadoop.hdfs.server.datanode.OldReadsAccess;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.PropertyConfigurator;
import org.apache.log4j.spi.LoggingEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that the trace is read, and that the operator's logs are as they were. */
class TestLog4jTrace {
  private static final Logger TRACE = Logger.getLogger(OldReadsAccess.traceLoggerName());
  private static final Logger PARENT = Logger.getLogger("org.apache.hadoop.hdfs.server.datanode");

  private final List<String> seen = Collections.synchronizedList(new ArrayList<>());
  private final Log4jTrace trace = new Log4jTrace(seen::add);
  private final Recorder above = new Recorder();

  /** An appender of an operator. */
  public static final class Recorder extends AppenderSkeleton {
    private final List<String> lines = Collections.synchronizedList(new ArrayList<>());

    @Override
    protected void append(LoggingEvent event) {
      lines.add(event.getLevel() + " " + event.getMessage());
    }

    @Override
    public void close() {
      closed = true;
    }

    @Override
    public boolean requiresLayout() {
      return false;
    }

    List<String> take() {
      List<String> taken = new ArrayList<>(lines);
      lines.clear();
      return taken;
    }
  }

  @BeforeEach
  void begin() {
    clear();
    PARENT.addAppender(above);
    PARENT.setLevel(Level.INFO);
  }

  @AfterEach
  void clear() {
    trace.detach();
    PARENT.removeAppender(above);
    PARENT.setLevel(null);
    TRACE.removeAllAppenders();
    TRACE.setLevel(null);
    TRACE.setAdditivity(true);
  }

  private List<String> takeSeen() {
    List<String> taken = new ArrayList<>(seen);
    seen.clear();
    return taken;
  }

  private static void write(String text) {
    TRACE.debug(text);
    TRACE.info(text);
  }

  private void assertAsBefore() {
    assertEquals(Optional.empty(), Optional.ofNullable(TRACE.getLevel()));
    assertTrue(TRACE.getAdditivity());
    assertFalse(TRACE.getAllAppenders().hasMoreElements());
  }

  @Test
  void theOperatorSeesWhatHeSawBefore() {
    assertEquals(Optional.empty(), Log4jTrace.whyNot());
    assertAsBefore();
    assertEquals(Optional.empty(), trace.attach());
    write("a");
    assertEquals(List.of("INFO a"), above.take());
    assertEquals(List.of("a", "a"), takeSeen());
    PARENT.setLevel(Level.WARN);
    write("b");
    assertEquals(List.of(), above.take());
    PARENT.setLevel(Level.DEBUG);
    write("c");
    assertEquals(List.of("DEBUG c", "INFO c"), above.take());
    assertEquals(4, takeSeen().size());
    assertTrue(trace.isIntact());
    trace.detach();
    assertAsBefore();
    PARENT.setLevel(Level.INFO);
    write("d");
    assertEquals(List.of("INFO d"), above.take());
    assertEquals(List.of(), takeSeen());
  }

  @Test
  void anOperatorWhoHasTheTraceKeepsIt() {
    Recorder own = new Recorder();
    TRACE.addAppender(own);
    TRACE.setLevel(Level.DEBUG);
    TRACE.setAdditivity(false);
    assertEquals(Optional.empty(), trace.attach());
    write("a");
    assertEquals(List.of("DEBUG a", "INFO a"), own.take());
    assertEquals(List.of(), above.take());
    assertEquals(2, takeSeen().size());
    TRACE.setLevel(Level.INFO);
    assertFalse(trace.isIntact(), "reads are not seen any more");
    trace.detach();
    assertEquals(Level.INFO, TRACE.getLevel());
    assertTrue(trace.attach().orElseThrow().contains("has appenders of its own"));
    write("b");
    assertEquals(List.of("INFO b"), own.take());
  }

  @Test
  void theOwnLevelAndSilenceOfAnOperatorStay() {
    TRACE.setLevel(Level.WARN);
    assertEquals(Optional.empty(), trace.attach());
    write("a");
    TRACE.warn("a");
    assertEquals(List.of("WARN a"), above.take());
    trace.detach();
    assertEquals(Level.WARN, TRACE.getLevel());
    TRACE.setAdditivity(false);
    assertEquals(Optional.empty(), trace.attach());
    TRACE.warn("b");
    assertEquals(List.of(), above.take());
    trace.detach();
    assertFalse(TRACE.getAdditivity());
  }

  /** As {@code hadoop daemonlog -setlevel} does. */
  @Test
  void aLevelThatIsSetMeanwhileIsNoticedAndStays() {
    assertEquals(Optional.empty(), trace.attach());
    for (Level level : new Level[] {Level.INFO, Level.DEBUG}) {
      TRACE.setLevel(level);
      assertFalse(trace.isIntact(), level.toString());
      trace.detach();
      assertEquals(level, TRACE.getLevel());
      assertEquals(Optional.empty(), trace.attach());
      write("a");
      assertEquals(level == Level.DEBUG ? List.of("DEBUG a", "INFO a") : List.of("INFO a"),
          above.take());
      assertTrue(trace.isIntact());
    }
  }

  @Test
  void aNewConfigurationIsNoticedAndStays() {
    assertEquals(Optional.empty(), trace.attach());
    Properties file = new Properties();
    file.setProperty("log4j.logger." + TRACE.getName(), "INFO,own");
    file.setProperty("log4j.appender.own", Recorder.class.getName());
    PropertyConfigurator.configure(file);
    assertFalse(trace.isIntact());
    trace.detach();
    assertEquals(Level.INFO, TRACE.getLevel());
    assertTrue(TRACE.getAdditivity());
    assertTrue(trace.attach().isPresent());
    Recorder own = (Recorder) TRACE.getAppender("own");
    write("a");
    assertEquals(List.of("INFO a"), own.take());
    assertEquals(List.of("INFO a"), above.take());
    assertEquals(List.of(), takeSeen());
  }

  @Test
  void aThresholdOrAnotherAppenderIsRespected() {
    TRACE.getLoggerRepository().setThreshold(Level.INFO);
    try {
      assertTrue(Log4jTrace.whyNot().orElseThrow().contains("threshold"));
      assertTrue(trace.attach().isPresent());
    } finally {
      TRACE.getLoggerRepository().setThreshold(Level.ALL);
    }
    assertAsBefore();
    assertEquals(Optional.empty(), trace.attach());
    Recorder own = new Recorder();
    TRACE.addAppender(own);
    assertFalse(trace.isIntact(), "it would get lines of DEBUG");
    trace.detach();
    TRACE.debug("a");
    assertEquals(List.of(), own.take());
  }

  /** Two DataNodes of a process share the trace, and each hears of its own reads. */
  @Test
  void dataNodesOfOneProcessHearOfTheirOwnReads() {
    List<String> first = new ArrayList<>();
    List<String> second = new ArrayList<>();
    ClientTrace one = new ClientTrace(() -> "uuid-1");
    ClientTrace two = new ClientTrace(() -> "uuid-2");
    assertEquals(Optional.empty(), one.whyNot());
    assertTrue(one.attach((pool, id) -> first.add(pool + " " + id)));
    assertTrue(two.attach((pool, id) -> second.add(pool + " " + id)));
    read("uuid-1");
    read("uuid-2");
    read("uuid-3");
    assertEquals(List.of("BP-1 16"), first);
    assertEquals(List.of("BP-1 16"), second);
    TRACE.setLevel(Level.INFO);
    assertFalse(one.isWhole());
    assertFalse(two.isWhole());
    assertTrue(one.attach((pool, id) -> first.add("again")));
    assertFalse(two.isWhole(), "it may have missed reads as well");
    assertTrue(two.attach((pool, id) -> second.add("again")));
    assertTrue(one.isWhole() && two.isWhole());
    one.detach();
    read("uuid-1");
    read("uuid-2");
    assertEquals(1, first.size());
    assertEquals(List.of("BP-1 16", "again"), second);
    two.detach();
    assertEquals(Level.INFO, TRACE.getLevel());
    assertFalse(TRACE.getAllAppenders().hasMoreElements());
  }

  private static void read(String server) {
    TRACE.debug("src: /127.0.0.1:1, dest: /127.0.0.1:2, bytes: 1, op: HDFS_READ, cliID: c,"
        + " offset: 0, srvID: " + server + ", blockid: BP-1:blk_16_1001, duration(ns): 5");
  }
}
