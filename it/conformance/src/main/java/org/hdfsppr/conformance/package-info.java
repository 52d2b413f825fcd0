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
 * Judges runs of Hadoop's own tests with this project. {@link
 * org.hdfsppr.conformance.ConformanceReport} reads test reports and logs, and excuses the failures
 * for which {@code expected.txt} gives a reason. A JUnit listener ends tests that hang. The
 * configurations of the runs are files outside this package.
 */
package org.hdfsppr.conformance;
