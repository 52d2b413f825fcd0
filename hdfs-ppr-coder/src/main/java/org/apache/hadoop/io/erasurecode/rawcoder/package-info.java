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
 * Raw coders by which stock clients and DataNodes of Hadoop use this project's codes. These classes
 * are in Hadoop's package because the argument types of Hadoop's raw coders are visible only in
 * that package. Each raw coder passes its buffers to a coder of {@code org.hdfsppr.coder.code}. The
 * codes' arithmetic does not belong in this package.
 */
package org.apache.hadoop.io.erasurecode.rawcoder;
