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
 * Benchmarks of updates in place: a simulator replays block traces over the strategies of package
 * {@code strategy} and counts what crosses racks, a cluster replays them over those that its
 * commits know, and formulas say how likely updates are lost before the parity has followed. The
 * time of a small update is measured beside that of its parts.
 */
package org.hdfsppr.bench.update;
