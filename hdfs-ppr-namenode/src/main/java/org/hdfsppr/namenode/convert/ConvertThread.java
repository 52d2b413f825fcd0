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
package org.hdfsppr.namenode.convert;

import java.io.Closeable;
import java.io.IOException;
import java.time.Clock;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.util.Daemon;
import org.apache.hadoop.util.Time;
import org.hdfsppr.namenode.schedule.CodeSource;
import org.hdfsppr.namenode.steps.StepThread;
import org.hdfsppr.namenode.version.VersionEngine;
import org.hdfsppr.operate.ConversionCounts;
import org.hdfsppr.service.Services;

/**
 * Runs the steps of conversions, and users' wishes between them, on a thread of its own. A step
 * that passes files that need no version has 256 looks; with its pauses, these are some thousands a
 * second, which a NameNode does not notice.
 */
@InterfaceAudience.Private
public final class ConvertThread implements Closeable {
  /** A count of a directory is started once for each job, so that few wait. */
  private static final int COUNTS_MAX = 1_000;

  private final StepThread thread;
  private final ExecutorService counting;
  /** All jobs; only their list may be read by other threads */
  public final Conversions conversions;

  private ConvertThread(ConvertSettings settings, ConvertGate gate, JobFolder folder,
      ConvertNamespace namespace, VersionEngine engine, CodeSource codes,
      Consumer<ConversionCounts> meter, Services services) {
    thread = new StepThread("ppr-converter", "conversions", services);
    counting = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(COUNTS_MAX), new Daemon.DaemonFactory());
    conversions = new Conversions(settings, gate, folder, namespace, engine, codes, meter,
        counting, Time::monotonicNow, Clock.systemUTC(), thread::wake);
  }

  /**
   * Starts the thread.
   *
   * @param settings the settings
   * @param gate says whether this NameNode is the active one
   * @param folder keeps the jobs
   * @param namespace the files
   * @param engine makes versions of files; not closed by this class
   * @param codes finds the codes of policies
   * @param meter takes the counts of each file of jobs that are no dry runs
   * @param services shows whether the thread gets on
   * @return the running thread
   */
  public static ConvertThread start(ConvertSettings settings, ConvertGate gate, JobFolder folder,
      ConvertNamespace namespace, VersionEngine engine, CodeSource codes,
      Consumer<ConversionCounts> meter, Services services) {
    ConvertThread runner =
        new ConvertThread(settings, gate, folder, namespace, engine, codes, meter, services);
    runner.thread.start(runner.conversions::step);
    return runner;
  }

  /** Lets the thread do something, as {@link StepThread#call}. */
  <T> T call(Callable<T> what, long timeoutMs) throws IOException {
    return thread.call(what, timeoutMs);
  }

  @Override
  public void close() {
    counting.shutdown();
    thread.close();
  }
}
