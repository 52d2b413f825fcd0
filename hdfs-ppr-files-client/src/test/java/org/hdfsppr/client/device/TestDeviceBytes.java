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
package org.hdfsppr.client.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.hdfsppr.record.RecordFile;
import org.junit.jupiter.api.Test;

/** Records the bytes of the file that makes a directory a block device, and all names. */
class TestDeviceBytes {
  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void bytesAreAsRecorded() throws IOException {
    RecordFile.of("device", "the file _device in a directory that is a block device",
        bytes -> DeviceRecord.encode(DeviceRecord.decode(bytes)))
        .record("of three objects", DeviceRecord.encode(new DeviceLayout(18 << 20, 6 << 20)))
        .record("the least", DeviceRecord.encode(new DeviceLayout(1, 1)))
        .record("the largest", DeviceRecord.encode(
            new DeviceLayout(Long.MAX_VALUE, Long.MAX_VALUE)))
        .given("of a later version", text("{\"format\":2,\"size\":6,\"object\":3}"))
        .given("of no version", text("{\"size\":6,\"object\":3}"))
        .given("with a field that is not known",
            text("{\"format\":1,\"size\":6,\"object\":3,\"colour\":\"blue\"}"))
        .given("without a size", text("{\"format\":1,\"object\":3}"))
        .given("of no bytes", text("{\"format\":1,\"size\":0,\"object\":3}"))
        .given("of too many objects", text("{\"format\":1,\"size\":1000001,\"object\":1}"))
        .check();
  }

  @Test
  void namesAreAsRecorded() {
    assertEquals("_device", DeviceRecord.NAME);
    assertEquals("object-0000000", DeviceLayout.nameOf(0));
    assertEquals("object-0999999", DeviceLayout.nameOf(999_999));
    assertEquals(999_999, DeviceLayout.objectOf("object-0999999"));
    assertEquals(-1, DeviceLayout.objectOf("object-999999"));
  }

  @Test
  void whatRelease020HasLeftIsRead() throws IOException {
    byte[] left = RecordFile.allOf020("namespace.txt").get("/images/disk/" + DeviceRecord.NAME);
    DeviceLayout read = DeviceRecord.decode(left);
    assertEquals(196_608, read.size);
    assertEquals(98_304, read.objectBytes);
    assertArrayEquals(left, DeviceRecord.encode(read));
  }
}
