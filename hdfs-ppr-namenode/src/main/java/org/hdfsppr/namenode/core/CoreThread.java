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
package org.hdfsppr.namenode.core;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.Callable;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.util.Time;
import org.hdfsppr.namenode.convert.ConvertGate;
import org.hdfsppr.namenode.core.look.CoreNamespace;
import org.hdfsppr.namenode.core.look.PlaceView;
import org.hdfsppr.namenode.model.CoreTally;
import org.hdfsppr.namenode.steps.StepThread;
import org.hdfsppr.namenode.version.VersionEngine;
import org.hdfsppr.service.Services;

/** Runs the steps of CORE groups, and users' wishes between them, on a thread of its own. */
@InterfaceAudience.Private
public final class CoreThread implements Closeable {
  private final StepThread thread;
  /** The groups; other threads may only call {@code status} and {@code dissolved} */
  public final CoreKeeper keeper;

  private CoreThread(CoreSettings settings, ConvertGate gate, CoreFolder folder,
      CoreNamespace namespace, PlaceView places, VersionEngine engine, CoreGroups book,
      CoreTally tally, Services services) {
    thread = new StepThread("ppr-core", "CORE groups", services);
    keeper = new CoreKeeper(settings, gate, folder, namespace, places, engine, book, tally,
        Time::monotonicNow, Time::now, thread::wake);
  }

  /**
   * Starts the thread.
   *
   * @param settings the settings
   * @param gate says whether this NameNode is the active one
   * @param folder what is kept in the namespace
   * @param namespace looks at files
   * @param places where blocks are
   * @param engine makes parity files; not closed by this class
   * @param book answers for the groups
   * @param tally counts what becomes of groups
   * @param services shows whether the thread gets on
   * @return the running thread
   */
  public static CoreThread start(CoreSettings settings, ConvertGate gate, CoreFolder folder,
      CoreNamespace namespace, PlaceView places, VersionEngine engine, CoreGroups book,
      CoreTally tally, Services services) {
    CoreThread runner = new CoreThread(settings, gate, folder, namespace, places, engine, book,
        tally, services);
    runner.thread.start(runner.keeper::step);
    return runner;
  }

  /** Lets the thread do something, as {@link StepThread#call}. */
  <T> T call(Callable<T> what, long timeoutMs) throws IOException {
    return thread.call(what, timeoutMs);
  }

  @Override
  public void close() {
    thread.close();
  }
}
