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
 * Turns a waiting group into commands that DataNodes fetch: keeps the waiting groups, relaxes rules
 * if no plan is found, begins repairs in the NameNode, and orders their commands. The package
 * {@code schedule} decides which nodes run a repair, and {@code endings} decides what follows from
 * its result.
 */
package org.hdfsppr.namenode.manage.launch;
