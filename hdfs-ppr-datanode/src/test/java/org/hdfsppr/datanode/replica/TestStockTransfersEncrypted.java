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
package org.hdfsppr.datanode.replica;

import static org.hdfsppr.datanode.replica.ReplicaCluster.CRC32C_512;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.util.EnumSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.junit.jupiter.api.Test;

/** Stock transfers with block tokens and encryption, for which both sides must agree on keys. */
class TestStockTransfersEncrypted extends StockTransferSuite {
  @Override
  Configuration conf() {
    Configuration conf = ReplicaCluster.conf();
    conf.setBoolean("dfs.block.access.token.enable", true);
    conf.setBoolean("dfs.encrypt.data.transfer", true);
    conf.set("dfs.encrypt.data.transfer.algorithm", "rc4");
    return conf;
  }

  /** Without this, the rest of the suite would prove nothing. */
  @Test
  void tokensAreInUse() throws IOException {
    ExtendedBlock block = cluster.writeLocal(1, new byte[10], CRC32C_512);
    assertNotEquals(0, cluster.dn(0).getBlockAccessToken(block, EnumSet.of(AccessMode.READ),
        StorageType.EMPTY_ARRAY, new String[0]).getIdentifier().length);
    assertEquals(true, cluster.dn(0).getDnConf().getEncryptDataTransfer());
  }
}
