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
package org.hdfsppr.namenode.core;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.hdfsppr.core.formation.CandidateFile;
import org.hdfsppr.core.formation.NewGroup;
import org.hdfsppr.namenode.version.ParityOutcome;
import org.hdfsppr.namenode.version.ParityRequest;

/**
 * The groups that wait to be made: those that this NameNode has planned, and those that users have
 * submitted. The NameNode and the users take turns, with one group each. So a user with many groups
 * does not delay those of the others. Not thread-safe.
 */
final class FormingQueue {
  /** Stands for the NameNode itself in the place of a user's name; no user has this name. */
  static final String OWN = "";
  /** How many groups of one user may wait. A group takes some 100 bytes for each of its files. */
  static final int USER_MAX = 10_000;
  /** How many groups of all users together may wait. */
  static final int USERS_MAX = 50_000;

  /** A group that waits, or that is being made. */
  static final class Item {
    final long directory;
    final List<Long> files;
    private ParityRequest request;
    private CompletableFuture<ParityOutcome> future;

    /** @param directory inode id of the directory that protects the files */
    Item(long directory, NewGroup group) {
      this.directory = directory;
      List<Long> ids = new ArrayList<>(group.files.size());
      for (CandidateFile file : group.files) {
        ids.add(file.fileId);
      }
      files = Collections.unmodifiableList(ids);
    }

    void begin(ParityRequest asked, CompletableFuture<ParityOutcome> outcome) {
      request = asked;
      future = outcome;
    }

    /** Returns the request to the engine; null while the group waits. */
    ParityRequest request() {
      return request;
    }

    /** Returns the outcome of the making, when it has ended; null while the group waits. */
    CompletableFuture<ParityOutcome> future() {
      return future;
    }
  }

  /**
   * The waiting groups of each user; the user with the next turn comes first. No queue in it is
   * empty.
   */
  private final Map<String, Deque<Item>> lanes = new LinkedHashMap<>();
  private final Map<Long, Integer> ofDirectory = new HashMap<>();
  private int size;

  /** @param user short name of the user that has submitted the group, or {@link #OWN} */
  void add(String user, Item item) {
    lanes.computeIfAbsent(user, none -> new ArrayDeque<>()).add(item);
    ofDirectory.merge(item.directory, 1, Integer::sum);
    size++;
  }

  boolean isEmpty() {
    return lanes.isEmpty();
  }

  /** Returns how many groups of a user wait. */
  int size(String user) {
    Deque<Item> lane = lanes.get(user);
    return lane == null ? 0 : lane.size();
  }

  /** Returns whether one more group of a user may wait. */
  boolean hasRoom(String user) {
    return size(user) < USER_MAX && size - size(OWN) < USERS_MAX;
  }

  /** Returns the group that is made next. The queue must not be empty. */
  Item peek() {
    return lanes.values().iterator().next().peek();
  }

  /**
   * Removes and returns the group that is made next. The turn then goes to the next user that has
   * groups.
   */
  Item remove() {
    Iterator<Map.Entry<String, Deque<Item>>> first = lanes.entrySet().iterator();
    Map.Entry<String, Deque<Item>> turn = first.next();
    String user = turn.getKey();
    Deque<Item> lane = turn.getValue();
    first.remove();
    Item item = lane.remove();
    if (!lane.isEmpty()) {
      lanes.put(user, lane);
    }
    forget(item);
    return item;
  }

  /** Removes and returns all waiting groups of a directory. */
  List<Item> removeDirectory(long directory) {
    List<Item> removed = new ArrayList<>();
    if (ofDirectory.containsKey(directory)) {
      for (Deque<Item> lane : lanes.values()) {
        lane.removeIf(item -> item.directory == directory && removed.add(item));
      }
      lanes.values().removeIf(Deque::isEmpty);
      removed.forEach(this::forget);
    }
    return removed;
  }

  private void forget(Item item) {
    ofDirectory.computeIfPresent(item.directory,
        (directory, groups) -> groups == 1 ? null : groups - 1);
    size--;
  }

  /** Returns how many groups of a directory wait. */
  int ofDirectory(long directory) {
    return ofDirectory.getOrDefault(directory, 0);
  }

  void clear() {
    lanes.clear();
    ofDirectory.clear();
    size = 0;
  }
}
