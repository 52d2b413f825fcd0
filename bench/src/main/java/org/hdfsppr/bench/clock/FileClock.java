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
package org.hdfsppr.bench.clock;

import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.LongAdder;

import javax.management.JMException;
import javax.management.ObjectName;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The time that a DataNode spends in reads of its replicas' files, as an MBean. The values are
 * those of the moment, and not of an earlier snapshot as in Hadoop's metrics. Thread-safe.
 */
@InterfaceAudience.Private
public final class FileClock implements FileTimes {
  /** The name of the MBean. */
  public static final String BEAN = "org.hdfsppr.bench:name=FileReads";
  /** The attribute with the time, nanoseconds. */
  public static final String NANOS = "Nanos";

  private final LongAdder nanos = new LongAdder();
  private final LongAdder reads = new LongAdder();

  /**
   * Makes the clock of this process.
   *
   * @return the clock, whose times the MBean shows
   */
  public static FileClock ofProcess() {
    FileClock clock = new FileClock();
    try {
      ManagementFactory.getPlatformMBeanServer().registerMBean(clock, new ObjectName(BEAN));
    } catch (JMException e) {
      throw new IllegalStateException(BEAN + " cannot be registered", e);
    }
    return clock;
  }

  /**
   * Adds a read that has just ended.
   *
   * @param startNanos {@link System#nanoTime} when the read began
   */
  void readSince(long startNanos) {
    nanos.add(System.nanoTime() - startNanos);
    reads.increment();
  }

  @Override
  public long getNanos() {
    return nanos.sum();
  }

  @Override
  public long getReads() {
    return reads.sum();
  }
}
