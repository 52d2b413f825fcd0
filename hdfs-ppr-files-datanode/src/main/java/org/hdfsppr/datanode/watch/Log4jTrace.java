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

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.hdfs.server.datanode.OldReadsAccess;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Category;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;

/**
 * A log4j appender at the logger of stock's client trace. Stock logs each read at the level DEBUG,
 * which operators rarely switch on. This class switches it on such that the operator's logs do not
 * change:
 *
 * <pre>
 *   DEBUG is on already      the appender is added beside the operator's; nothing else changes
 *   DEBUG is off             the appender is added, the level becomes DEBUG, and lines go no
 *                            further up; the appender hands on those that went there before
 *   DEBUG is off, and the    refused: such an appender would get lines that it did not get before
 *   logger has appenders
 * </pre>
 *
 * <p>This class sets a level object of its own, so that it can see whether an operator has set
 * another level meanwhile. It needs log4j 1 or reload4j; without them, the class cannot be loaded.
 * Thread-safe; one thread at a time calls {@link #attach} and {@link #detach}.
 */
final class Log4jTrace extends AppenderSkeleton {
  /** How many wrappers, such as a logger of slf4j, may be around the logger of log4j. */
  private static final int FACADES_MAX = 3;
  private static final String PROBE = "hdfs-ppr looks whether it sees the client trace";

  private final Logger logger = Logger.getLogger(OldReadsAccess.traceLoggerName());
  private final Level ownLevel = new OwnLevel();
  private final Consumer<String> lines;
  /**
   * Whether DEBUG was off, so that only this appender hands lines on to the operator's appenders.
   */
  private volatile boolean isBetween;
  /** The level that the operator has set at the logger; null if none is set there. */
  private volatile Level operatorsLevel;
  private boolean operatorsAdditivity;
  private volatile boolean hasSeenProbe;

  /** The level DEBUG as another object, but with the same name in the logs. */
  private static final class OwnLevel extends Level {
    private static final long serialVersionUID = 1L;

    OwnLevel() {
      super(Level.DEBUG_INT, "DEBUG", Level.DEBUG.getSyslogEquivalent());
    }
  }

  /** @param lines takes the lines of the trace, on the threads that write them */
  Log4jTrace(Consumer<String> lines) {
    this.lines = lines;
    setName("hdfs-ppr-old-reads");
  }

  /**
   * Returns why no appender can be attached, as a text that can follow "because"; empty if one can.
   */
  static Optional<String> whyNot() {
    return new Log4jTrace(line -> { }).refusal();
  }

  private Optional<String> refusal() {
    Object stock = OldReadsAccess.traceLogger().orElse(null);
    if (backend(stock) != logger) {
      return Optional.of("the backend of its logs is not log4j 1 or reload4j");
    }
    if (logger.getLoggerRepository().isDisabled(Level.DEBUG_INT)) {
      return Optional.of("log4j's threshold is above DEBUG");
    }
    return isDebugOn() || appenders().isEmpty() ? Optional.empty()
        : Optional.of("the logger " + logger.getName() + " has appenders of its own and a level"
            + " above DEBUG");
  }

  /**
   * Returns the logger of log4j to which another logger passes its lines; null if there is none.
   */
  private static Logger backend(Object facade) {
    Object inner = facade;
    for (int i = 0; i < FACADES_MAX && inner != null && !(inner instanceof Logger); i++) {
      inner = inner(inner);
    }
    return inner instanceof Logger ? (Logger) inner : null;
  }

  private static Object inner(Object facade) {
    for (Class<?> c = facade.getClass(); c != null; c = c.getSuperclass()) {
      try {
        Field field = c.getDeclaredField("logger");
        field.setAccessible(true);
        return field.get(facade);
      } catch (NoSuchFieldException e) {
        continue;
      } catch (IllegalAccessException | RuntimeException e) {
        return null;
      }
    }
    return null;
  }

  private boolean isDebugOn() {
    return logger.isDebugEnabled();
  }

  /** Returns the appenders of the logger that are not of this class. */
  private List<Object> appenders() {
    List<Object> others = new ArrayList<>();
    for (Enumeration<?> all = logger.getAllAppenders(); all.hasMoreElements();) {
      Object each = all.nextElement();
      if (!(each instanceof Log4jTrace)) {
        others.add(each);
      }
    }
    return others;
  }

  /** Attaches this appender. Returns why that is not possible; empty if it is attached. */
  Optional<String> attach() {
    // Threads that write a line hold the logger's monitor, so that none writes during these
    // changes.
    synchronized (logger) {
      Optional<String> refusal = refusal();
      if (refusal.isPresent()) {
        return refusal;
      }
      operatorsLevel = logger.getLevel();
      operatorsAdditivity = logger.getAdditivity();
      isBetween = !isDebugOn();
      logger.addAppender(this);
      if (isBetween) {
        logger.setAdditivity(false);
        logger.setLevel(ownLevel);
        logger.debug(PROBE);
        if (!hasSeenProbe) {
          // The test line did not come. The classes of log4j may be those of a bridge, which passes
          // lines to another backend.
          detach();
          return Optional.of("the backend of its logs is not log4j 1 or reload4j");
        }
      }
      return Optional.empty();
    }
  }

  /** Returns whether nothing has changed at the logger since {@link #attach}. */
  boolean isIntact() {
    synchronized (logger) {
      if (!logger.isAttached(this) || !isDebugOn()) {
        return false;
      }
      return !isBetween
          || logger.getLevel() == ownLevel && !logger.getAdditivity() && appenders().isEmpty();
    }
  }

  /**
   * Detaches this appender, and restores what the operator had set, unless the operator has set
   * something else meanwhile.
   */
  void detach() {
    synchronized (logger) {
      logger.removeAppender(this);
      if (isBetween && logger.getLevel() == ownLevel) {
        logger.setLevel(operatorsLevel);
      }
      if (isBetween && !logger.getAdditivity()) {
        logger.setAdditivity(operatorsAdditivity);
      }
    }
  }

  /**
   * Log4j's own {@code doAppend} locks the appender. That is not needed here, because the caller
   * holds the logger's monitor.
   */
  @Override
  public void doAppend(LoggingEvent event) {
    append(event);
  }

  @Override
  protected void append(LoggingEvent event) {
    String line = String.valueOf(event.getMessage());
    if (line.equals(PROBE)) {
      hasSeenProbe = true;
      return;
    }
    try {
      lines.accept(line);
    } finally {
      if (isBetween && operatorsAdditivity) {
        handOn(event);
      }
    }
  }

  private void handOn(LoggingEvent event) {
    Category parent = logger.getParent();
    Level set = operatorsLevel;
    if (parent != null
        && event.getLevel().isGreaterOrEqual(set == null ? parent.getEffectiveLevel() : set)) {
      parent.callAppenders(event);
    }
  }

  /**
   * Does nothing, because a new configuration of log4j closes this appender while DataNodes may
   * still listen.
   */
  @Override
  public void close() {
    // There is nothing to close.
  }

  @Override
  public boolean requiresLayout() {
    return false;
  }
}
