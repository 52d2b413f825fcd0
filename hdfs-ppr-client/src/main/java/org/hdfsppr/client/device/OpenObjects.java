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
    /** Whether its writes could not be brought onto disks when it was to be closed. */
    private boolean hasFailed;
    /** Then the time, of the clock, of the next try. */
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
  /** Of each object that was open once. Their number is that of the device's objects at most. */
  private final Map<Integer, SyncHistory> histories = new ConcurrentHashMap<>();
  /**
   * The open objects, by their numbers; the object that was used last comes last. Guarded by this
   * instance, as is all that changes.
   */
  private final Map<Integer, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
  private boolean isClosed;

  /**
   * @param opener opens objects
   * @param most the bound
   * @param nanoClock says when to try again to close an object whose sync has failed
   */
  OpenObjects(Opener opener, int most, LongSupplier nanoClock) {
    this.opener = opener;
    this.most = most;
    this.nanoClock = nanoClock;
  }

  /** Whether this process has synced an object once. */
  boolean isSynced(int object) {
    return history(object).isSynced();
  }

  private SyncHistory history(int object) {
    return histories.computeIfAbsent(object, number -> new SyncHistory());
  }

  /** Returns an open object. */
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

  /** Closes an object that is not in use, if there would be too many with this one. */
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
      if (one.getValue().users == 0 && mayGo(one.getValue())) {
        one.getValue().users++;
        return one;
      }
    }
    return null;
  }

  /** After a failure a sync is tried again some time later, or a flush has done it meanwhile. */
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
