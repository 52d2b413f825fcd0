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
package org.hdfsppr.namenode.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.web.WebPages.RequestHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests how headers of requests are understood. */
@InterfaceAudience.Private
class TestRequestHeaders {

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "GZIP", "br, gzip", "deflate;q=0.9,gzip;q=0.1", "x-gzip", "*",
      "br;q=0, *;q=0.5", " gzip ; q=1.0 "})
  void gzipIsAccepted(String header) {
    assertTrue(RequestHeaders.acceptsGzip(header), header);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "identity", "br", "gzip;q=0", "gzip; q=0.000, *", "*;q=0", "notgzip",
      ";", ",,", "gzip;q=0,br"})
  void gzipIsNotAccepted(String header) {
    assertFalse(RequestHeaders.acceptsGzip(header), header);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"a-17\"", "W/\"a-17\"", "\"a-16\", W/\"a-17\"", " \"a-17\" ", "*"})
  void theViewerHasTheVersion(String header) {
    assertTrue(RequestHeaders.hasTag(header, "a-17"), header);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a-17", "\"a-1\"", "\"a-170\"", "W/", "\"b-17\", \"a-16\"",
      "W/W/\"a-17\"", "\"\""})
  void theViewerDoesNotHaveTheVersion(String header) {
    assertFalse(RequestHeaders.hasTag(header, "a-17"), header);
  }

  @Test
  void theTagThatIsSentComesBack() {
    assertEquals("W/\"a-17\"", RequestHeaders.weak("a-17"));
    assertTrue(RequestHeaders.hasTag(RequestHeaders.weak("a-17"), "a-17"));
  }
}
