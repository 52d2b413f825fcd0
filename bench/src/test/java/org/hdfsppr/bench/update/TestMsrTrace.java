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
package org.hdfsppr.bench.update;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests how traces are read, and what is said about wrong ones. */
class TestMsrTrace {
  private static final String WRITE = "128166410318060999,wdev,1,Write,4096,512,1189";

  @TempDir
  private Path folder;

  private List<TraceRequest> read(String text) throws IOException {
    Path file = folder.resolve("trace.csv");
    Files.write(file, text.getBytes(StandardCharsets.ISO_8859_1));
    List<TraceRequest> requests = new ArrayList<>();
    MsrTrace.read(file, requests::add);
    return requests;
  }

  private void assertWrong(String text, String... words) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> read(text)).getMessage();
    for (String word : words) {
      assertTrue(message.contains(word), message);
    }
  }

  @Test
  void requestsAreReadInTheirOrder() throws IOException {
    List<TraceRequest> requests =
        read(WRITE + "\r\n128166410318061000,wdev,1,Read,3165323264,65536,3\n");
    assertEquals(2, requests.size());
    assertEquals(true, requests.get(0).isWrite);
    assertEquals(4096, requests.get(0).offset);
    assertEquals(4608, requests.get(0).end());
    assertEquals(false, requests.get(1).isWrite);
    assertEquals(3165323264L, requests.get(1).offset);
    assertEquals(65536, requests.get(1).size);
  }

  @Test
  void aMissingColumnIsNamed() {
    assertWrong(WRITE + "\n1,wdev,1,Write,4096,512\n", "trace.csv, line 2: ", "has 6 columns, not"
        + " 7", "timestamp,host,disk,type,offset,size,response time");
    assertWrong(WRITE + "\n\n" + WRITE, "line 2: ", "take the empty line out");
    assertWrong(WRITE + ",1", "line 1: ", "has 8 columns");
  }

  @Test
  void wrongValuesAreNamed() {
    assertWrong("Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime",
        "line 1: timestamp is 'Timestamp', and has to be a whole number from 0");
    assertWrong(WRITE + "\n1,wdev,1,write,0,1,1", "line 2: type is 'write', and has to be Read or");
    assertWrong("1,wdev,1,Write,-5,1,1", "line 1: offset is '-5', and has to be a whole number");
    assertWrong("1,wdev,1,Write,1.5,1,1", "offset is '1.5'");
    assertWrong("1,wdev,1,Write,,1,1", "offset is ''");
    assertWrong("1,wdev,1,Write,1,1,x", "response time is 'x'");
    assertWrong("1,wdev,1,Write,99999999999999999999,1,1", "more than a number of 64 bits");
    assertWrong("1,wdev,1,Write,9223372036854775807,1,1", "offset is 9223372036854775807, and at");
    assertWrong("1,wdev,1,Write,0,0,1", "line 1: size is 0, and has to be 1 to 1073741824");
    assertWrong("1,wdev,1,Read,0,1073741825,1", "size is 1073741825");
  }

  @Test
  void otherFilesAreRefused() {
    assertWrong("", "trace.csv is empty");
    assertWrong(WRITE + "\n\u00ff\u00fe\u00ff", "is not a text file");
    assertThrows(IOException.class, () -> MsrTrace.read(folder.resolve("none"), any -> { }));
  }
}
