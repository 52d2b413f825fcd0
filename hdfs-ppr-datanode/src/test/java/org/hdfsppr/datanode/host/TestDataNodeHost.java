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
package org.hdfsppr.datanode.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.server.datanode.ReplicaNotFoundException;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.hdfsppr.datanode.replica.RepairTraffic;
import org.hdfsppr.datanode.users.SharedLink;
import org.hdfsppr.plan.NodeRef;
import org.junit.jupiter.api.Test;

/** The answer of a DataNode that cannot read a replica of its own. */
@InterfaceAudience.Private
class TestDataNodeHost {
  @Test
  void aRequesterReadsNoPath() {
    assertEquals("java.io.FileNotFoundException, the log of this DataNode says where",
        DataNodeHost.withoutPath(new FileNotFoundException(
            "/data/1/current/BP-1/blk_-16 (Permission denied)")));
    assertEquals("java.io.IOException, the log of this DataNode says where",
        DataNodeHost.withoutPath(new IOException("Input/output error: 'file:/data 1/blk_-16'")));
  }

  @Test
  void whatHasNoPathStaysAsItIs() {
    IOException e = new ReplicaNotFoundException("The replica of BP-1:blk_-16_1001 has 5 bytes");
    assertEquals(e.toString(), DataNodeHost.withoutPath(e));
  }

  /** Work with a rate limit is not urgent, and readers are users. */
  @Test
  void whatRepairsMoveMakesOtherWorkWait() {
    SharedLink link = mock(SharedLink.class);
    DataNodeHost host = DataNodeHost.leading(mock(DataNode.class), NodeRef.NO_REPAIR_PORT,
        new RepairTraffic()).withLink(link);
    host.sent(1, true);
    host.received(1, true);
    host.sentToReader(1);
    host.receivedForReader(1);
    verify(link, never()).repairMoves();
    host.sent(1, false);
    verify(link, times(1)).repairMoves();
    host.received(1, false);
    verify(link, times(2)).repairMoves();
    host.yieldToRepairs(7);
    verify(link).awaitRepairs(7);
  }
}
