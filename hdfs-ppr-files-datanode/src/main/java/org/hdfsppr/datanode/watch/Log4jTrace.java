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
 * An appender at the logger of stock's client trace. Stock writes a line for each read at the level
 * DEBUG, which operators rarely want in their logs.
 *
 * <pre>
 *   DEBUG is on already      the appender is added beside the operator's; nothing else changes
 *   DEBUG is off             the appender is added, the level becomes DEBUG, and lines go no
 *                            further up; the appender hands on those that went there before
 *   DEBUG is off, and the    refused: such an appender would get lines that it did not get before
 *   logger has appenders
 * </pre>
 *
 * <p>The level is an object of its own, so that a level that an operator sets meanwhile can be told
 * from it. Needs log4j 1 or reload4j; loading this class fails without. Thread-safe; one thread at
 * a time calls {@link #attach} and {@link #detach}.
 */
final class Log4jTrace extends AppenderSkeleton {
  /** How many loggers of facades may be around the one of the backend. */
  private static final int FACADES_MAX = 3;
  private static final String PROBE = "hdfs-ppr looks whether it sees the client trace";

  private final Logger logger = Logger.getLogger(OldReadsAccess.traceLoggerName());
  private final Level ownLevel = new OwnLevel();
  private final Consumer<String> lines;
  /** Whether lines reach the operator's appenders only by this one. */
  private volatile boolean isBetween;
  /** What the operator has set; the level may be null. */
  private volatile Level operatorsLevel;
  private boolean operatorsAdditivity;
  private volatile boolean hasSeenProbe;

  /** Stock's name for the level is DEBUG, too. */
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

  /** Returns why no appender can be attached, as part of a sentence; empty if one can. */
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

  /** Returns the logger of log4j that a logger of a facade writes to; null if there is none. */
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

  /** Returns the appenders of this logger that are not of this class. */
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

  /** Attaches this appender; returns why it cannot be, or empty. */
  Optional<String> attach() {
    // A line that is written holds the lock of its logger.
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
          // A bridge to another backend has these classes as well.
          detach();
          return Optional.of("the backend of its logs is not log4j 1 or reload4j");
        }
      }
      return Optional.empty();
    }
  }

  /** Returns whether all is as {@link #attach} has left it. */
  boolean isIntact() {
    synchronized (logger) {
      if (!logger.isAttached(this) || !isDebugOn()) {
        return false;
      }
      return !isBetween
          || logger.getLevel() == ownLevel && !logger.getAdditivity() && appenders().isEmpty();
    }
  }

  /** Puts back what the operator has set, unless he has set something else meanwhile. */
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

  /** Does without the lock of all appenders' {@code doAppend}: the logger has one already. */
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

  /** Does nothing: a reconfiguration closes appenders that others may still use. */
  @Override
  public void close() {
    // There is nothing to close.
  }

  @Override
  public boolean requiresLayout() {
    return false;
  }
}
