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

import java.util.Collections;
import java.util.Enumeration;
import java.util.Locale;
import javax.servlet.http.HttpServletRequest;
import org.apache.hadoop.classification.InterfaceAudience;

/** Reads the two headers of a request on which the form of an answer depends. */
@InterfaceAudience.Private
final class RequestHeaders {
  /** The prefix of a weak tag. Tags are compared without it, as RFC 7232 asks for. */
  private static final String WEAK = "W/";

  private RequestHeaders() {
  }

  /** Returns all values of a header as one list with commas; empty if there are none. */
  static String all(HttpServletRequest request, String name) {
    Enumeration<String> values = request.getHeaders(name);
    return values == null ? "" : String.join(",", Collections.list(values));
  }

  /**
   * Returns whether a viewer accepts gzip.
   *
   * @param acceptEncoding the header Accept-Encoding, such as {@code br;q=0.5, gzip}; may be empty
   * @return true if the header names gzip, or any coding, and does not exclude it by a weight of 0
   */
  static boolean acceptsGzip(String acceptEncoding) {
    boolean any = false;
    for (String one : acceptEncoding.toLowerCase(Locale.ROOT).split(",")) {
      String[] parts = one.split(";");
      String coding = parts.length == 0 ? "" : parts[0].trim();
      if (coding.equals("gzip") || coding.equals("x-gzip")) {
        return isWanted(parts);
      }
      any |= coding.equals("*") && isWanted(parts);
    }
    return any;
  }

  private static boolean isWanted(String[] parts) {
    for (int i = 1; i < parts.length; i++) {
      if (parts[i].replace(" ", "").matches("q=0(\\.0*)?")) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns whether a viewer has a version of a page already.
   *
   * @param ifNoneMatch the header If-None-Match: tags with commas between them, or a star; may be
   *     empty
   * @param tag the tag of the present version, without quotes and without commas
   * @return true if the header has this tag, weak or strong, or a star
   */
  static boolean hasTag(String ifNoneMatch, String tag) {
    String quoted = '"' + tag + '"';
    for (String one : ifNoneMatch.split(",")) {
      String given = one.trim();
      String strong = given.startsWith(WEAK) ? given.substring(WEAK.length()) : given;
      if (strong.equals(quoted) || given.equals("*")) {
        return true;
      }
    }
    return false;
  }

  /** Returns a weak tag as the header ETag has it. */
  static String weak(String tag) {
    return WEAK + '"' + tag + '"';
  }
}
