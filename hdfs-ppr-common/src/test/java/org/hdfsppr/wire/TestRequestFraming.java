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
package org.hdfsppr.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import org.apache.hadoop.classification.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** How a request is put on, and taken off, a connection. */
@InterfaceAudience.Private
class TestRequestFraming {
  private static byte[] written(PartialSumRequest request) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    RequestFraming.write(new DataOutputStream(bytes), request);
    return bytes.toByteArray();
  }

  private static PartialSumRequest read(byte[] bytes) throws IOException {
    return RequestFraming.read(new ChannelInput(new ByteArrayInputStream(bytes)));
  }

  @Test
  void whatIsWrittenIsRead() throws IOException {
    RandomRequests requests = new RandomRequests(new Random(1));
    for (int i = 0; i < 300; i++) {
      PartialSumRequest request = requests.next();
      assertEquals(request.toProto(), read(written(request)).toProto());
    }
  }

  @Test
  void beginsAsHadoopsRequestsDo() throws IOException {
    byte[] bytes = written(new RandomRequests(new Random(2)).next());
    assertArrayEquals(new byte[] {0, 28, (byte) 200}, Arrays.copyOf(bytes, 3));
  }

  /** A damaged coefficient would give wrong bytes that no later check could find. */
  @Test
  void everyFlippedBitIsFound() throws IOException {
    byte[] right = written(new RandomRequests(new Random(3)).next());
    for (int bit = 0; bit < right.length * 8; bit++) {
      byte[] wrong = right.clone();
      wrong[bit / 8] ^= 1 << bit % 8;
      IOException e = assertThrows(IOException.class, () -> read(wrong), "bit " + bit);
      assertTrue(e instanceof MalformedRequestException || e instanceof EOFException,
          e.toString());
    }
  }

  @Test
  void everyTruncationIsFound() throws IOException {
    byte[] right = written(new RandomRequests(new Random(4)).next());
    for (int length = 0; length < right.length; length++) {
      byte[] part = Arrays.copyOf(right, length);
      assertThrows(EOFException.class, () -> read(part), "length " + length);
    }
  }

  @Test
  void theRefusalOfAStrangerNamesWhatItSent() {
    assertTrue(assertThrows(MalformedRequestException.class,
        () -> read("GET / HTTP/1.1\r\n".getBytes())).getMessage().contains("ersion"));
    // Stock's READ_BLOCK.
    assertTrue(assertThrows(MalformedRequestException.class,
        () -> read(new byte[] {0, 28, 81, 0})).getMessage().contains("81"));
  }
}
