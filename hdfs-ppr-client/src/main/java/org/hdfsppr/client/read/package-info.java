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
 * Reads of files with lost units, from the door ({@link org.hdfsppr.client.read.GroupSource}) by
 * way of the pieces of a read to trees ({@code TreeRebuild}) and decoding ({@code DecodeRebuild}).
 * Which of them is faster is decided in {@code shape}, how long to wait in {@code patience}.
 * Hadoop's streams are reached through {@link org.hdfsppr.client.read.UnitReader} only, so that
 * nothing here needs to live in Hadoop's package.
 */
package org.hdfsppr.client.read;
