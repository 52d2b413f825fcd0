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

/**
 * Updates of files in place, as users' programs see them. {@code FileUpdater} and {@code
 * SharedUpdater} are the classes through which programs write; the package {@code files.update}
 * implements them. The package {@code read} reads the committed version, and does not know of
 * updates.
 */
@InterfaceAudience.Private
package org.hdfsppr.client.update;

import org.apache.hadoop.classification.InterfaceAudience;
