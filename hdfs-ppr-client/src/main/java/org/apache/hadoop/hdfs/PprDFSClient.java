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
package org.apache.hadoop.hdfs;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.MD5MD5CRC32FileChecksum;
import org.apache.hadoop.fs.Options.ChecksumCombineMode;
import org.apache.hadoop.hdfs.PprStripedInputStream.StripedFile;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsPathHandle;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.client.metrics.ClientMetrics;
import org.hdfsppr.client.plugin.FilesJar;
import org.hdfsppr.client.plugin.Routers;
import org.hdfsppr.client.read.ClientConnector;
import org.hdfsppr.client.read.ColumnSource;
import org.hdfsppr.client.read.IoFailures;
import org.hdfsppr.client.read.ReadContext;
import org.hdfsppr.client.read.ReadSettings;
import org.hdfsppr.client.update.FileUpdater;
import org.hdfsppr.client.update.SharedUpdater;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.conf.RemovedKeys;
import org.hdfsppr.conf.SettingsReader;
import org.hdfsppr.loader.Extensions;
import org.hdfsppr.loader.HadoopLoader;
import org.hdfsppr.wire.PeerLog;

/** A client that opens striped files as {@link PprStripedInputStream}. */
@InterfaceAudience.Private
public class PprDFSClient extends DFSClient {
  /** Logs the same message at most once a minute, because an outage may cause it in many calls. */
  private static final PeerLog PEER_LOG = new PeerLog(LOG);

  private final ReadContext context;
  /** Null if this client neither makes nor sees updates. */
  private final StreamUpdates updates;
  private final FileSystem.Statistics statistics;
  private final URI nameNodeUri;
  /** Whether the server is known to be a NameNode and no Router. */
  private volatile boolean isNameNode;

  /**
   * @param nameNodeUri the URI of the file system
   * @param conf the client's configuration
   * @param statistics as for {@link DFSClient}; may be null
   * @throws IllegalArgumentException if a setting has an invalid value; the message names the
   *     setting
   * @throws IOException if the client cannot be created
   */
  public PprDFSClient(URI nameNodeUri, Configuration conf, FileSystem.Statistics statistics)
      throws IOException {
    this(nameNodeUri, conf, statistics, Extensions.one(ClientExtension.class));
  }

  /** @param extension adds CORE groups and updates; empty if no jar provides it */
  PprDFSClient(URI nameNodeUri, Configuration conf, FileSystem.Statistics statistics,
      Optional<ClientExtension> extension) throws IOException {
    super(nameNodeUri, conf, statistics);
    this.statistics = statistics;
    this.nameNodeUri = nameNodeUri;
    boolean made = false;
    try {
      RemovedKeys.sayClient(conf);
      ReadSettings settings = ReadSettings.of(conf);
      context = !settings.isOn() ? null : new ReadContext(settings,
          new ClientConnector(NetUtils.getSocketFactory(conf, ClientProtocol.class),
              getSaslDataTransferClient(), this, this::clearDataEncryptionKey,
              settings.viaHostName, settings.connectTimeoutMs()), System::nanoTime,
          ClientMetrics.ofProcess(), columns(extension));
      updates = !new SettingsReader(conf).flag(PprKeys.CLIENT_UPDATES_KEY,
          PprKeys.CLIENT_UPDATES_DEFAULT) ? null : updates(extension);
      made = true;
    } finally {
      if (!made) {
        super.close();
      }
    }
  }

  private ColumnSource columns(Optional<ClientExtension> extension) throws IOException {
    return extension.isEmpty() ? ColumnSource.NONE : extension.get().columns(getConfiguration(),
        nameNodeUri, UserGroupInformation.getCurrentUser(), System::nanoTime);
  }

  private StreamUpdates updates(Optional<ClientExtension> extension) throws IOException {
    if (context == null) {
      throw new IllegalArgumentException(PprKeys.CLIENT_UPDATES_KEY + " is true, and needs "
          + PprKeys.CLIENT_DEGRADED_READ_KEY + ", which is off");
    }
    if (extension.isEmpty()) {
      throw new IOException(PprKeys.CLIENT_UPDATES_KEY + " is true, and this client has no "
          + FilesJar.NAME + ", without which it would read old bytes; put it beside the"
          + " hdfs-ppr-client jar, or set it to false" + (isExtensionElsewhere()
              ? ". Another class loader has such a jar. " + HadoopLoader.TO_CLIENTS : ""));
    }
    return extension.get().updates(this, nameNodeUri, context, statistics);
  }

  /**
   * Returns whether the thread's context class loader finds an extension. The client cannot use it,
   * because its classes belong to other copies of hdfs-ppr's classes. The client only mentions it
   * in a message, after its own class loader has found no extension.
   */
  private static boolean isExtensionElsewhere() {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    return loader != null
        && loader.getResource("META-INF/services/" + ClientExtension.class.getName()) != null;
  }

