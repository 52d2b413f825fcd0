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
package org.apache.hadoop.hdfs.server.blockmanagement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.junit.jupiter.api.Test;

/** Tests which storage a rebuilt unit goes to. */
public class TestTargetStorages {
  private static final StorageType[] NONE = {};
  private static final BlockStoragePolicy HOT = new BlockStoragePolicy((byte) 7, "HOT",
      new StorageType[] {StorageType.DISK}, NONE, new StorageType[] {StorageType.ARCHIVE});
  private static final BlockStoragePolicy ONE_SSD = new BlockStoragePolicy((byte) 10, "ONE_SSD",
      new StorageType[] {StorageType.SSD, StorageType.DISK},
      new StorageType[] {StorageType.SSD, StorageType.DISK},
      new StorageType[] {StorageType.SSD, StorageType.DISK});

  private int nodes;

  private DatanodeDescriptor node() {
    nodes++;
    return DFSTestUtil.getDatanodeDescriptor("127.0.0." + nodes, 9866 + nodes, "/rack");
  }

  private static DatanodeStorageInfo storage(DatanodeDescriptor node, StorageType type,
      long remaining) {
    DatanodeStorageInfo storage = BlockManagerTestUtil.updateStorage(node, new DatanodeStorage(
        type + "-" + remaining, DatanodeStorage.State.NORMAL, type));
    storage.setUtilizationForTesting(1 << 30, 0, remaining, 0);
    return storage;
  }

  private List<DatanodeStorageInfo> live(StorageType type) {
    return List.of(storage(node(), type, 1), storage(node(), type, 1),
        storage(node(), StorageType.DISK, 1), storage(node(), StorageType.DISK, 1));
  }

  private static DatanodeStorageInfo choose(BlockStoragePolicy policy,
      List<DatanodeStorageInfo> live, DatanodeDescriptor... targets) {
    return choose(true, policy, live, targets);
  }

  private static DatanodeStorageInfo choose(boolean anyType, BlockStoragePolicy policy,
      List<DatanodeStorageInfo> live, DatanodeDescriptor... targets) {
    DatanodeStorageInfo[] chosen = TargetStorages.choose(policy, live, List.of(targets), 100,
        anyType);
    return chosen[chosen.length - 1];
  }

  @Test
  public void takesTheWantedTypeWhereThereIsMostRoom() {
    DatanodeDescriptor node = node();
    storage(node, StorageType.SSD, 1000);
    storage(node, StorageType.DISK, 200);
    DatanodeStorageInfo best = storage(node, StorageType.DISK, 300);
    assertEquals(best, choose(HOT, live(StorageType.DISK), node));
  }

  @Test
  public void takesWhatThePolicyAllowsInstead() {
    DatanodeDescriptor node = node();
    storage(node, StorageType.SSD, 1000);
    storage(node, StorageType.DISK, 99);
    DatanodeStorageInfo archive = storage(node, StorageType.ARCHIVE, 100);
    assertEquals(archive, choose(HOT, live(StorageType.DISK), node));
    assertNull(choose(false, HOT, live(StorageType.DISK), node), "other nodes may have a disk");
    DatanodeDescriptor other = node();
    storage(other, StorageType.SSD, 1000);
    assertNull(choose(HOT, live(StorageType.DISK), other));
    assertNull(choose(HOT, live(StorageType.DISK), node, other));
  }

  @Test
  public void countsWhatTheOthersAreOn() {
    DatanodeDescriptor node = node();
    DatanodeStorageInfo ssd = storage(node, StorageType.SSD, 1000);
    DatanodeStorageInfo disk = storage(node, StorageType.DISK, 1000);
    assertEquals(disk, choose(ONE_SSD, live(StorageType.SSD), node));
    assertEquals(ssd, choose(ONE_SSD, live(StorageType.DISK), node));
  }

  @Test
  public void leavesRoomForWhatIsOnItsWay() {
    DatanodeDescriptor node = node();
    DatanodeStorageInfo disk = storage(node, StorageType.DISK, 250);
    assertEquals(disk, choose(HOT, live(StorageType.DISK), node));
    DatanodeStorageInfo.incrementBlocksScheduled(disk);
    assertEquals(disk, choose(HOT, live(StorageType.DISK), node));
    DatanodeStorageInfo.incrementBlocksScheduled(disk);
    assertNull(choose(HOT, live(StorageType.DISK), node));
  }
}
