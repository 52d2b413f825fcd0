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

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.io.IOUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The objects of a device that are open. Their number is bounded: before one more is opened, the
 * one that was not used for the longest time is closed, after its writes were brought onto disks.
 * Objects that are in use stay, so that there may be more than the bound by one for each thread;
 * so do objects whose writes could not be brought onto disks. Thread-safe.
 */
@InterfaceAudience.Private
final class OpenObjects implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(OpenObjects.class);

  /** Opens an object. */
  interface Opener {
    UpdatableBytes open(int object) throws IOException;
  }

  private static final class Entry {
    private int users;
    /** Null until the object is open. */
    private SyncedBytes bytes;
    private IOException failure;
    /** Whether it stays open because its writes could not be brought onto disks. */
    private boolean isKept;
  }

  /** An object that stays open until it is given back. */
  final class Lease implements AutoCloseable {
    private final Entry entry;

    private Lease(Entry entry) {
      this.entry = entry;
    }

    SyncedBytes bytes() {
      return entry.bytes;
    }

    @Override
    public void close() {
      giveBack(entry);
    }
  }

  private final Opener opener;
  private final int most;
  /** By number, the one that was used last at the end. Guarded by this, like all that changes. */
  private final Map<Integer, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
  private boolean isClosed;

  /**
   * @param opener opens objects
   * @param most the bound
   */
  OpenObjects(Opener opener, int most) {
    this.opener = opener;
    this.most = most;
  }

  /** Returns an open object. */
  Lease lease(int object) throws IOException {
    makeRoom(object);
    Entry entry;
    synchronized (this) {
      if (isClosed) {
        throw new IOException("The device is closed");
      }
      entry = entries.get(object);
      if (entry != null) {
        return wait(entry);
      }
      entry = new Entry();
      entry.users = 1;
      entries.put(object, entry);
    }
    open(object, entry);
    return new Lease(entry);
  }

  /** Waits until another thread has opened an object. */
  private Lease wait(Entry entry) throws IOException {
    // It is not closed between the moment when it is open and the moment when this thread wakes.
    entry.users++;
    while (entry.bytes == null && entry.failure == null) {
      try {
        wait();
      } catch (InterruptedException e) {
        entry.users--;
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("The caller does not wait for a file any more");
      }
    }
    if (entry.failure != null) {
      // The entry is gone.
      throw new IOException(entry.failure.getMessage(), entry.failure);
    }
    return new Lease(entry);
  }

  private void open(int object, Entry entry) throws IOException {
    SyncedBytes opened = null;
    IOException why = new IOException("An object of the device could not be opened");
    try {
      opened = new SyncedBytes(opener.open(object));
    } catch (IOException e) {
      why = e;
      throw e;
    } finally {
      synchronized (this) {
        if (opened == null) {
          entry.failure = why;
          entries.remove(object);
        } else {
          entry.bytes = opened;
        }
        notifyAll();
      }
    }
  }

  private synchronized void giveBack(Entry entry) {
    entry.users--;
  }

  /** Closes an object that is not in use, if there would be too many with this one. */
  private void makeRoom(int object) {
    Map.Entry<Integer, Entry> victim;
    while ((victim = victim(object)) != null) {
      Entry entry = victim.getValue();
      boolean isSynced = sync(entry);
      synchronized (this) {
        entry.users--;
        entry.isKept |= !isSynced;
        if (entry.isKept || entry.users > 0 || entry.bytes.isDirty() || isClosed) {
          // It failed, or came into use meanwhile.
          continue;
        }
        entries.remove(victim.getKey());
      }
      IOUtils.cleanupWithLogger(LOG, entry.bytes);
    }
  }

  private static boolean sync(Entry entry) {
    try {
      entry.bytes.sync();
      return true;
    } catch (IOException | RuntimeException e) {
      // Each flush of the device learns of it.
      LOG.debug("An object stays open, because its writes may not be on disks", e);
      return false;
    }
  }

  /** Returns the object to close, which then is in use; null if no one has to go, or can. */
  private synchronized Map.Entry<Integer, Entry> victim(int object) {
    if (isClosed || entries.size() < most || entries.containsKey(object)) {
      return null;
    }
    for (Map.Entry<Integer, Entry> one : entries.entrySet()) {
      if (one.getValue().users == 0 && !one.getValue().isKept) {
        one.getValue().users++;
        return one;
      }
    }
    return null;
  }

  /** Returns all open objects with writes that may not be on disks. */
  synchronized List<Lease> dirty() {
    List<Lease> leases = new ArrayList<>();
    for (Entry entry : entries.values()) {
      if (entry.bytes != null && entry.bytes.isDirty()) {
        entry.users++;
        leases.add(new Lease(entry));
      }
    }
    return leases;
  }

  synchronized int open() {
    return entries.size();
  }

  @Override
  public void close() {
    List<SyncedBytes> all = new ArrayList<>();
    synchronized (this) {
      isClosed = true;
      entries.values().stream().filter(entry -> entry.bytes != null)
          .forEach(entry -> all.add(entry.bytes));
      entries.clear();
    }
    IOUtils.cleanupWithLogger(LOG, all.toArray(new Closeable[0]));
  }
}
