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
 * The objects of a device that are open. Their number is bounded: before an object is opened, the
 * least recently used one is synced and closed. Objects in use stay open, so that each thread may
 * exceed the bound by one; objects whose sync has failed stay open, too. Thread-safe.
 */
final class OpenObjects implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(OpenObjects.class);

  /** How long an object whose sync has failed is left open before the next try to close it. */
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** Opens an object. */
  interface Opener {
    UpdatableBytes open(int object) throws IOException;
  }

  private static final class Entry {
    private int users;
    /** Null until the object is open. */
    private SyncedBytes bytes;
    private IOException failure;
    /** Whether the sync before its close has failed. */
    private boolean hasFailed;
    /** The time of the next try, if the sync has failed. */
    private long retryAt;
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
  private final LongSupplier nanoClock;
  /** The history of each object that was ever open; at most one for each object of the device. */
  private final Map<Integer, SyncHistory> histories = new ConcurrentHashMap<>();
  /**
   * The open objects by their numbers, the most recently used one last. Guarded by this instance,
   * as is all that changes.
   */
  private final Map<Integer, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
  private boolean isClosed;

  /**
   * @param opener opens objects
   * @param most the bound
   * @param nanoClock times the next try after a failed sync
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

  /** Returns an object, which it opens if necessary; it stays open until the lease is closed. */
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
    // As a user of the entry, this thread keeps the object from being closed before it wakes.
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
      // A failed open has removed the entry.
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

  /** Wakes the threads that wait for the object; returns null if the object is not open then. */
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
    // The device was closed while the object was opened.
    IOUtils.cleanupWithLogger(LOG, opened);
    return null;
  }

  private static IOException closed() {
    return new IOException("The device is closed");
  }

  private synchronized void giveBack(Entry entry) {
    entry.users--;
  }

  /** Closes an unused object if one more open object would exceed the bound. */
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
          // The sync has failed, or the object came into use meanwhile.
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
      // The object stays dirty, so that each flush of the device tries again and reports the
      // failure.
      LOG.debug("An object stays open, because its writes may not be on disks", e);
      return false;
    }
  }

  /**
   * Returns the object to close and marks it as in use; null if none has to be closed, or none can.
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
   * Returns whether the object may be closed: after a failed sync, only if a flush has synced it,
   * or the time of the next try has come.
   */
  private boolean mayGo(Entry entry) {
    return !entry.hasFailed || !entry.bytes.isDirty()
        || nanoClock.getAsLong() - entry.retryAt >= 0;
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
