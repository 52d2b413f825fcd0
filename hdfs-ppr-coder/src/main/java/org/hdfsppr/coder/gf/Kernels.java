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
package org.hdfsppr.coder.gf;

import java.util.List;
import org.apache.hadoop.classification.InterfaceAudience;

/** Chooses the kernel for all coders and repairs of this process. */
@InterfaceAudience.Public
public final class Kernels {
  /**
   * The name with which {@link #select} chooses the fastest kernel that works on this machine:
   * gfni, else isal, else java.
   */
  public static final String AUTO = KernelSelector.AUTO;

  private static final KernelSelector SELECTOR = new KernelSelector(NativeLibrary::instance);

  private Kernels() {
  }

  /**
   * Chooses a kernel, and logs the choice once for each kernel, at level INFO.
   *
   * @param wanted "auto", "java", "isal" or "gfni". With "auto", if the native library is missing
   *     or does not work, the method logs one warning and chooses the Java kernel
   * @return the kernel
   * @throws IllegalArgumentException if the name is unknown, or if the named kernel does not work
   *     on this machine
   */
  public static RegionKernel select(String wanted) {
    return SELECTOR.select(wanted);
  }

  /**
   * Returns why {@link #select} has chosen the Java kernel instead of a native one.
   *
   * @param wanted the name that was given to {@link #select}
   * @return the reason, in one line; empty if {@code wanted} is not "auto", or if a native kernel
   *     works here
   */
  public static String whyJava(String wanted) {
    return wanted.equals(AUTO) ? SELECTOR.whyOnlyJava() : "";
  }

  /**
   * {@return all kernels that work on this machine, fastest first; the last one is the Java kernel}
   */
  public static List<RegionKernel> available() {
    return SELECTOR.available();
  }
}
