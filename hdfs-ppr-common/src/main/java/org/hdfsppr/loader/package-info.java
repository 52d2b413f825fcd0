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
 * What this extension needs of the Hadoop that is running: the same class loader, and members that
 * are not public, looked up by name and type. Callers ask at start and leave Hadoop as it is if
 * something is missing. What is done with the members belongs to the {@code ...Access} classes.
 */
package org.hdfsppr.loader;
