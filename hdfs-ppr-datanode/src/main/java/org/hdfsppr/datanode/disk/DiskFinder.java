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
package org.hdfsppr.datanode.disk;

import java.net.URI;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.Collections;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the disks under a DataNode's volumes. Looking up the device of a path can block for as long
 * as the disk hangs, so the finder makes each look on another thread, and only one look at a time.
 * It looks again after volumes were added or removed. Until that look has ended, the disks are
 * unknown. Thread-safe.
 */
final class DiskFinder {
  private static final Logger LOG = LoggerFactory.getLogger(DiskFinder.class);

  private final Function<Path, Optional<String>> diskOf;
  private final Executor executor;
  private Set<URI> volumes = Collections.emptySet();
  private Set<String> disks = Collections.emptySet();
  private boolean looking;

  /**
   * @param diskOf finds the number of the disk under a path; may block as long as the disk hangs
   * @param executor runs the looks, one at a time; a look may never end
   */
  DiskFinder(Function<Path, Optional<String>> diskOf, Executor executor) {
    this.diskOf = diskOf;
    this.executor = executor;
  }

  /**
   * Returns the disks under the volumes {@code now}. Waits for nothing.
   *
   * @return the disks; empty if a volume has no disk that can be measured, or while the disks are
   *     unknown
   */
  Set<String> disks(Set<URI> now) {
    synchronized (this) {
      if (now.equals(volumes)) {
        return disks;
      }
      if (looking) {
        // If a disk hangs, a second look would hang too, and each heartbeat would add one.
        return Collections.emptySet();
      }
      looking = true;
    }
    boolean started = false;
    try {
      executor.execute(() -> look(now));
      started = true;
    } finally {
      if (!started) {
        found(volumes, disks);
      }
    }
    return Collections.emptySet();
  }

  private void look(Set<URI> now) {
    // The set stays empty unless all disks are found, because a manager would take the load of some
    // disks for the load of all disks.
    Set<String> all = Collections.emptySet();
    try {
      Set<String> found = new HashSet<>();
      URI unknown = null;
      for (URI volume : now) {
        Optional<String> disk = diskOf.apply(Paths.get(volume));
        if (disk.isPresent()) {
          found.add(disk.get());
        } else {
          unknown = volume;
        }
      }
      if (unknown == null) {
        LOG.info("The disks under the volumes are {}; how busy they are is reported", found);
        all = found;
      } else {
        LOG.info("Under the volume {} is no disk with rotating parts whose load could be measured;"
            + " repairs are scheduled by links only", unknown);
      }
    } catch (RuntimeException | LinkageError | AssertionError | VirtualMachineError e) {
      LOG.info("The disks under the volumes {} cannot be found; repairs are scheduled by links"
          + " only", now, e);
    } finally {
      found(now, all);
    }
  }

  private synchronized void found(Set<URI> ofVolumes, Set<String> found) {
    volumes = ofVolumes;
    disks = found;
    looking = false;
  }
}
