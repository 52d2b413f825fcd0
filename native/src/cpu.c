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

/* What this CPU can do, compiled for no particular one. */
#include "kernels.h"

int ppr_gfni_supported(void)
{
#ifdef PPR_HAVE_GFNI
  __builtin_cpu_init();
  /* For the AVX-512 features this also asks whether the operating system saves the registers. */
  return __builtin_cpu_supports("gfni") && __builtin_cpu_supports("avx512f")
      && __builtin_cpu_supports("avx512bw");
#else
  return 0;
#endif
}

int ppr_isal_supported(void)
{
#ifdef PPR_HAVE_ISAL
  return 1;
#else
  return 0;
#endif
}
