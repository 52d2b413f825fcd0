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
 * Decides what crosses racks when files are updated in place (CAU; Shen and Lee): at once when a
 * range is written, and later when the parity of the changed stripes follows. A stripe is a block
 * group, a unit one of its internal blocks. Nothing here knows nodes, files, bytes or a clock: a
 * strategy gets the racks of a stripe and the changed ranges, and returns transfers, which a
 * simulator counts. No running part of the product uses this package yet.
 */
package org.hdfsppr.update;
