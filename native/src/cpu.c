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

/* Asks which instructions this CPU has. This file is compiled for any x86-64 CPU. */
#include "kernels.h"

int ppr_gfni_supported(void)
{
#ifdef PPR_HAVE_GFNI
  __builtin_cpu_init();
  /* For AVX-512 the builtin also asks whether the operating system saves the registers. */
  return __builtin_cpu_supports("gfni") && __builtin_cpu_supports("avx512f")
      && __builtin_cpu_supports("avx512bw");
#else
  return 0;
#endif
}

#ifndef PPR_HAVE_ISAL
int ppr_isal_supported(void)
{
  return 0;
}
#endif
