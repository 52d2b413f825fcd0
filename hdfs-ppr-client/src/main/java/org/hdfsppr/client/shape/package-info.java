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
 * Decides how the client rebuilds a range: by chains of DataNodes, or by decoding in the client.
 * {@code ShapeRule} decides by the times that its callers measured: {@code MeasuredTimes} keeps the
 * times of each shape, and {@code ReadCosts} computes a time where none was measured. No class of
 * this package reads bytes, has a clock, or knows a DataNode.
 */
package org.hdfsppr.client.shape;
