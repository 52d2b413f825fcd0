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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.io.IOUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the objects of a device open, which are its files, up to a bound: before a further one is
 * opened, the least recently used one is synced and closed. An object that a thread uses, or whose
 * sync has failed, stays open. So the bound may be exceeded, by one object for each thread and by
 * those whose sync has failed. Thread-safe.
 */
final class OpenObjects implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(OpenObjects.class);

  /**
   * After a failed sync of an object, how long to wait before the next try to sync and close it.
   */
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** Opens an object. */
  interface Opener {
    UpdatableBytes open(int object) throws IOException;
  }

  private static final class Entry {
    private int users;
    /** The open object; null before it is open. */
    private SyncedBytes bytes;
    private IOException failure;
    /** Whether the sync that had to precede the close has failed. */
    private boolean hasFailed;
    /** If that sync has failed, the time of the next try to close the object. */
    private long retryAt;
  }

  /** Gives access to an object, which stays open until this lease is closed. */
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
  private final LongSupplier nanoClock;
  /** For each object that was ever open, what this process knows about its syncs. */
  private final Map<Integer, SyncHistory> histories = new ConcurrentHashMap<>();
  /**
   * The open objects by their indices, the most recently used one last. Guarded by this, like all
   * fields that change.
   */
  private final Map<Integer, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
  private boolean isClosed;

  /**
   * @param opener opens objects
   * @param most how many objects are open at most
   * @param nanoClock a monotonic clock, ns
   */
  OpenObjects(Opener opener, int most, LongSupplier nanoClock) {
    this.opener = opener;
    this.most = most;
    this.nanoClock = nanoClock;
  }

  /** Returns whether this process has ever synced an object. */
  boolean isSynced(int object) {
    return history(object).isSynced();
  }

  private SyncHistory history(int object) {
    return histories.computeIfAbsent(object, number -> new SyncHistory());
  }

  /**
   * Returns a lease of an object, which this method opens if necessary. The object stays open until
   * the lease is closed.
   */
  Lease lease(int object) throws IOException {
    makeRoom(object);
    Entry entry;
    synchronized (this) {
      if (isClosed) {
        throw closed();
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
    // This thread counts as a user of the object from now on, so that no other thread closes the
    // object before this one wakes.
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
      // The thread whose open has failed has removed the entry already.
      throw new IOException(entry.failure.getMessage(), entry.failure);
    }
    return new Lease(entry);
  }

  private void open(int object, Entry entry) throws IOException {
    SyncedBytes opened = null;
    IOException why = new IOException("An object of the device could not be opened");
    try {
      opened = new SyncedBytes(opener.open(object), history(object));
    } catch (IOException e) {
      why = e;
      throw e;
    } finally {
      opened = settle(object, entry, opened, why);
    }
    if (opened == null) {
      throw closed();
    }
  }

  /**
   * Records how the open has ended, and wakes the threads that wait for the object. Returns null if
   * the object is not open.
   */
  private SyncedBytes settle(int object, Entry entry, SyncedBytes opened, IOException why) {
    synchronized (this) {
      if (opened != null && !isClosed) {
        entry.bytes = opened;
      } else {
        entry.failure = opened == null ? why : closed();
        entries.remove(object, entry);
      }
      notifyAll();
      if (entry.bytes != null) {
        return opened;
      }
    }
    // The device was closed while this thread opened the object.
    IOUtils.cleanupWithLogger(LOG, opened);
    return null;
  }

  private static IOException closed() {
    return new IOException("The device is closed");
  }

  private synchronized void giveBack(Entry entry) {
    entry.users--;
  }

  /** Closes unused objects as long as opening one more would exceed the bound. */
  private void makeRoom(int object) {
    Map.Entry<Integer, Entry> victim;
    while ((victim = victim(object)) != null) {
      Entry entry = victim.getValue();
      boolean isSynced = sync(entry);
      synchronized (this) {
        entry.users--;
        if (!isSynced) {
          entry.hasFailed = true;
          entry.retryAt = nanoClock.getAsLong() + RETRY_NANOS;
        }
        if (entry.users > 0 || entry.bytes.isDirty() || isClosed) {
          // The object has to stay open: its sync has failed, or a thread uses it by now.
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
      // The object still counts as having unsynced writes, so that each flush of the device tries
      // the sync again, and reports a failure.
      LOG.debug("An object stays open, because its writes may not be on disks", e);
      return false;
    }
  }

  /**
   * Returns an object to close, and counts this thread as a user of it. Returns null if no object
   * has to be closed, or none can be.
   */
  private synchronized Map.Entry<Integer, Entry> victim(int object) {
    if (isClosed || entries.size() < most || entries.containsKey(object)) {
      return null;
    }
    for (Map.Entry<Integer, Entry> one : entries.entrySet()) {
      if (one.getValue().users == 0 && mayGo(one.getValue())) {
        one.getValue().users++;
        return one;
      }
    }
    return null;
  }

  /**
   * Returns whether a try to close the object may begin. After a failed sync, it may if a flush has
   * synced the object since, or if the time of the next try has come.
   */
  private boolean mayGo(Entry entry) {
    return !entry.hasFailed || !entry.bytes.isDirty()
        || nanoClock.getAsLong() - entry.retryAt >= 0;
  }

  /**
   * Returns leases of all open objects with writes that may not be on disks. The caller closes
   * them.
   */
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
