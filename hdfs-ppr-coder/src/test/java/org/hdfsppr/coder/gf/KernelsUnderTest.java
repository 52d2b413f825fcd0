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

import org.apache.hadoop.classification.InterfaceAudience;
import org.junit.jupiter.api.Assumptions;

/** Kernels by name, for tests that run again for each. */
@InterfaceAudience.Private
public final class KernelsUnderTest {
  private KernelsUnderTest() {
  }

  /** A kernel by its name; skips the test if it does not run on this machine. */
  public static RegionKernel orSkip(String name) {
    return Kernels.available().stream().filter(kernel -> kernel.name().equals(name)).findFirst()
        .orElseGet(() -> Assumptions.abort("no " + name + " kernel on this machine: "
            + NativeLibrary.instance().whyNot(name)));
  }
}
