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
 * The door into the DataNode's erasure coding worker: while it is installed, every reconstruction
 * that the NameNode sends is offered to a {@link TaskHandler} before stock runs it.
 *
 * <p>The worker is final and its parts are private; what is needed of them was the same in Hadoop
 * 3.3.6, 3.4.3 and 3.5.0. {@link #missing} says whether it is there in the one that is running.
 * If it is not, nothing is taken over and stock works as ever.
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

  /** What this Hadoop lacks of what is used here; empty if a DataNode can be taken over. */
  public static List<String> missing() {
    return WorkerMembers.ofThisHadoop().missing();
  }

  /**
   * Offers what the worker of {@code dn} is given from now on to {@code handler}. Tasks that are
   * queued or running already stay stock's.
   *
   * @throws IOException if that is not possible; then nothing has changed
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
   * Puts stock's pool back. Tasks that the handler has taken stay with it: it can still finish
   * them or hand them to stock. May be called twice.
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
