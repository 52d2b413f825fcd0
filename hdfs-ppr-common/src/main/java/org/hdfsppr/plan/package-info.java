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
 * Plans a repair before any data move. A plan says which nodes read which blocks, with which
 * coefficients the nodes multiply them, and along which tree the nodes sum up the products.
 * Planning uses no clock and does no I/O. The package {@code wire} sends a plan to nodes, and the
 * package {@code stream} carries it out.
 */
package org.hdfsppr.plan;
