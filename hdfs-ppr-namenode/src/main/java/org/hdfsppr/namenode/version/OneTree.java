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
import java.util.stream.Collectors;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.convert.Conversion;
import org.hdfsppr.plan.Holder;

/** Makes all units of a group in one tree. */
@InterfaceAudience.Private
final class OneTree implements MakePlans {
  @Override
  public List<MakeTree> plan(Conversion conversion, List<Holder> holders, List<Holder> targets,
      long unitBytes) {
    List<Holder> helpers = holders.stream()
        .filter(holder -> conversion.oldUnit(holder.unit()) != Conversion.NONE)
        .map(holder -> new Holder(conversion.oldUnit(holder.unit()), holder.node()))
        .collect(Collectors.toList());
    return List.of(new MakeTree(targets.stream()
        .map(target -> new Holder(conversion.newUnit(target.unit()), target.node()))
        .collect(Collectors.toList()), helpers, "star", true,
        unitBytes * (conversion.from().dataUnits() + targets.size() - 1)));
  }
}
