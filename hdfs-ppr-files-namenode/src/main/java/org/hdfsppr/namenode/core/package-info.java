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
 * CORE groups. {@link org.hdfsppr.namenode.core.CoreGroupManager} keeps them, in steps on a thread
 * of its own. It walks through protected directories, plans groups of their files, has the engine
 * of the package {@code version} make the parity files, and dissolves groups that do not fit their
 * files any more. {@link org.hdfsppr.namenode.core.CoreGroupIndex} answers with which other block
 * groups a block group forms columns.
 */
package org.hdfsppr.namenode.core;
