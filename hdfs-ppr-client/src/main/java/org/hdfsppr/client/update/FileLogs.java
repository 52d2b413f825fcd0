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
package org.hdfsppr.client.update;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.client.read.LocatedGroup;
import org.hdfsppr.operate.GroupReplacedException;

/**
 * Finds the units of a file that have an update log. A unit gets one with the first write into it.
 */
@InterfaceAudience.Private
final class FileLogs {
  /** How often the block groups are looked up again after commits have replaced them. */
  private static final int TRIES_MOST = 5;
  /** The most threads that ask the NameNode at the same time, beside the caller's. */
  private static final int HELPERS_MOST = 7;

  private final UpdateContext context;
  private final String path;
  private final FileUpdater.GroupLook look;

  /**
   * @param path the file
   * @param look looks up its groups
   */
  FileLogs(UpdateContext context, String path, FileUpdater.GroupLook look) {
    this.context = context;
    this.path = path;
    this.look = look;
  }

  /** Returns the units, as {@link UnitKey}s. */
  Set<Long> units() throws IOException {
    for (int tries = 1; ; tries++) {
      try {
        return units(look.groups());
      } catch (GroupReplacedException e) {
        if (tries == TRIES_MOST) {
          throw e;
        }
      }
    }
  }

  private Set<Long> units(List<LocatedGroup> groups) throws IOException {
    LeaderRetry retry = context.retry(new UpdateTickets(context.nameNode, path, false,
        context.nanoClock));
    Collection<Long> found = new ConcurrentSkipListSet<>();
    List<Crew.Task> tasks = new ArrayList<>();
    for (int i = 0; i < groups.size(); i++) {
      int index = i;
      tasks.add(() -> {
        LocatedGroup group = groups.get(index);
        long moment = retry.moment(group.id());
        for (int unit = 0; unit < group.dataUnits(); unit++) {
          // The NameNode answers for all units of a group at once.
          if (group.unitBytes(unit) > 0 && retry.ticket(group.id(), unit, moment).isPresent()) {
            found.add(UnitKey.of(index, unit));
          }
        }
      });
    }
    Crew.run(tasks, context.helpers(), HELPERS_MOST);
    return new TreeSet<>(found);
  }
}
