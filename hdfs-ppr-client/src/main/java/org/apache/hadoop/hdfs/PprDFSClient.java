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

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.MD5MD5CRC32FileChecksum;
import org.apache.hadoop.fs.Options.ChecksumCombineMode;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.ErasureCodingPolicy;
import org.apache.hadoop.hdfs.protocol.HdfsPathHandle;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.hdfs.protocol.LocatedStripedBlock;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.hdfsppr.client.metrics.ClientMetrics;
import org.hdfsppr.client.plugin.PluginColumns;
import org.hdfsppr.client.plugin.PluginUpdates;
import org.hdfsppr.client.plugin.Routers;
import org.hdfsppr.client.read.ClientConnector;
import org.hdfsppr.client.read.ColumnCache;
import org.hdfsppr.client.read.IoFailures;
import org.hdfsppr.client.read.LocatedGroup;
import org.hdfsppr.client.read.ReadContext;
import org.hdfsppr.client.read.ReadSettings;
import org.hdfsppr.client.read.UntrustedBytesException;
import org.hdfsppr.client.update.FileUpdater;
import org.hdfsppr.client.update.ReconnectRetry;
import org.hdfsppr.client.update.RetryingGroupLookup;
import org.hdfsppr.client.update.SharedUpdater;
import org.hdfsppr.client.update.UpdateContext;
import org.hdfsppr.client.update.UpdateOverlay;
import org.hdfsppr.coder.code.Codes;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.conf.RemovedKeys;
import org.hdfsppr.conf.SettingsReader;
import org.hdfsppr.operate.GroupReplacedException;
import org.hdfsppr.operate.UpdateRefusedException;
import org.hdfsppr.wire.PeerLog;

/** A client that opens striped files as {@link PprStripedInputStream}. */
@InterfaceAudience.Private
public class PprDFSClient extends DFSClient {
  /** Logs the same message at most once a minute, because an outage may cause it in many calls. */
  private static final PeerLog PEER_LOG = new PeerLog(LOG);

  /** The directory of the plugin. Its content is closed to users. */
  private static final String RECORDS = "/.hdfs-ppr";

