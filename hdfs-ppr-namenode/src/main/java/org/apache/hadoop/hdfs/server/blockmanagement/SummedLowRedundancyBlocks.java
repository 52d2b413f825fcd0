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
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * Answers stock's questions to a queue in two parts with the sums of both parts. Answers about
 * replicated and badly distributed blocks come from the superclass, because only stock's part,
 * which is the superclass's own state, has such blocks.
 */
abstract class SummedLowRedundancyBlocks extends LowRedundancyBlocks {
  /** The owned part of the queue, from which stock does not schedule. */
  final LowRedundancyBlocks owned = new LowRedundancyBlocks();

  @Override
  synchronized int size() {
    return super.size() + owned.size();
  }

  /** Returns how many blocks stock's part has. */
  final int sizeOfStocks() {
    return super.size();
  }

  @Override
  synchronized int getLowRedundancyBlockCount() {
    return super.getLowRedundancyBlockCount() + owned.getLowRedundancyBlockCount();
  }

  @Override
  synchronized int getCorruptBlockSize() {
    return super.getCorruptBlockSize() + owned.getCorruptBlockSize();
  }

  @Override
  long getCorruptECBlockGroups() {
    return super.getCorruptECBlockGroups() + owned.getCorruptECBlockGroups();
  }

  @Override
  long getLowRedundancyECBlockGroups() {
    // The superclass subtracts the number of corrupt groups, which it gets from this object for
    // both parts. So this method adds the number of the owned part again.
    return super.getLowRedundancyECBlockGroups() + owned.getLowRedundancyECBlockGroups()
        + owned.getCorruptECBlockGroups();
  }

  @Override
  long getHighestPriorityECBlockCount() {
    return super.getHighestPriorityECBlockCount() + owned.getHighestPriorityECBlockCount();
  }

  @Override
  synchronized Iterator<BlockInfo> iterator(int level) {
    return bothOf(super.iterator(level), owned.iterator(level));
  }

  @Override
  public synchronized Iterator<BlockInfo> iterator() {
    return bothOf(super.iterator(), owned.iterator());
  }

  private static Iterator<BlockInfo> bothOf(Iterator<BlockInfo> one, Iterator<BlockInfo> other) {
    return new Iterator<BlockInfo>() {
      @Override
      public boolean hasNext() {
        return one.hasNext() || other.hasNext();
      }

      @Override
      public BlockInfo next() {
        if (one.hasNext()) {
          return one.next();
        }
        if (other.hasNext()) {
          return other.next();
        }
        throw new NoSuchElementException();
      }
    };
  }
}
