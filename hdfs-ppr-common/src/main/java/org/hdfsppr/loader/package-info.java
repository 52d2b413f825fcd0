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
 * Checks what this extension needs of the running Hadoop: the same class loader, and members that
 * are not public, which the package looks up by name and type. Callers look members up when they
 * start. If a member is missing, they change nothing in Hadoop. The {@code ...Access} classes use
 * the members.
 */
package org.hdfsppr.loader;
