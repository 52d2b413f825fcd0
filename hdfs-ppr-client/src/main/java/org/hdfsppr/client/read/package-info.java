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
 * Reads files that have lost units. Streams call {@link org.hdfsppr.client.read.GroupSource}. Each
 * read is cut into pieces, one for each unit. If a piece has to be rebuilt, a tree of DataNodes
 * rebuilds it ({@code TreeRebuild}), or the client decodes it ({@code DecodeRebuild}). The package
 * {@code shape} decides which of the two is used, and {@code patience} decides how long to wait.
 * This package reaches Hadoop's streams only through {@link org.hdfsppr.client.read.UnitReader}, so
 * that no class here has to be in Hadoop's package.
 */
package org.hdfsppr.client.read;
