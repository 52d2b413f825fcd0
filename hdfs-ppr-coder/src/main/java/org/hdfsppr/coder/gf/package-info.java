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
 * Arithmetic in GF(2<sup>8</sup>): a scalar reference for tests, matrices, and kernels. A kernel
 * multiplies regions of bytes by coefficients and adds them up; kernels differ only in their speed.
 * {@code Kernels} chooses the fastest kernel that works on this machine. What the coefficients
 * mean, only the package of the codes knows.
 */
package org.hdfsppr.coder.gf;
