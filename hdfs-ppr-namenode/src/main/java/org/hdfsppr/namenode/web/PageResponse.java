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

import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;

/** An answer of the web server: a status code, a content type and a body. Immutable. */
@InterfaceAudience.Private
public final class PageResponse {
  private static final int OK = 200;

  /** The HTTP status code */
  public final int status;
  /** The content type, with the character set of a text */
  public final String contentType;
  private final String etag;
  /**
   * The body; it is not copied, so that many viewers share one array; callers must not change it
   */
  public final byte[] body;

  private PageResponse(int status, String contentType, String etag, byte[] body) {
    this.status = status;
    this.contentType = Objects.requireNonNull(contentType, "contentType");
    this.etag = etag;
    this.body = Objects.requireNonNull(body, "body");
  }

  /**
   * Makes a document.
   *
   * @param contentType the content type, with the character set of a text
   * @param etag the name of the document's version, without quotes; null if a browser should always
   *     read the document again
   * @param body the document; the page keeps this array, and the caller must not change it
   * @return the document with status 200
   */
  public static PageResponse of(String contentType, String etag, byte[] body) {
    return new PageResponse(OK, contentType, etag, body);
  }

  /**
   * Makes a JSON document.
   *
   * @param etag the name of the document's version, without quotes; null if there are no versions
   * @param json the document, UTF-8; the page keeps this array, and the caller must not change it
   * @return the document with status 200
   */
  public static PageResponse json(String etag, byte[] json) {
    return of("application/json; charset=utf-8", etag, json);
  }

  /**
   * Makes an answer that says what is wrong.
   *
   * @param status the HTTP status code, 400 to 599
   * @param sentence what is wrong, and what to do about it, in one line
   * @return the answer, as plain text
   */
  public static PageResponse error(int status, String sentence) {
    return new PageResponse(status, "text/plain; charset=utf-8", null,
        (sentence + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /** @return the name of the document's version, without quotes; empty if there are no versions */
  public Optional<String> etag() {
    return Optional.ofNullable(etag);
  }
}
