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
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Optional;
import org.hdfsppr.namenode.scrub.ScrubStatus;
import org.junit.jupiter.api.Test;

/** Tests the document of the background checks where there are none. */
class TestVerificationPages {
  private final VerificationPages pages = new VerificationPages(() -> ScrubStatus.OFF);

  @Test
  void saysWhichSettingIsOff() throws IOException {
    PageResponse page = pages.find("/v1/verification").get();
    JsonNode document = new ObjectMapper().readTree(page.body);
    assertEquals(1, document.path("version").intValue());
    assertEquals("off", document.path("state").textValue());
    assertTrue(document.path("why").textValue()
        .contains("dfs.namenode.ppr.scrub.bytes.per-second"));
    assertEquals(0, document.path("directories").size());
    assertEquals(0, document.path("findings").size());
    assertTrue(page.etag().isPresent());
    assertEquals(page.etag(), pages.find("/v1/verification").get().etag());
  }

  @Test
  void hasNoOtherDocument() {
    assertEquals(Optional.empty(), pages.find("/v1/verification/"));
    assertEquals(Optional.empty(), pages.find("/v1/verify"));
  }
}
