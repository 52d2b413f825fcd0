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
package org.apache.hadoop.hdfs.server.datanode.erasurecode;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ThreadPoolExecutor;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.hdfsppr.datanode.takeover.TaskHandler;
import org.hdfsppr.loader.HadoopMembers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a {@link TaskHandler} take tasks from the DataNode's erasure coding worker. The NameNode
 * sends reconstructions to the worker. While this object is installed, the worker offers each of
 * them to the handler before stock runs it.
 *
 * <p>The worker is final, and this class reads and sets its private members by reflection. Hadoop
 * 3.3.6, 3.4.3 and 3.5.0 have these members. {@link #missing} lists the members that the running
 * Hadoop lacks. If any member is missing, this class takes nothing over, and stock works as it
 * would without this class.
 */
@InterfaceAudience.Private
public final class ErasureCodingWorkerAccess {
  private static final Logger LOG = LoggerFactory.getLogger(ErasureCodingWorkerAccess.class);

  private final ErasureCodingWorker worker;
  private final WorkerMembers members;
  private final InterceptingPool pool;

  private ErasureCodingWorkerAccess(ErasureCodingWorker worker, WorkerMembers members,
      InterceptingPool pool) {
    this.worker = worker;
    this.members = members;
    this.pool = pool;
  }

  /**
   * Compares the running Hadoop with the members that this class uses.
   *
   * @return the members that are missing or different; empty if a DataNode can be taken over
   */
  public static List<String> missing() {
    return WorkerMembers.ofThisHadoop().missing();
  }

  /**
   * From now on, {@code handler} gets an offer of each reconstruction that the worker of {@code dn}
   * receives. Tasks that are queued or running already stay with stock.
   *
   * @param dn a DataNode that has an erasure coding worker
   * @param handler the handler, which takes tasks or leaves them to stock
   * @return the installed object; {@link #uninstall} takes it out again
   * @throws IOException if this Hadoop lacks a member, the DataNode has no worker yet, or the
   *     worker is taken over already; nothing has changed then
   */
  public static ErasureCodingWorkerAccess install(DataNode dn, TaskHandler handler)
      throws IOException {
    return install(dn, handler, WorkerMembers.ofThisHadoop());
  }

  static ErasureCodingWorkerAccess install(DataNode dn, TaskHandler handler,
      WorkerMembers members) throws IOException {
    if (!members.missing().isEmpty()) {
      throw new IOException(
          "This Hadoop's erasure coding worker cannot be taken over; it lacks "
              + String.join(", ", members.missing()));
    }
    ErasureCodingWorker worker = dn.getErasureCodingWorker();
    if (worker == null) {
      throw new IOException("The DataNode has no erasure coding worker (yet)");
    }
    synchronized (worker) {
      ThreadPoolExecutor stock =
          HadoopMembers.get(members.pool, worker, ThreadPoolExecutor.class);
      if (stock instanceof InterceptingPool) {
        throw new IOException("The DataNode's erasure coding worker is taken over already");
      }
      InterceptingPool pool = new InterceptingPool(dn, stock, members, handler);
      put(members, worker, pool);
      LOG.info("Reconstructions on {} are offered to {}", dn.getDisplayName(), handler);
      return new ErasureCodingWorkerAccess(worker, members, pool);
    }
  }

  /**
   * Puts stock's pool back. Tasks that the handler has taken stay with the handler, which can still
   * finish them or hand them to stock. A caller may call this twice.
   */
  public void uninstall() {
    pool.stopOffering();
    synchronized (worker) {
      if (HadoopMembers.get(members.pool, worker, ThreadPoolExecutor.class) == pool) {
        put(members, worker, pool.stock());
        LOG.info("Reconstructions are stock's again");
      }
    }
  }

  private static void put(WorkerMembers members, ErasureCodingWorker worker,
      ThreadPoolExecutor pool) {
    HadoopMembers.set(members.pool, worker, pool);
  }
}
