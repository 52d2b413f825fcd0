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
package org.hdfsppr.namenode.track;

import org.apache.hadoop.classification.InterfaceAudience;

/**
 * The rules that a plan for a group may break if no plan keeps them. Each constant says what such a
 * plan may do. When the group is whole, its plans have to keep all rules again.
 */
@InterfaceAudience.Private
public enum RelaxedRule {
  /** The group may be on fewer racks than it should be on. */
  ANY_RACK,
  /**
   * The rebuilt units may go to storage of a type that the file's policy allows but does not
   * prefer.
   */
  ANY_STORAGE,
  /** The destination may be a node that stock avoids: a copy on a slow node is better than none. */
  ON_AVOIDED,
  /**
   * The destination of a repair that reads the row may be a node that has another block of the same
   * column of CORE. If that node is lost, the column lacks two blocks, and its sum can rebuild
   * neither.
   */
  ON_COLUMN,
  /**
   * If only one node has found a contradiction between the group's units, this node may be the
   * destination, although its report cannot end the doubt.
   */
  BY_FINDER,
  /**
   * Nodes that are kept out because repairs with them failed may take part: they may have
   * recovered, and nothing else has their units.
   */
  WITH_FAILING,
  /** Nodes that seem to calculate wrongly may again be helpers and add up partial results. */
  WITH_DISTRUSTED,
  /** The destination may be a node that seems to calculate wrongly. */
  BY_DISTRUSTED,
  /**
   * The result may be accepted without a check of all bytes, although enough units for the check
   * can be read.
   */
  UNCHECKED
}
