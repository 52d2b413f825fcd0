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
 * out[o][x]  = sum over i of c[o][i] * in[i][x]      in GF(2^8), polynomial 0x11d, or out[o][x] ^=
 * the same, if accumulate is not 0,
 *
 * touching exactly length bytes of each buffer. No alignment is needed. Outputs overlap neither
 * inputs nor each other. The kernels check no arguments, because the Java side has checked them.
 */
#ifndef HDFSPPR_KERNELS_H
#define HDFSPPR_KERNELS_H

#include <stddef.h>
#include <stdint.h>

/* The greatest number of inputs, and of outputs; equal to RegionOperator.MAX_BUFFERS. */
enum { PPR_MAX_BUFFERS = 128 };

/* The greatest number of outputs per group of a GFNI program; equal to GfniTables.GROUP. */
enum { PPR_GFNI_GROUP = 6 };

/* The greatest number of outputs of a program of two halves; twice GfniTables.HALF_MAX. */
enum { PPR_GFNI_PAIRED = 8 };

/* Returns whether this CPU and the operating system can run ppr_gfni_apply. */
int ppr_gfni_supported(void);

/*
 * program: the layout that the Java class GfniTables describes, in words of the CPU's byte order.
 */
void ppr_gfni_apply(const uint64_t *program, const uint8_t *const *in, uint8_t *const *out,
    size_t length, int accumulate);

/*
 * Returns whether ISA-L was built in and could be loaded. Callers must ask before they first call
 * ppr_isal_apply.
 */
int ppr_isal_supported(void);

/*
 * tables: 32 bytes for each coefficient, row after row, as ISA-L's ec_init_tables makes them. ISA-L
 * itself chooses the instructions that the CPU has.
 */
void ppr_isal_apply(const uint8_t *tables, int inputs, int outputs, const uint8_t *const *in,
    uint8_t *const *out, size_t length, int accumulate);

#endif
