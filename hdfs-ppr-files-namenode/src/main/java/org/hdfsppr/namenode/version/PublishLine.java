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

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The line of conversions that are made and wait to be published. The first ones may try. A
 * conversion that has tried in vain goes to the end of the line. Thread-safe.
 */
final class PublishLine {
  /**
   * How many conversions try at a time: while one is published, the next one is checked and waits
   * for its turn. NameNodes publish one version after the other, so that more of them would only
   * keep more threads waiting.
   */
  static final int AT_A_TIME = 2;

  private final Set<Place> waiting = new LinkedHashSet<>();

  /** The place of one conversion, which is in the line or not. */
  final class Place {
    private final VersionNews news;

    private Place(VersionNews news) {
      this.news = news;
    }

    /** Enters the line, unless this place is in it; returns whether it is among the first. */
    boolean isFirst() {
      synchronized (PublishLine.this) {
        waiting.add(this);
        return waiting.stream().limit(AT_A_TIME).anyMatch(this::equals);
      }
    }

    /** Leaves the line, and wakes the conversion that is among the first ones now. */
    void leave() {
      Place next;
      synchronized (PublishLine.this) {
        try {
          next = follower();
        } finally {
          waiting.remove(this);
        }
      }
      if (next != null) {
        next.news.come();
      }
    }

    /** Returns the place that is among the first when this one has left; null if there is none. */
    private Place follower() {
      int number = 0;
      boolean isFirst = false;
      for (Place place : waiting) {
        if (number++ == AT_A_TIME) {
          return isFirst ? place : null;
        }
        isFirst |= place == this;
      }
      return null;
    }
  }

  /** @param news wakes the conversion when it is among the first */
  Place place(VersionNews news) {
    return new Place(news);
  }
}
