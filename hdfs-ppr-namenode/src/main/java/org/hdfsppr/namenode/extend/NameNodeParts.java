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
package org.hdfsppr.namenode.extend;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.hdfsppr.manage.OldReads;
import org.hdfsppr.namenode.doctor.DoctorCheck;
import org.hdfsppr.namenode.model.CoreGroupLookup;
import org.hdfsppr.namenode.rpc.RpcProtocol;
import org.hdfsppr.namenode.web.PageSource;
import org.hdfsppr.namenode.web.metrics.MetricFamily;
import org.hdfsppr.plan.NodeRef;

/**
 * The parts that an extension adds to the plugin of one NameNode. The plugin calls each method that
 * returns a list only once, before or after {@link #start}. Any thread may use the members of these
 * lists at any time. Every method but {@link #close} has a default for a NameNode without an
 * extension.
 */
@InterfaceAudience.Private
public interface NameNodeParts extends Closeable {
  /** The parts of a NameNode without an extension: no protocol, no page, no columns. */
  NameNodeParts NONE = new NameNodeParts() {
    @Override
    public void close() {
      // Nothing runs.
    }
  };

  /**
   * @return the secrets of the tokens with which users may call the repair manager's server; null
   *     if callers need a Kerberos ticket
   */
  default SecretManager<? extends TokenIdentifier> secrets() {
    return null;
  }

  /** @return the protocols that the repair manager's server speaks beside that of DataNodes */
  default List<RpcProtocol<?>> protocols() {
    return List.of();
  }

  /**
   * Takes a DataNode's report about clients that read old versions of files, also before {@link
   * #start}. The threads that answer heartbeats call this, and are never blocked.
   *
   * @param node the DataNode that reports it
   * @param reads the reads that its heartbeat lists
   * @return whether the node's next heartbeat has to list all of these reads
   */
  default boolean hear(NodeRef node, OldReads reads) {
    return false;
  }

  /**
   * @return whether the parts read the namespace's records of versions and updates of files. If
   *     they do not, this NameNode leaves repairs to stock as long as there are such records.
   */
  default boolean readsRecords() {
    return false;
  }

  /**
   * Starts the parts. When the plugin starts, it calls this last; when it stops, it closes the
   * parts first. If this Hadoop lacks something that a part needs, the part says so in the log and
   * does not start. The other parts start.
   *
   * @param namenode returns the NameNode's methods, or null while there are none
   */
  default void start(Supplier<? extends ClientProtocol> namenode) {
    // There is nothing to start.
  }

  /** @return finds the CORE group of a block group, for repairs; called after {@link #start} */
  default CoreGroupLookup book() {
    return CoreGroupLookup.NONE;
  }

  /**
   * Says what the extension does with a file. The caller holds the namesystem's read lock.
   *
   * @param path the full path of the file
   * @return a sentence for operators, with its full stop; empty if the file is a user's file
   */
  default Optional<String> explain(String path) {
    return Optional.empty();
  }

  /** @return sources of pages for the NameNode's web server; the first that has a page answers */
  default List<PageSource> pages() {
    return List.of();
  }

  /** @return metrics for the page for Prometheus, in the order in which the page shows them */
  default List<MetricFamily> families() {
    return List.of();
  }

  /** @return checks of the installation, in the order in which the doctor shows their findings */
  default List<DoctorCheck> checks() {
    return List.of();
  }

  /**
   * Ends all parts that were started. A second call does nothing.
   *
   * @throws IOException if a part cannot be closed
   */
  @Override
  void close() throws IOException;
}
