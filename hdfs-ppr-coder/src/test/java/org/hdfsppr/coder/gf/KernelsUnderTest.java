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

import static org.junit.jupiter.api.Assertions.fail;

import org.apache.hadoop.classification.InterfaceAudience;
import org.junit.jupiter.api.Assumptions;

/** Finds kernels by name, for tests that run once per kernel. */
@InterfaceAudience.Private
public final class KernelsUnderTest {
  private KernelsUnderTest() {
  }

  /**
   * Returns a kernel by its name. If this machine or this build does not have the kernel, the test
   * is skipped. If the kernel should be there and does not work, the test fails, because a broken
   * kernel must not look like a missing one.
   */
  public static RegionKernel orSkip(String name) {
    return Kernels.available().stream().filter(kernel -> kernel.name().equals(name)).findFirst()
        .orElseGet(() -> absent(name));
  }

  private static RegionKernel absent(String name) {
    NativeLibrary library = NativeLibrary.instance();
    String resource =
        NativeLibrary.resource(System.getProperty("os.name"), System.getProperty("os.arch"));
    if (NativeLibrary.class.getResource(resource) != null && library.problem().isPresent()) {
      return fail(library.problem().get());
    }
    return Assumptions.abort("no " + name + " kernel here: " + library.whyNot(name));
  }
}
