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

import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Makes pages for the NameNode's web server. Any number of threads may ask at the same time. A
 * source takes no lock of the NameNode, and changes nothing.
 */
@InterfaceAudience.Private
public interface PageSource {
  /**
   * Finds a page.
   *
   * @param path the path below {@code /ppr}, which begins with a slash, such as {@code /v1/status}
   * @return the page; empty if this source has no page of this path
   */
  Optional<PageResponse> find(String path);
}