  /**
   * Opens a closed file to write into it in place.
   *
   * @param src the file's path
   * @return an updater, which writes into the file
   * @throws IOException if the file cannot be updated; the message says why
   */
  public FileUpdater openForUpdate(String src) throws IOException {
    return updates().openForUpdate(src);
  }

  /**
   * Opens a closed file to write into it in place, from many threads at the same time.
   *
   * @param src the file's path
   * @return an updater, which writes into the file
   * @throws IOException if the file cannot be updated; the message says why
   */
  SharedUpdater openForSharedUpdate(String src) throws IOException {
    return updates().openForSharedUpdate(src);
  }

  private StreamUpdates updates() throws IOException {
    checkOpen();
    if (updates == null) {
      throw new IOException("This client updates no files, and sees no updates, because "
          + PprKeys.CLIENT_UPDATES_KEY + " is false");
    }
    checkNoRouter("no updates of files are made or seen (" + PprKeys.CLIENT_UPDATES_KEY
        + " is true)");
    return updates;
  }

  /**
   * Refuses to go on if the server of this client is a Router.
   *
   * @param what what does not work through a Router; part of the exception's message
   */
  void checkNoRouter(String what) throws IOException {
    if (!isNameNode) {
      Routers.refuse(getNamenode(), nameNodeUri, what);
      isNameNode = true;
    }
  }

  @Override
  public DFSInputStream open(String src, int buffersize, boolean verifyChecksum)
      throws IOException {
    return wrap(super.open(src, buffersize, verifyChecksum), verifyChecksum);
  }

  @Override
  public DFSInputStream open(HdfsPathHandle fd, int buffersize, boolean verifyChecksum)
      throws IOException {
    return wrap(super.open(fd, buffersize, verifyChecksum), verifyChecksum);
  }

  /**
   * Returns a {@link PprStripedInputStream} in place of {@code stock} if the file is striped and
   * its code is known, and {@code stock} itself otherwise.
   */
  private DFSInputStream wrap(DFSInputStream stock, boolean verifyChecksum) throws IOException {
    if (context == null || !(stock instanceof DFSStripedInputStream)) {
      return stock;
    }
    StripedFile file;
    try {
      file = new StripedFile(getConfiguration(), stock.getSrc(), verifyChecksum,
          stock.getLocatedBlocks());
    } catch (IOException e) {
      LOG.debug("{} is read as stock does", stock.getSrc(), e);
      return stock;
    }
    stock.close();
    if (isUpdatable(file.src)) {
      return updates.open(file);
    }
    return new PprStripedInputStream(this, context, statistics, file);
  }

  /**
   * Returns whether this client sees updates, and the file may have some. Throws an exception if
   * the server is a Router.
   */
  boolean isUpdatable(String src) throws IOException {
    if (updates == null) {
      return false;
    }
    // updates() refuses a Router: a Router has the files of several namespaces, but this client
    // looks for records of updates in only one.
    return updates().mayHave(src);
  }

  @Override
  public FileChecksum getFileChecksumWithCombineMode(String src, long length)
      throws IOException {
    try {
      return super.getFileChecksumWithCombineMode(src, length);
    } catch (IOException e) {
      return checksum(src, length, getConf().getChecksumCombineMode(), e);
    }
  }

  @Override
  public MD5MD5CRC32FileChecksum getFileChecksum(String src, long length) throws IOException {
    try {
      return super.getFileChecksum(src, length);
    } catch (IOException e) {
      return (MD5MD5CRC32FileChecksum) checksum(src, length, ChecksumCombineMode.MD5MD5CRC, e);
    }
  }

  /**
   * Computes a checksum from the file's bytes. Stock lets DataNodes compute the checksum, which
   * fails while units are lost.
   *
   * @param stock the exception with which stock's way has failed
   */
  private FileChecksum checksum(String src, long length, ChecksumCombineMode mode,
      IOException stock) throws IOException {
    if (stock instanceof FileNotFoundException || stock instanceof AccessControlException
        || stock instanceof RemoteException || IoFailures.isInterrupt(stock)) {
      throw stock;
    }
    try (DFSInputStream in = open(src)) {
      if (in instanceof PprStripedInputStream && in.getLocatedBlocks().isLastBlockComplete()) {
        PEER_LOG.info("checksum", "The checksum of {} is computed from its bytes: {}", src,
            stock.toString());
        return ((PprStripedInputStream) in).checksum(Math.min(length, in.getFileLength()), mode);
      }
    } catch (IOException e) {
      stock.addSuppressed(e);
    }
    throw stock;
  }

  /**
   * @return the state that all streams of this client share; null if {@code
   *     dfs.client.ppr.degraded-read} is off
   */
  public ReadContext readContext() {
    return context;
  }

  @Override
  public synchronized void close() throws IOException {
    try {
      super.close();
    } finally {
      if (updates != null) {
        updates.close();
      }
      if (context != null) {
        context.close();
      }
    }
  }
}
