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
import java.util.ArrayList;
import java.util.List;
import org.hdfsppr.plan.GroupId;
import org.hdfsppr.plan.UnitHolder;

/**
 * The nodes of the units of several files, the members of a CORE group. All groups of a parity file
 * share this object. Used by one thread at a time.
 */
final class MemberUnits {
  private final EngineParts parts;
  private final List<TargetFile> files;
  private List<OldUnits> located = List.of();

  MemberUnits(EngineParts parts, List<TargetFile> files) {
    this.parts = parts;
    this.files = files;
  }

  /** Asks the NameNode again where the files' units are. */
  void locate() throws IOException {
    List<OldUnits> units = new ArrayList<>();
    for (TargetFile file : files) {
      units.add(OldUnits.locate(parts.store, parts.door, file.inodeId()));
    }
    located = units;
  }

  /** Returns one node for each unit of a block group that has a replica. */
  List<UnitHolder> of(GroupId group) {
    return located.stream().map(units -> units.of(group)).filter(list -> !list.isEmpty())
        .findFirst().orElse(List.of());
  }
}
