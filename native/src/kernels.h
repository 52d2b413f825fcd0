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

/*
 * The kernels behind org.hdfsppr.coder.gf.NativeKernel. Each computes, for every o and x,
 *
 *     out[o][x]  = sum over i of c[o][i] * in[i][x]      in GF(2^8), polynomial 0x11d, or
 *     out[o][x] ^= the same, if accumulate is not 0,
 *
 * touching exactly length bytes of each buffer. No alignment is needed. Outputs overlap neither
 * inputs nor each other. Nothing is checked here: the Java side has done it.
 */
#ifndef HDFSPPR_KERNELS_H
#define HDFSPPR_KERNELS_H

#include <stddef.h>
#include <stdint.h>

/* Most inputs, and most outputs; the same as RegionOperator.MAX_BUFFERS. */
enum { PPR_MAX_BUFFERS = 128 };

/* Most outputs per group of a GFNI program; the same as GfniTables.GROUP. */
enum { PPR_GFNI_GROUP = 6 };

/* Most outputs of a program of two halves; twice GfniTables.HALF_MAX. */
enum { PPR_GFNI_PAIRED = 8 };

/* Whether this CPU, and the operating system, let ppr_gfni_apply run. */
int ppr_gfni_supported(void);

/*
 * program: as class GfniTables describes it, in words of the CPU's byte order.
 */
void ppr_gfni_apply(const uint64_t *program, const uint8_t *const *in, uint8_t *const *out,
    size_t length, int accumulate);

/* Whether ISA-L was built in and could be loaded. To be asked before the first use. */
int ppr_isal_supported(void);

/*
 * tables: 32 bytes for each coefficient, row after row, as ISA-L's ec_init_tables makes them.
 * Everything ISA-L needs to dispatch on the CPU it does itself.
 */
void ppr_isal_apply(const uint8_t *tables, int inputs, int outputs, const uint8_t *const *in,
    uint8_t *const *out, size_t length, int accumulate);

#endif
