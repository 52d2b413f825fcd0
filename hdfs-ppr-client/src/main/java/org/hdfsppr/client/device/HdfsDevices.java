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
package org.hdfsppr.client.device;

import java.io.IOException;
import java.util.BitSet;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.io.IOUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens the device that a path names: a file, or a directory that was made a device. */
@InterfaceAudience.Private
public final class HdfsDevices {
  private static final Logger LOG = LoggerFactory.getLogger(HdfsDevices.class);

  private final FileSystem fs;
  private final UpdatableFiles files;
  private final boolean isReadOnly;

  /**
   * @param fs the file system of the path
   * @param files opens files
   * @param isReadOnly whether the device refuses changes
   */
  public HdfsDevices(FileSystem fs, UpdatableFiles files, boolean isReadOnly) {
    this.fs = fs;
    this.files = files;
    this.isReadOnly = isReadOnly;
  }

  /**
   * Opens a device.
   *
   * @param path a file, or a directory that {@link DeviceMaker} has made
   * @return the device; the caller closes it
   * @throws IOException if an object is missing or has another length, or the user lacks a right
   */
  public BlockDevice open(Path path) throws IOException {
    FileStatus status = fs.getFileStatus(path);
    if (!status.isDirectory()) {
      return new FileDevice(files.open(path), isReadOnly);
    }
    DeviceLayout layout = layout(path);
    checkObjects(path, layout);
    ObjectsDevice device = new ObjectsDevice(layout, isReadOnly,
        object -> files.open(new Path(path, DeviceLayout.nameOf(object))));
    boolean isOpen = false;
    try {
      // Syncs one byte, so that a missing right shows here, and not at the first request of a
      // client.
      device.persist(0, 1);
      isOpen = true;
      return device;
    } finally {
      if (!isOpen) {
        IOUtils.cleanupWithLogger(LOG, device);
      }
    }
  }

  private DeviceLayout layout(Path path) throws IOException {
    Path record = new Path(path, DeviceRecord.NAME);
    if (!fs.exists(record)) {
      throw new IOException(path.toUri().getPath() + " is a directory, and no device: "
          + record.getName() + " is missing in it; 'hdfs ppr -nbd -create' makes devices");
    }
    byte[] bytes = new byte[(int) Math.min(fs.getFileStatus(record).getLen(),
        DeviceRecord.BYTES_MOST)];
    try (FSDataInputStream in = fs.open(record)) {
      in.readFully(0, bytes);
    }
    try {
      return DeviceRecord.decode(bytes);
    } catch (IOException e) {
      throw new IOException(record.toUri().getPath() + " cannot be read: " + e.getMessage(), e);
    }
  }

  /** Checks that each object exists and has its length. */
  private void checkObjects(Path path, DeviceLayout layout) throws IOException {
    BitSet there = new BitSet(layout.objects());
    RemoteIterator<FileStatus> all = fs.listStatusIterator(path);
    while (all.hasNext()) {
      FileStatus one = all.next();
      int object = DeviceLayout.objectOf(one.getPath().getName());
      if (object < 0 || object >= layout.objects()) {
        continue;
      }
      if (one.isDirectory() || one.getLen() != layout.bytesOf(object)) {
        throw new IOException(one.getPath().toUri().getPath() + " has " + one.getLen()
            + " bytes, and the device wants " + layout.bytesOf(object));
      }
      files.found(one);
      there.set(object);
    }
    int missing = there.nextClearBit(0);
    if (missing < layout.objects()) {
      throw new IOException(path.toUri().getPath() + " lacks "
          + (layout.objects() - there.cardinality()) + " of " + layout.objects()
          + " objects of the device, the first of them " + DeviceLayout.nameOf(missing));
    }
  }
}
