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
package org.apache.hadoop.hdfs.server.datanode.fsdataset.impl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.junit.jupiter.api.Test;

/** Looks for the members of Hadoop's dataset that links need. */
@InterfaceAudience.Private
class TestReplicaLinksAccess {
  /** A volume that counts its space in another way. */
  @SuppressWarnings("unused")
  private static final class OtherVolume {
    void createTemporary(ExtendedBlock block) {
    }

    void incDfsUsed(long value) {
    }
  }

  private static List<String> missingWith(String name, Class<?> other) {
    return ReplicaLinksAccess.missing(asked -> {
      if (!asked.equals(name)) {
        return Class.forName(ReplicaLinksAccess.class.getPackage().getName() + "." + asked);
      } else if (other == null) {
        throw new ClassNotFoundException(name);
      }
      return other;
    });
  }

  @Test
  void thisHadoopHasAll() {
    assertEquals(Collections.emptyList(), ReplicaLinksAccess.missing());
  }

  @Test
  void whatAnotherHadoopLacksIsNamed() {
    List<String> missing = missingWith("FsVolumeImpl", OtherVolume.class);
    assertEquals(3, missing.size(), missing.toString());
    assertTrue(missing.get(0).contains("FsVolumeImpl.createTemporary"), missing.get(0));
    assertTrue(missing.get(1).contains("FsVolumeImpl.obtainReference"), missing.get(1));
    assertTrue(missing.get(2).contains("FsVolumeImpl.incDfsUsed"), missing.get(2));
    assertEquals(List.of("class ReplicaMap"), missingWith("ReplicaMap", null));
  }
}
