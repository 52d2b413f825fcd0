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

import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.coder.code.LinearCode;
import org.hdfsppr.coder.convert.Conversion;
import org.hdfsppr.namenode.model.GroupPolicy;
import org.hdfsppr.namenode.schedule.CodeSource;
import org.hdfsppr.plan.NoPlanException;
import org.hdfsppr.plan.NodeRef;

/** The ways to convert a group from one code to another. Each way is computed once. Thread-safe. */
@InterfaceAudience.Private
public final class CodePathCache implements CodePaths {
  /** The way from one code to another, or the reason why there is none. */
  private static final class Entry {
    private final Conversion conversion;
    /**
     * One thread at a time uses the planner, which remembers its plans for groups that are alike.
     */
    private final MakePlanner planner;
    private final String whyNot;

    private Entry(Conversion conversion, String whyNot) {
      this.conversion = conversion;
      this.planner = conversion == null ? null : new MakePlanner(conversion);
      this.whyNot = whyNot;
    }
  }

  private final CodeSource codes;
  /**
   * The key is made of both codes. The NameNode has fewer than 64 policies, so that there are few
   * pairs.
   */
  private final Map<String, Entry> entries = new ConcurrentHashMap<>();

  /** @param codes finds the code of a policy */
  public CodePathCache(CodeSource codes) {
    this.codes = codes;
  }

  private Entry entry(GroupPolicy from, GroupPolicy to) {
    return entries.computeIfAbsent(from + ">" + to, pair -> look(from, to));
  }

  private Entry look(GroupPolicy from, GroupPolicy to) {
    try {
      return new Entry(Conversion.of(codes.code(from), codes.code(to)), null);
    } catch (IOException e) {
      return new Entry(null, "there is no way from " + from + " to " + to + ": "
          + e.getMessage());
    }
  }

  /**
   * @param policy an erasure coding policy
   * @return the code of the policy
   * @throws IOException if the code is not known
   */
  LinearCode code(GroupPolicy policy) throws IOException {
    return codes.code(policy);
  }

  @Override
  public Optional<String> whyNot(GroupPolicy from, GroupPolicy to) {
    return Optional.ofNullable(entry(from, to).whyNot);
  }

  @Override
  public boolean keepsFirstParity(GroupPolicy from, GroupPolicy to) {
    Conversion conversion = entry(from, to).conversion;
    return conversion != null && from.parityUnits > 0 && to.parityUnits > 0
        && conversion.linkedFrom(to.dataUnits) == from.dataUnits;
  }

  /**
   * @param from the code of a file
   * @param to the code of its new version
   * @return how units of the new code come from units of the old one
   * @throws IllegalStateException if there is no way between these codes
   */
  Conversion conversion(GroupPolicy from, GroupPolicy to) {
    Entry entry = entry(from, to);
    if (entry.conversion == null) {
      throw new IllegalStateException(entry.whyNot);
    }
    return entry.conversion;
  }

  /**
   * @param from the code of a file
   * @param to the code of its new version
   * @param group a group of the file
   * @param spare nodes that may hold further units, preferred nodes first
   * @param wanted the units of the new group that are planned; null for all
   * @param taken the nodes of the other units of the new group, which get no further unit
   * @return which units are linked and which are made, on which nodes, and from which units
   * @throws NoPlanException if too many units are lost, or there are too few nodes; the message
   *     says which of both
   */
  MakePlan plan(GroupPolicy from, GroupPolicy to, OldGroup group, Collection<NodeRef> spare,
      Collection<Integer> wanted, Collection<NodeRef> taken) throws NoPlanException {
    MakePlanner planner = entry(from, to).planner;
    synchronized (planner) {
      return planner.plan(group, spare, wanted, taken);
    }
  }
}
