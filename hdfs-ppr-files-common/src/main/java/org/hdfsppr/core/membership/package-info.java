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
 * The record in an extended attribute of a CORE group's parity file. It names the block groups of
 * all files from which the parity file was made. A repair through columns uses a row only if its
 * block groups are still the recorded ones. As a part of the namespace, the record survives
 * restarts and failovers of the NameNode. Everything else about a group is derived from it.
 */
package org.hdfsppr.core.membership;