  private final ReadContext context;
  /** Null if this client neither makes nor sees updates. */
  private final UpdateContext updates;
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
          ClientMetrics.ofProcess(), new ColumnCache(new PluginColumns(conf,
          nameNodeUri, UserGroupInformation.getCurrentUser()), System::nanoTime));
      updates = !new SettingsReader(conf).flag(PprKeys.CLIENT_UPDATES_KEY,
          PprKeys.CLIENT_UPDATES_DEFAULT) ? null : updates(nameNodeUri, conf);
      made = true;
    } finally {
      if (!made) {
        super.close();
      }
    }
  }

  private UpdateContext updates(URI nameNodeUri, Configuration conf) throws IOException {
    if (context == null) {
      throw new IllegalArgumentException(PprKeys.CLIENT_UPDATES_KEY + " is true, and needs "
          + PprKeys.CLIENT_DEGRADED_READ_KEY + ", which is off");
    }
    return new UpdateContext(new PluginUpdates(conf, nameNodeUri,
        UserGroupInformation.getCurrentUser()), context.connector, System::nanoTime,
        new SecureRandom()::nextLong);
  }

  /**
   * Opens a closed file to write into it in place.
   *
   * @param src the file's path
   * @return writes into it
   * @throws IOException if the file cannot be updated; the message says why
   */
  public FileUpdater openForUpdate(String src) throws IOException {
    return FileUpdater.open(updates(), src, updatable(src),
        new RetryingGroupLookup(() -> groupsNow(src), this::isClientRunning));
  }

  /**
   * Opens a closed file to write into it in place, from many threads at the same time.
   *
   * @param src the file's path
   * @return writes into it
   * @throws IOException if the file cannot be updated; the message says why
   */
  SharedUpdater openForSharedUpdate(String src) throws IOException {
    return new SharedUpdater(updates(), src, updatable(src),
        new RetryingGroupLookup(() -> groupsNow(src), this::isClientRunning));
  }

  private UpdateContext updates() throws IOException {
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
   * @param what what does not work through a Router, for the sentence
   */
  void checkNoRouter(String what) throws IOException {
    if (!isNameNode) {
      Routers.refuse(getNamenode(), nameNodeUri, what);
      isNameNode = true;
    }
  }

  private List<LocatedGroup> updatable(String src) throws IOException {
    LocatedBlocks located = allBlocks(src);
    if (located == null) {
      throw new FileNotFoundException(src + " does not exist");
    }
    ErasureCodingPolicy policy = located.getErasureCodingPolicy();
    if (policy == null || located.isUnderConstruction()) {
      throw new UpdateRefusedException(src + (policy == null ? " is replicated, and only"
          + " erasure-coded files are updated in place" : " is open for writing; try again when"
          + " its writer has closed it"));
    }
    return groups(located, policy);
  }

  private List<LocatedGroup> groupsNow(String src) throws IOException {
    LocatedBlocks now = allBlocks(src);
    ErasureCodingPolicy code = now == null ? null : now.getErasureCodingPolicy();
    return code == null ? List.of() : groups(now, code);
  }

  private LocatedBlocks allBlocks(String src) throws IOException {
    return ReconnectRetry.of(() -> getLocatedBlocks(src, 0, Long.MAX_VALUE));
  }

  private static List<LocatedGroup> groups(LocatedBlocks located, ErasureCodingPolicy policy) {
    List<LocatedGroup> groups = new ArrayList<>();
    for (LocatedBlock block : located.getLocatedBlocks()) {
      groups.add(new LocatedGroup((LocatedStripedBlock) block, policy));
    }
    return groups;
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

  /** Opens the version that a path has now, without updates. */
  private PprStripedInputStream version(String src, boolean verifyChecksum) throws IOException {
    LocatedBlocks located = ReconnectRetry.of(() -> getLocatedBlocks(src, 0));
    ErasureCodingPolicy policy = located == null ? null : located.getErasureCodingPolicy();
    if (policy == null || located.locatedBlockCount() == 0) {
      throw new FileNotFoundException(src + " is not the file any more that was opened");
    }
    LinearCode code = Codes.forCodec(getConfiguration(), policy.getCodecName(),
        policy.getNumDataUnits(), policy.getNumParityUnits());
    return new PprStripedInputStream(this, context, statistics, src, verifyChecksum, policy,
        located, code);
  }

  /**
   * Returns a {@link PprStripedInputStream} in place of {@code stock} if the file is striped and
   * its code is known, and {@code stock} itself otherwise.
   */
  private DFSInputStream wrap(DFSInputStream stock, boolean verifyChecksum) throws IOException {
    if (context == null || !(stock instanceof DFSStripedInputStream)) {
      return stock;
    }
    LocatedBlocks located = stock.getLocatedBlocks();
    ErasureCodingPolicy policy = located.getErasureCodingPolicy();
    LinearCode code;
    try {
      code = Codes.forCodec(getConfiguration(), policy.getCodecName(), policy.getNumDataUnits(),
          policy.getNumParityUnits());
    } catch (IOException e) {
      LOG.debug("{} is read as stock does", stock.getSrc(), e);
      return stock;
    }
    String src = stock.getSrc();
    stock.close();
    if (isUpdatable(src)) {
      return new UpdatedInputStream(this, context, statistics, src, verifyChecksum, policy,
          located, code, new UpdateOverlay(updates, src), () -> version(src, verifyChecksum));
    }
    return new PprStripedInputStream(this, context, statistics, src, verifyChecksum,
        policy, located, code);
  }

  /** Returns whether this client sees updates, and the file may have some. */
  boolean isUpdatable(String src) throws IOException {
    if (updates == null) {
      return false;
    }
    // The records are looked for in one namespace only, and a Router has the files of several.
    updates();
    return hasRecords() && updates.nameNode.isUpdatable(src);
  }

  /**
   * Returns whether the NameNode may have records of updates. The plugin makes this directory
   * before the first directory can be updatable, and everybody may look for it. A NameNode that
   * never had the plugin thus costs no time.
   */
  private boolean hasRecords() throws IOException {
    try {
      return getFileInfo(RECORDS) != null;
    } catch (AccessControlException e) {
      LOG.debug("The root directory is closed to this user, who may not see {}", RECORDS, e);
      return true;
    }
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

  /**
   * A stream of a file that may have updates which are not in its version yet. It reads the
   * committed version with a stream of its own, which never leaves the version that it was opened
   * with, and puts the updates over it. If a commit has replaced the version, it opens the new one,
   * and reads again: bytes of one version never get the updates of another. Each answer of the
   * NameNode about updates then has to say that this is a version of the same file. Stateful reads
   * keep no bytes for later calls, so that each call sees all updates that were acknowledged before
   * it.
   */
  public static final class UpdatedInputStream extends PprStripedInputStream {
    /** The most bytes that a stateful read gets at a time; this bounds its memory. */
    private static final int CHUNK_BYTES = 1 << 20;
    /** HDFS gives no block group this id. */
    private static final long NO_GROUP = 0;
    /** How often a read begins anew because of commits. Each takes seconds at least. */
    private static final int VERSIONS_MOST = 8;

    /** Opens the committed version that the path has now. */
    interface Versions {
      PprStripedInputStream open() throws IOException;
    }

    private final UpdateOverlay overlay;
    private final Versions versions;
    /** Guarded by {@link #lock}. */
    private PprStripedInputStream version;
    /**
     * The id of the version's first block group when it was opened. The version itself may learn of
     * the groups of a later one when it looks for blocks that are gone.
     */
    private long firstGroup;
    private boolean isClosed;
    /** Whether a read has returned bytes of the file that was opened. */
    private boolean hasRead;
    private final Object lock = new Object();

    /**
     * @param overlay has the file's updates
     * @param versions opens the committed version
     */
    UpdatedInputStream(DFSClient client, ReadContext context, FileSystem.Statistics statistics,
        String src, boolean verifyChecksum, ErasureCodingPolicy policy, LocatedBlocks located,
        LinearCode code, UpdateOverlay overlay, Versions versions) throws IOException {
      super(client, context, statistics, src, verifyChecksum, policy, located, code);
      this.overlay = overlay;
      this.versions = versions;
      this.version = new PprStripedInputStream(client, context, statistics, src, verifyChecksum,
          policy, located, code);
      this.firstGroup = first(version);
    }

    private PprStripedInputStream version() throws IOException {
      synchronized (lock) {
        if (isClosed) {
          throw new IOException("Stream closed");
        }
        return version;
      }
    }

    /**
     * Opens the version that the path has now, unless another thread has done so.
     *
     * @param old the version that was replaced
     * @param why what says so; it is thrown if the path may have another file by now
     */
    private void openAnew(PprStripedInputStream old, IOException why) throws IOException {
      synchronized (lock) {
        if (version() != old) {
          return;
        }
        boolean isKnown = overlay.knowsFile();
        if (hasRead && !isKnown) {
          // The NameNode has not said which file was read: its plugin is of an earlier release, or
          // the file was being written. Before the first read, it is as if the stream was opened
          // now.
          throw why;
        }
        PprStripedInputStream fresh = versions.open();
        if (fresh.getFileLength() != getFileLength() || first(fresh) == firstGroup
            || isKnown && !fresh.getLocatedBlocks().isLastBlockComplete()) {
          // A file that is being written is no version that a commit has made.
          fresh.close();
          throw why;
        }
        if (isKnown) {
          overlay.pin();
        }
        version = fresh;
        firstGroup = first(fresh);
        old.close();
      }
    }

    private static long first(PprStripedInputStream of) {
      LocatedBlocks located = of.getLocatedBlocks();
      return located.locatedBlockCount() == 0 ? NO_GROUP : located.get(0).getBlock().getBlockId();
    }

    @Override
    public int read(long position, byte[] buffer, int offset, int length) throws IOException {
      validatePositionedReadArgs(position, buffer, offset, length);
      return length == 0 ? 0 : read(position, ByteBuffer.wrap(buffer, offset, length));
    }

    @Override
    public int read(long position, ByteBuffer buf) throws IOException {
      if (!buf.hasRemaining()) {
        return 0;
      }
      if (position < 0 || position >= getFileLength()) {
        version();
        return -1;
      }
      int start = buf.position();
      int length = (int) Math.min(buf.remaining(), getFileLength() - position);
      boolean isWhole = false;
      try {
        for (int done = 0; done < length;) {
          done += readGroup(position + done, buf, length - done);
        }
        isWhole = true;
      } finally {
        if (!isWhole) {
          buf.position(start);
        }
      }
      return length;
    }

    /** Reads within one block group, and returns how many bytes these were. */
    private int readGroup(long position, ByteBuffer buf, int most) throws IOException {
      int start = buf.position();
      for (int opened = 1; true; opened++) {
        PprStripedInputStream from = version();
        try {
          int read = readGroup(from, position, buf, most);
          if (takes(from)) {
            return read;
          }
          buf.position(start);
        } catch (GroupReplacedException | UntrustedBytesException e) {
          buf.position(start);
          if (opened == VERSIONS_MOST) {
            throw e;
          }
          openAnew(from, e);
        } catch (IOException e) {
          buf.position(start);
          if (version() == from || opened == VERSIONS_MOST) {
            throw e;
          }
          // Another thread has closed this version meanwhile.
        }
      }
    }

    /** Returns whether bytes of a version may be the first ones that are returned. */
    private boolean takes(PprStripedInputStream from) {
      synchronized (lock) {
        if (version != from && !overlay.isPinned()) {
          // Another thread has opened a version meanwhile that may be of another file.
          return false;
        }
        hasRead = true;
        return true;
      }
    }

    private int readGroup(PprStripedInputStream from, long position, ByteBuffer buf, int most)
        throws IOException {
      int start = buf.position();
      int length = most;
      LocatedGroup group = null;
      if (!from.isBeingWritten(position)) {
        // A group that is being written has no updates.
        group = from.groupAt(position);
        length = (int) Math.min(most, group.start() + group.bytes() - position);
      }
      ByteBuffer part = buf.duplicate();
      part.limit(start + length);
      int read = from.read(position, part);
      if (group != null && read > 0) {
        ByteBuffer committed = buf.duplicate();
        committed.limit(start + read);
        // The stream of a version has no other group at this position, now or before.
        overlay.apply(group, position - group.start(), committed);
      }
      if (read <= 0) {
        throw new EOFException("The file ends at " + position);
      }
      buf.position(start + read);
      return read;
    }

    @Override
    protected synchronized int readWithStrategy(ReaderStrategy strategy) throws IOException {
      dfsClient.checkOpen();
      long position = getPos();
      if (closed.get() || position >= getFileLength() || strategy.getTargetLength() == 0) {
        return super.readWithStrategy(strategy);
      }
      ByteBuffer bytes = ByteBuffer.allocate((int) Math.min(
          Math.min(CHUNK_BYTES, strategy.getTargetLength()), getFileLength() - position));
      int read = read(position, bytes);
      bytes.flip();
      strategy.readFromBuffer(bytes, read);
      seek(position + read);
      return read;
    }

    @Override
    public synchronized void close() throws IOException {
      PprStripedInputStream last;
      synchronized (lock) {
        last = isClosed ? null : version;
        isClosed = true;
      }
      try {
        if (last != null) {
          last.close();
        }
      } finally {
        super.close();
      }
    }
  }
}
