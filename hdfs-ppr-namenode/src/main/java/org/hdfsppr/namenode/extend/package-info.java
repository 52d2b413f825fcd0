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
 * What a second jar may add to this module: versions of files, CORE groups, updates. It registers a
 * {@link NameNodeExtension}, gets a {@link NameNodeBase}, and returns its {@link NameNodeParts}.
 * This package names no class of that jar, and neither does any package that it uses.
 */
package org.hdfsppr.namenode.extend;
