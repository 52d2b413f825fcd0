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
package org.hdfsppr.namenode.doctor;

import java.util.Locale;
import org.apache.hadoop.classification.InterfaceAudience;

/** The kinds of findings, one for each check. {@code docs/doctor.md} explains each of them. */
@InterfaceAudience.Private
public enum FindingCode {
  /** Live DataNodes run without the plugin. */
  PLUGIN_MISSING("Install the plugin on these DataNodes and restart them, see docs/install.md."
      + " Until then repairs only read from them, at the cost of speed."),
  /** The plugin on a live DataNode sends no heartbeats any more. */
  AGENT_SILENT("Look for hdfs-ppr in the logs of these DataNodes: the plugin may have stopped, or"
      + " may not reach the port of dfs.namenode.ppr.rpc-address on this NameNode. A DataNode from"
      + " which the plugin was removed counts as one without the plugin after an hour."),
  /** DataNodes or the NameNode run different versions of the extension. */
  VERSIONS_DIFFER("Finish the upgrade: install the same version on all nodes and restart them, see"
      + " docs/install.md."),
  /** One class path has jars of two versions. */
  TWO_VERSIONS("Remove the old jar from the named folder and restart the daemon. A JVM mixes the"
      + " classes of two jars, with unpredictable results."),
  /** The port for repairs of a node is closed to others. */
  PORT_CLOSED("Open the repair port (dfs.datanode.ppr.address) of these DataNodes in the firewall"
      + " for all DataNodes, and check that it is the same port on all of them."),
  /** A node multiplies with the slow Java kernel. */
  KERNEL_JAVA("Install a release with the native kernels for the platform of these nodes, or give"
      + " them a temporary directory from which the JVM may load libraries. If dfs.ppr.kernel is"
      + " java, set it to auto. Then restart them."),
  /**
   * A node understands only an old form of update tickets, which stock accepts as tokens for
   * writing blocks.
   */
  TICKETS_OLD("Install this version on these DataNodes and restart them, see docs/install.md. Then"
      + " set dfs.namenode.ppr.update.old-tickets to false."),
  /** A node cannot tell whether clients read old versions of files. */
  READS_UNSEEN("Install this version on these DataNodes and restart them, see docs/install.md."
      + " Where the logs of a DataNode are not written by log4j 1 or reload4j, or where the logger"
      + " of stock's client trace has appenders of its own, see docs/convert.md before you convert"
      + " files that streams may have open."),
  /** A setting has different values on different nodes. */
  SETTINGS_DIFFER("Give the setting one value in hdfs-site.xml of all DataNodes and restart those"
      + " that change, unless the difference is on purpose."),
  /** The clock of a node is wrong. */
  CLOCK_OFF("Let NTP or chrony set the clocks of these nodes. Block tokens expire by the clock, and"
      + " times in logs cannot be compared."),
  /** The link rate that the scheduler assumes is far from what repairs see. */
  LINK_RATE("Set dfs.namenode.ppr.link.bytes.per-second to the rate of a DataNode's link in bytes"
      + " per second, and restart the NameNode. If it is right, look for what holds the links"
      + " back.");

  /** What to do about the finding, in sentences */
  public final String remedy;

  FindingCode(String remedy) {
    this.remedy = remedy;
  }

  /** @return the name of the code in documents, lower case with underscores */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
