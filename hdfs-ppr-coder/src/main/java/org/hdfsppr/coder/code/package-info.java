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
 * Codes: generator matrices, the equations that repair lost units, and the coders that apply them
 * to cells or to ranges. {@code PprCodec} finds the code of a codec's name, and {@code Codes} finds
 * the code of a policy. In this package, a helper is a sub-chunk that a repair reads, and not the
 * DataNode that has it. The package {@code gf} multiplies the bytes. Clusters, sockets and files do
 * not belong in this package.
 */
package org.hdfsppr.coder.code;
