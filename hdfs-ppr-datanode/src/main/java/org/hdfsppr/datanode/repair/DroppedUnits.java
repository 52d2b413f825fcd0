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
package org.hdfsppr.datanode.repair;

import java.nio.ByteBuffer;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.util.DataChecksum;
import org.hdfsppr.plan.PlanTarget;
import org.hdfsppr.stream.Rebuild;
import org.hdfsppr.stream.UnitSink;

/** Accepts and drops the rebuilt units of a repair whose plan runs only for its check. */
@InterfaceAudience.Private
final class DroppedUnits implements Rebuild.Sinks {
  @Override
  public UnitSink open(PlanTarget target, DataChecksum checksum) {
    return new UnitSink() {
      @Override
      public void write(ByteBuffer data) {
        data.position(data.limit());
      }

      @Override
      public void commit() {
        // The sink has kept nothing.
      }

      @Override
      public void close() {
        // The sink has taken nothing that it could give back.
      }
    };
  }

  @Override
  public void throttleWrite(long bytes) {
    // Nothing is written.
  }
}
