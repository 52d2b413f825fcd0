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
package org.hdfsppr.namenode.version;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which making owns which version, by the inode id of the version's file. A version is owned by at
 * most one making, or by the janitor. Thread-safe.
 */
final class VersionClaims {
  private final Map<Long, Object> owners = new ConcurrentHashMap<>();

  /** The claim of one making to its files. It has all of them, or none. */
  final class Claim {
    private final List<Long> inodeIds;

    private Claim(List<Long> inodeIds) {
      this.inodeIds = inodeIds;
    }

    /** Claims all files; returns false if something else owns one of them. */
    boolean take() {
      for (long inodeId : inodeIds) {
        if (!VersionClaims.this.take(inodeId, this)) {
          giveBack();
          return false;
        }
      }
      return true;
    }

    void giveBack() {
      inodeIds.forEach(inodeId -> VersionClaims.this.giveBack(inodeId, this));
    }
  }

  /** Returns a claim, which {@link Claim#take} takes. */
  Claim claim(List<Long> inodeIds) {
    return new Claim(List.copyOf(inodeIds));
  }

  /** Claims a file for an owner; returns false if another one owns it. */
  boolean take(long inodeId, Object owner) {
    Object other = owners.putIfAbsent(inodeId, owner);
    return other == null || other == owner;
  }

  /** Gives a file back. Does nothing if another owner has it. */
  void giveBack(long inodeId, Object owner) {
    owners.remove(inodeId, owner);
  }

  boolean isTaken(long inodeId) {
    return owners.containsKey(inodeId);
  }

  boolean isEmpty() {
    return owners.isEmpty();
  }
}
