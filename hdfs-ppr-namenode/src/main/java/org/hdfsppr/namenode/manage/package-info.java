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
 * The cycle of the repair manager, and the service that assembles all its parts. The classes here
 * call the packages below in order, take in what DataNodes and the NameNode report, and publish a
 * status at the end of each cycle. The package {@code launch} begins repairs, and {@code endings}
 * ends them. No package below imports this package.
 */
package org.hdfsppr.namenode.manage;
