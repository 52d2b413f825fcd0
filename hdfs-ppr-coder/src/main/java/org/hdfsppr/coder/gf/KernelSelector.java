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

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.classification.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Implements the rules by which {@code Kernels} chooses a kernel. The constructor takes the native
 * library as an argument, because a process can load the library only once.
 */
@InterfaceAudience.Private
final class KernelSelector {
  /** The name that chooses the fastest kernel that works. */
  static final String AUTO = "auto";

  /**
   * The logger has the name of the public class {@link Kernels}, because operators configure it by
   * that name.
   */
  private static final Logger LOG = LoggerFactory.getLogger("org.hdfsppr.coder.gf.Kernels");

  private final Supplier<NativeLibrary> libraries;
  private final JavaKernel java = new JavaKernel();
  /** The kernels and problems that this object has logged. Guarded by this object's monitor. */
  private final Set<String> said = new HashSet<>();

  /** @param libraries returns the native library, and loads it with the first call */
  KernelSelector(Supplier<NativeLibrary> libraries) {
    this.libraries = libraries;
  }

  RegionKernel select(String wanted) {
    switch (wanted) {
      case AUTO:
        return chosen(available().get(0));
      case JavaKernel.NAME:
        return chosen(java);
      case NativeKernel.ISAL:
      case NativeKernel.GFNI:
        return chosen(named(wanted));
      default:
        throw new IllegalArgumentException(String.format(Locale.ROOT,
            "there is no kernel \"%s\"; use %s, %s, %s or %s", wanted, AUTO,
            NativeKernel.GFNI, NativeKernel.ISAL, JavaKernel.NAME));
    }
  }

  List<RegionKernel> available() {
    NativeLibrary library = libraries.get();
    library.problem().ifPresent(problem -> {
      if (firstTime(problem)) {
        LOG.warn("Falling back to the {} kernel, which is several times slower: {}",
            JavaKernel.NAME, problem);
      }
    });
    List<RegionKernel> kernels = new ArrayList<>(library.kernels);
    kernels.add(java);
    return kernels;
  }

  /** Returns why no native kernel works here; empty if one works. */
  String whyOnlyJava() {
    NativeLibrary library = libraries.get();
    if (!library.kernels.isEmpty()) {
      return "";
    }
    return library.problem().orElseGet(() -> NativeKernel.GFNI + ": "
        + library.whyNot(NativeKernel.GFNI) + "; " + NativeKernel.ISAL + ": "
        + library.whyNot(NativeKernel.ISAL));
  }

  private RegionKernel named(String wanted) {
    NativeLibrary library = libraries.get();
    for (RegionKernel kernel : library.kernels) {
      if (kernel.name().equals(wanted)) {
        return kernel;
      }
    }
    throw new IllegalArgumentException("the kernel \"" + wanted + "\" cannot be used here: "
        + library.whyNot(wanted) + "; set \"" + AUTO + "\" to use the best one that works");
  }

  private RegionKernel chosen(RegionKernel kernel) {
    if (firstTime(kernel.name())) {
      LOG.info("Using the {} kernel for erasure coding", kernel.name());
    }
    return kernel;
  }

  private synchronized boolean firstTime(String what) {
    return said.add(what);
  }
}
