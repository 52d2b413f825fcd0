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
package org.hdfsppr.plan;

import java.util.Objects;
import org.apache.hadoop.classification.InterfaceAudience;

/** Names a DataNode in a plan. Two references are equal if their UUIDs are equal. */
@InterfaceAudience.Private
public final class NodeRef {
  /** The value of {@link #repairPort} for a node that does not run hdfs-ppr. */
  public static final int NO_REPAIR_PORT = 0;

  /** UUID of the DataNode */
  public final String uuid;
  /** IP address of the DataNode */
  public final String ipAddr;
  /** Host name of the DataNode */
  public final String hostName;
  /** Port of the stock DataTransferProtocol */
  public final int xferPort;
  /** Port of hdfs-ppr's transfer server, or {@link #NO_REPAIR_PORT} */
  public final int repairPort;
  /** Network location, such as {@code /default-rack}; may be empty */
  public final String rack;

  /**
   * @param uuid the DataNode's UUID
   * @param ipAddr its IP address
   * @param hostName its host name, for clusters that connect by name
   * @param xferPort port of the stock DataTransferProtocol
   * @param repairPort port of hdfs-ppr's transfer server, or {@link #NO_REPAIR_PORT}
   * @param rack network location such as {@code /default-rack}; never null, may be empty
   * @throws IllegalArgumentException if a port is out of range
   */
  public NodeRef(String uuid, String ipAddr, String hostName, int xferPort, int repairPort,
      String rack) {
    this.uuid = Objects.requireNonNull(uuid, "uuid");
    this.ipAddr = Objects.requireNonNull(ipAddr, "ipAddr");
    this.hostName = Objects.requireNonNull(hostName, "hostName");
    this.xferPort = checkPort("xferPort", xferPort);
    this.repairPort = checkPort("repairPort", repairPort);
    this.rack = Objects.requireNonNull(rack, "rack");
  }

  private static int checkPort(String name, int port) {
    if (port < 0 || port > 0xffff) {
      throw new IllegalArgumentException(name + " " + port + " is not a port (0 to 65535)");
    }
    return port;
  }

  /**
   * @return whether this node runs hdfs-ppr, so that it can multiply and sum; from a node without
   *     hdfs-ppr, other nodes can only read units by stock reads
   */
  public boolean runsExtension() {
    return repairPort != NO_REPAIR_PORT;
  }

  /**
   * @param port the port of the node's transfer server
   * @return the same node with that port
   */
  public NodeRef withRepairPort(int port) {
    return new NodeRef(uuid, ipAddr, hostName, xferPort, port, rack);
  }

  /**
   * Compares all fields, while {@link #equals} compares the UUIDs only.
   *
   * @param other another reference
   * @return whether both name the same node, with the same addresses, ports and rack
   */
  public boolean saysTheSameAs(NodeRef other) {
    return uuid.equals(other.uuid) && ipAddr.equals(other.ipAddr)
        && hostName.equals(other.hostName) && xferPort == other.xferPort
        && repairPort == other.repairPort && rack.equals(other.rack);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof NodeRef && ((NodeRef) o).uuid.equals(uuid);
  }

  @Override
  public int hashCode() {
    return uuid.hashCode();
  }

  @Override
  public String toString() {
    return ipAddr + ":" + xferPort;
  }
}
