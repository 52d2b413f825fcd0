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
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.LengthInputStream;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.ReplicaInputStreams;
import org.hdfsppr.bench.clock.FileClock;
import org.hdfsppr.bench.clock.TimedFileInput;

/**
 * Makes DataNodes time their reads of replicas, data and checksums, those of stock and of the
 * plugin. The setting {@code dfs.datanode.fsdataset.factory} names this class. What it extends is
 * package-private, so it is in Hadoop's package.
 */
@InterfaceAudience.Private
public final class TimedDatasetFactory extends FsDatasetFactory {
  @Override
  public FsDatasetImpl newInstance(DataNode datanode, DataStorage storage, Configuration conf)
      throws IOException {
    return new TimedDataset(datanode, storage, conf, FileClock.ofProcess());
  }

  /** Replicas whose files are read through {@link TimedFileInput}. */
  private static final class TimedDataset extends FsDatasetImpl {
    private final DataNode datanode;
    private final FileClock clock;

    TimedDataset(DataNode datanode, DataStorage storage, Configuration conf, FileClock clock)
        throws IOException {
      super(datanode, storage, conf);
      this.datanode = datanode;
      this.clock = clock;
    }

    @Override
    public InputStream getBlockInputStream(ExtendedBlock block, long offset)
        throws IOException {
      return timed(super.getBlockInputStream(block, offset));
    }

    @Override
    public LengthInputStream getMetaDataInputStream(ExtendedBlock block) throws IOException {
      LengthInputStream meta = super.getMetaDataInputStream(block);
      return meta == null ? null : timed(meta);
    }

    @Override
    public ReplicaInputStreams getTmpInputStreams(ExtendedBlock block, long dataOffset,
        long metaOffset) throws IOException {
      ReplicaInputStreams streams = super.getTmpInputStreams(block, dataOffset, metaOffset);
      boolean timed = false;
      try {
        ReplicaInputStreams result = new ReplicaInputStreams(timed(streams.getDataIn()),
            timed(streams.getChecksumIn()), streams.getVolumeRef(), datanode.getFileIoProvider());
        timed = true;
        return result;
      } finally {
        if (!timed) {
          streams.close();
        }
      }
    }

    private LengthInputStream timed(LengthInputStream in) throws IOException {
      return new LengthInputStream(timed(in.getWrappedStream()), in.getLength());
    }

    private InputStream timed(InputStream in) throws IOException {
      if (in instanceof LengthInputStream) {
        return timed((LengthInputStream) in);
      }
      if (!(in instanceof FileInputStream)) {
        throw new IOException("Reads of a " + in.getClass().getName() + " cannot be timed");
      }
      return new TimedFileInput((FileInputStream) in, clock);
    }
  }
}
