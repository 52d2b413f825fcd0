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
package org.hdfsppr.namenode.update;

import java.util.Collection;
import java.util.Map;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.plan.NodeRef;
import org.hdfsppr.update.append.LogPosition;
import org.hdfsppr.update.append.SignedTicket;

/** Asks DataNodes how far their logs are. */
@InterfaceAudience.Private
public interface LogQuestions {
  /**
   * @param ticket a ticket of the unit, with a token that has COPY
   * @param nodes the nodes
   * @return by UUID, how far those are with the unit that have answered in time
   */
  Map<String, LogPosition> positions(SignedTicket ticket, Collection<NodeRef> nodes);
}
