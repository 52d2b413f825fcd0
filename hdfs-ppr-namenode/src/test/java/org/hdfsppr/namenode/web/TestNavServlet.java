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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.classification.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** Tests what becomes of the NameNode's own pages. */
@InterfaceAudience.Private
class TestNavServlet {
  private static final String LAST = "<li><a href=\"topology\">Network Topology</a></li>";

  @Test
  void theEntryFollowsTheLastOne() {
    byte[] page = ("<ul>" + LAST + "</ul> " + LAST).getBytes(StandardCharsets.UTF_8);
    assertEquals("<ul>" + LAST + "\n        <li><a href=\"ppr/\">Erasure-coded repairs</a></li>"
        + "</ul> " + LAST, new String(NavServlet.withEntry(page), StandardCharsets.UTF_8));
  }

  @Test
  void aPageWithoutThatMenuStaysAsItIs() {
    byte[] page = "<ul><li><a href=\"topology\">Racks</a></li></ul>"
        .getBytes(StandardCharsets.UTF_8);
    assertSame(page, NavServlet.withEntry(page));
    byte[] empty = new byte[0];
    assertSame(empty, NavServlet.withEntry(empty));
  }

  /** The bytes around the entry are no text in UTF-8, and stay. */
  @Test
  void allOtherBytesStay() {
    byte[] before = {(byte) 0xff, (byte) 0xc3, 0, (byte) 0x80};
    byte[] last = LAST.getBytes(StandardCharsets.UTF_8);
    byte[] page = concat(before, last, before);
    byte[] entry = "\n        <li><a href=\"ppr/\">Erasure-coded repairs</a></li>"
        .getBytes(StandardCharsets.UTF_8);
    assertArrayEquals(concat(before, last, entry, before), NavServlet.withEntry(page));
  }

  private static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
