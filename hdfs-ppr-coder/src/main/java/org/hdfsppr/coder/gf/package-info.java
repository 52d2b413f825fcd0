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
 * Arithmetic in GF(2<sup>8</sup>): a scalar reference for tests, matrices, and kernels that
 * multiply and add regions of bytes. {@code Kernels} chooses the fastest kernel that works on this
 * machine. Only the package of the codes knows what the coefficients mean.
 */
package org.hdfsppr.coder.gf;
