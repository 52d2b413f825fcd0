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
 * The judge of Hadoop's own tests run on this project: it reads reports and logs, and excuses what
 * {@code expected.txt} names with a reason. The launcher's listener stops tests that hang. The
 * tests' configurations stand beside it, not here.
 */
package org.hdfsppr.conformance;
