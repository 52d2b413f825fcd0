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
 * In which shape a range is rebuilt: chains of DataNodes, or decoding by the client. The
 * rules learn from times that they are given; they read no bytes, have no clock of their own and
 * know no DataNode. The simplest rule stands here too, for the benchmark.
 */
package org.hdfsppr.client.shape;
