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

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.security.AccessControlException;
import org.hdfsppr.namenode.convert.UserDoor;
import org.hdfsppr.namenode.spread.SpreadView;
import org.hdfsppr.operate.SpreadAnswer;
import org.hdfsppr.operate.SpreadMove;
import org.hdfsppr.operate.SpreadPlace;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets superusers move blocks of which two or more are together on a DataNode. The caller gets a
 * token with which a DataNode takes a block from any source, and thus any bytes; the balancer,
 * which has such tokens, is for superusers, too. Thread-safe.
 */
@InterfaceAudience.Private
public final class SpreadDesk {
  private static final Logger LOG = LoggerFactory.getLogger(SpreadDesk.class);
  private static final String AUDIT = "pprCore spread";
  private static final String ALL = "/";

  private final CoreKeeper keeper;
  private final UserDoor users;
  private final SpreadView view;
  private final Spreader spreader;

  /**
   * @param keeper has the groups
   * @param users checks the caller of the present call
   * @param view where blocks are
   */
  public SpreadDesk(CoreKeeper keeper, UserDoor users, SpreadView view) {
    this.keeper = keeper;
    this.users = users;
    this.view = view;
    this.spreader = new Spreader(view);
  }

  void checkCaller(String path) throws IOException {
    if (!users.isSuperuser()) {
      users.audit(false, AUDIT, path == null ? ALL : path);
      throw new AccessControlException("Only superusers move blocks between DataNodes, and "
          + users.name() + " is none");
    }
  }

  /**
   * @param path the directory; null for all
   * @param directory its inode id; empty for all
   * @param from the column at which to begin
   * @param timeoutMs how long the caller waits, ms
   */
  SpreadAnswer plan(String path, OptionalLong directory, SpreadPlace from, long timeoutMs)
      throws IOException {
    Spreader.Step step = keeper.call(() ->
        spreader.step(keeper.shelf(), directory, from), timeoutMs);
    String user = users.name();
    List<SpreadMove> moves = new ArrayList<>();
    for (Spreader.Found found : step.found) {
      try {
        moves.add(new SpreadMove(view.grant(found.move, user), found.place.coreGroup,
            found.place.index, found.move.unit));
      } catch (IOException e) {
        LOG.debug("{} is not moved any more", found.move, e);
      }
    }
    if (!moves.isEmpty()) {
      users.audit(true, AUDIT, path == null ? ALL : path);
    }
    return new SpreadAnswer(moves, step.columns(), step.together(), step.staying, step.next());
  }
}
