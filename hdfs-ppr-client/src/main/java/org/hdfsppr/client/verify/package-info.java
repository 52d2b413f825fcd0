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
 * Checks whether the units of block groups agree, without reading them over one link: DataNodes add
 * up sums that have to be zero. Callers begin with {@link org.hdfsppr.client.verify.VerifySession}.
 * The classes of this package give callers no bytes of files, and change nothing.
 */
package org.hdfsppr.client.verify;
