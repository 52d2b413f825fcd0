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
package org.hdfsppr.datanode.security;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.util.StringUtils;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.datanode.RepairCluster;
import org.hdfsppr.wire.FailureCause;
import org.hdfsppr.wire.proto.PprProtos.PartialSumResponseProto;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests as 0.2.0 sends them, which this version no longer serves. */
class TestOlderRequests {
  /**
   * All bytes that a leader of 0.2.0 sends to an inner target: version, opcode, length, request and
   * checksum.
   */
  private static final String INNER_TARGET = "001cc8fc01"
      + "0a0172120442502d371880f8ffffffffffffff0120e907288927308020384040034802500158b0ea"
      + "0162ce010a1f0a03753134120931302e302e302e31341a03683134208a4d28a24d32022f721a740a"
      + "1c0a027533120831302e302e302e331a026833208a4d28a24d32022f72121908031089271a030304"
      + "05220d0a020103120202031a014b22001a390a1c0a027534120831302e302e302e341a026834208a"
      + "4d28a24d32022f72121908041089271a03030405220d0a020104120202041a014b22002235080110"
      + "011a111081f8ffffffffffffff0118e907208827220d0a020101120202011a014b22002a01073a04"
      + "4449534b420444532d316808"
      + "061509a1";

  @TempDir
  private File directory;

  /**
   * The leader learns which features the node has, and that only those of the request are missing.
   * It then plans without inner targets, and the node stays a helper.
   *
   * @param withheld the features that an operator has taken out of use
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 8})
  void anInnerTargetIsUnsupported(int withheld) throws Exception {
    Configuration conf = RepairCluster.configuration(directory);
    conf.setInt(PprKeys.DATANODE_FEATURES_WITHHELD_KEY, withheld);
    try (ServedFile file = ServedFile.start(conf)) {
      Requests requests = file.requests();
      RepairPort port = requests.port(0);
      try (WireClient client = WireClient.connect(port.port())) {
        client.send(StringUtils.hexStringToByte(INNER_TARGET));
        PartialSumResponseProto answer = client.answer();
        assertEquals(Status.ERROR_VALUE, answer.getStatus());
        assertEquals(FailureCause.UNSUPPORTED,
            FailureCause.ofNumber(answer.getFailure().getCause()));
        assertEquals(port.node().uuid, answer.getFailure().getNode().getUuid());
        assertEquals("The request needs features that this version lacks: 8",
            answer.getFailure().getMessage());
        assertEquals(55, answer.getRequestFeatures());
      }
      port.awaitIdle();
      file.assertServes(port, requests.single(0), 0);
    }
  }
}
