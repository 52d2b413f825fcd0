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
 * The factories by which Hadoop finds this project's codecs; {@code META-INF/services} lists them.
 * A factory chooses a code and makes the raw coders, which are in Hadoop's package. Coders
 * themselves do not belong in this package.
 */
package org.hdfsppr.coder.rawcoder;
