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
 * Decides what a commit of updates in place sends between racks, so that the parity units of the
 * changed stripes follow the data (CAU; Shen and Lee). A stripe here is a block group, and a unit
 * one of its internal blocks. This package knows no nodes, files, file contents or clocks. The
 * benchmarks simulate further strategies.
 */
package org.hdfsppr.update;
