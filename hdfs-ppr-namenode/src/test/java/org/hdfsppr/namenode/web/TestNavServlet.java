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
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.hdfsppr.namenode.web.WebPages.NavServlet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what becomes of the NameNode's own pages. */
@InterfaceAudience.Private
class TestNavServlet {
  private static final String LAST = "<li><a href=\"topology\">Network Topology</a></li>";
  private static final String ENTRY =
      "\n        <li><a href=\"ppr/\">Erasure-coded repairs</a></li>";

  @Test
  void theEntryFollowsTheLastOne() {
    byte[] page = ("<ul>" + LAST + "</ul> " + LAST).getBytes(StandardCharsets.UTF_8);
    assertEquals("<ul>" + LAST + ENTRY + "</ul> " + LAST,
        new String(NavServlet.withEntry(page), StandardCharsets.UTF_8));
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
    byte[] entry = ENTRY.getBytes(StandardCharsets.UTF_8);
    assertArrayEquals(concat(before, last, entry, before), NavServlet.withEntry(page));
  }

  /** Hadoop's own pages, which its jar of tests has, get the entry into their menu once. */
  @ParameterizedTest
  @ValueSource(strings = {"dfshealth.html", "explorer.html"})
  void hadoopsPagesGetTheEntry(String name) throws IOException {
    byte[] stock;
    try (InputStream in = NameNode.class.getResourceAsStream("/webapps/hdfs/" + name)) {
      stock = in.readAllBytes();
    }
    String page = new String(NavServlet.withEntry(stock), StandardCharsets.UTF_8);
    int at = page.indexOf(ENTRY);
    assertTrue(at > 0, page);
    assertEquals(new String(stock, StandardCharsets.UTF_8),
        page.substring(0, at) + page.substring(at + ENTRY.length()));
    // The entry is in the list that the button Utilities opens.
    int list = page.lastIndexOf("<ul", at);
    assertTrue(page.startsWith("<ul class=\"dropdown-menu\">", list), page.substring(list, at));
    assertTrue(page.indexOf("</ul>", list) > at, page);
    assertTrue(page.substring(page.lastIndexOf("<li class=\"dropdown\">", at), list)
        .contains("Utilities"), page);
  }

  private static byte[] concat(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.writeBytes(part);
    }
    return all.toByteArray();
  }
}
