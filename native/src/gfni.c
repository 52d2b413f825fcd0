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
 * The kernel for GFNI with AVX-512. One instruction multiplies 64 bytes by a constant, which is
 * given as an 8x8 bit matrix. So the loop is bound by loads. It loads each input once for a whole
 * group of outputs, and each bit matrix once for a run of vectors of each output. With six outputs
 * and four accumulators for each, registers are left for the bit matrices and one input.
 *
 * A vector that straddles two cache lines costs two loads. Large buffers all begin at the same
 * offset in a page, so their lines evict each other from the first-level cache before the second
 * load. Therefore the first vector is a short one. If the buffers begin at the same offset in a
 * cache line, all vectors after it are aligned.
 *
 * This file is compiled for these instructions. No code of it may run before ppr_gfni_supported(),
 * which is in cpu.c, has returned true.
 */
#include <immintrin.h>
#include <string.h>

#include "kernels.h"

enum { VECTOR = 64 };

/* The most vectors of an input that a group reads before it goes on to the next input. */
enum { RUN_MOST = 8 };

/* The distance from what a loop reads to what it prefetches, bytes. */
enum { AHEAD = 1024 };
#define PREFETCH(address, level) _mm_prefetch((const char *) (address), (level))

/* Multiplies a vector by a bit matrix, and adds the product to a sum. */
#define MULTIPLY_ADD(sum, data, matrix) \
  _mm512_xor_si512((sum), _mm512_gf2p8affine_epi64_epi8((data), (matrix), 0))

/* Returns the bytes up to the next cache line of a buffer, or length if that is less. */
static inline size_t head(const uint8_t *buffer, size_t length)
{
  const size_t bytes = (size_t) -(uintptr_t) buffer % VECTOR;
  return bytes < length ? bytes : length;
}

/*
 * Returns a mask of the first count lanes. Masked-out lanes are neither read nor written, so the
 * page behind them need not exist.
 */
static inline __mmask64 first_lanes(size_t count)
{
  return count >= VECTOR ? ~(__mmask64) 0 : ((__mmask64) 1 << count) - 1;
}

/*
 * Computes a part of one group. outputs is a constant in each inlined copy, so that the compiler
 * keeps the arrays of accumulators in registers and unrolls the loops over them.
 *
 * terms: for each input its index, which this function does not use, and one bit matrix per output.
 */
static inline __attribute__((always_inline)) void group_part(const int outputs,
    const uint64_t *terms, size_t inputs, const uint8_t *const *in, uint8_t *const *out, size_t x,
    size_t count, int accumulate)
{
  const __mmask64 lanes = first_lanes(count);
  __m512i sum[PPR_GFNI_GROUP];
  for (int o = 0; o < outputs; o++) {
    sum[o] = accumulate ? _mm512_maskz_loadu_epi8(lanes, out[o] + x) : _mm512_setzero_si512();
  }
  const uint64_t *matrices = terms + 1;
  for (size_t i = 0; i < inputs; i++, matrices += 1 + outputs) {
    const __m512i data = _mm512_maskz_loadu_epi8(lanes, in[i] + x);
    for (int o = 0; o < outputs; o++) {
      sum[o] = MULTIPLY_ADD(sum[o], data, _mm512_set1_epi64((long long) matrices[o]));
    }
  }
  for (int o = 0; o < outputs; o++) {
    _mm512_mask_storeu_epi8(out[o] + x, lanes, sum[o]);
  }
}

/*
 * Computes run vectors of each output of one group, from x on. outputs and run are constants, and
 * their product is at most 24, so that all accumulators are in registers. Long runs load each bit
 * matrix less often, and read a whole stretch of one input before they go on to the next. The
 * prefetched lines are those that the call reads AHEAD bytes later: the processor's own prefetchers
 * do not follow as many inputs as a stripe has. One output leaves no time for these instructions,
 * because its loop is bound by loads.
 *
 * ahead: where the lines to prefetch begin; at most run vectors before the end of the buffers
 */
static inline __attribute__((always_inline)) void group_run(const int outputs, const int run,
    const uint64_t *terms, size_t inputs, const uint8_t *const *in, uint8_t *const *out, size_t x,
    size_t ahead, int accumulate)
{
  __m512i sum[PPR_GFNI_GROUP][RUN_MOST];
  for (int o = 0; o < outputs; o++) {
    for (int v = 0; v < run; v++) {
      sum[o][v] = accumulate ? _mm512_loadu_si512(out[o] + x + v * VECTOR)
          : _mm512_setzero_si512();
    }
  }
  const uint64_t *matrices = terms + 1;
  for (size_t i = 0; i < inputs; i++, matrices += 1 + outputs) {
    for (int v = 0; v < run && outputs > 1; v++) {
      PREFETCH(in[i] + ahead + v * VECTOR, _MM_HINT_T0);
    }
    __m512i matrix[PPR_GFNI_GROUP];
    for (int o = 0; o < outputs; o++) {
      matrix[o] = _mm512_set1_epi64((long long) matrices[o]);
    }
    for (int v = 0; v < run; v++) {
      const __m512i data = _mm512_loadu_si512(in[i] + x + v * VECTOR);
      for (int o = 0; o < outputs; o++) {
        sum[o][v] = MULTIPLY_ADD(sum[o][v], data, matrix[o]);
      }
    }
  }
  for (int o = 0; o < outputs; o++) {
    for (int v = 0; v < run; v++) {
      _mm512_storeu_si512(out[o] + x + v * VECTOR, sum[o][v]);
    }
  }
}

static inline __attribute__((always_inline)) void group(const int outputs, const uint64_t *terms,
    size_t inputs, const uint8_t *const *in, uint8_t *const *out, size_t length, int accumulate)
{
  const int run = outputs == 1 ? 2 : outputs == 3 ? RUN_MOST : 4;
  const size_t bytes = (size_t) run * VECTOR;
  size_t x = head(out[0], length);
  if (x > 0) {
    group_part(outputs, terms, inputs, in, out, 0, x, accumulate);
  }
  for (; x + bytes <= length; x += bytes) {
    const size_t ahead = x + AHEAD + bytes <= length ? x + AHEAD : x;
    group_run(outputs, run, terms, inputs, in, out, x, ahead, accumulate);
  }
  for (; x < length; x += VECTOR) {
    group_part(outputs, terms, inputs, in, out, x, length - x, accumulate);
  }
}

/*
 * Computes two halves of h outputs each. An input is multiplied for all outputs of its half and for
 * at most one output of the other half, its guest. Inputs with the same half and guest are next to
 * each other, so that every accumulator can stay in a register. There are 16 accumulators. With
 * groups of six outputs, all inputs would be read twice.
 *
 * joined: bit o is set if output h + o is to be added to output o at the end. counts: for each
 * half, the number of inputs without a guest, then with guest 0, 1, ... of the other half. terms:
 * for each input a bit matrix for each output of its half, and one for the guest.
 */
static inline __attribute__((always_inline)) void paired_part(const int h, uint64_t joined,
    const uint64_t *counts, const uint64_t *terms, const uint8_t *const *in, uint8_t *const *out,
    size_t x, size_t count, int accumulate)
{
  const __mmask64 lanes = first_lanes(count);
  __m512i sum[PPR_GFNI_PAIRED];
  for (int o = 0; o < 2 * h; o++) {
    sum[o] = _mm512_setzero_si512();
  }
  for (int half = 0; half < 2; half++) {
    for (int guest = -1; guest < h; guest++) {
      for (uint64_t left = *counts++; left > 0; left--) {
        const __m512i data = _mm512_maskz_loadu_epi8(lanes, *in++ + x);
        for (int o = half * h; o < half * h + h; o++) {
          sum[o] = MULTIPLY_ADD(sum[o], data, _mm512_set1_epi64((long long) *terms++));
        }
        if (guest >= 0) {
          const int o = (1 - half) * h + guest;
          sum[o] = MULTIPLY_ADD(sum[o], data, _mm512_set1_epi64((long long) *terms++));
        }
      }
    }
  }
  for (int o = 0; o < 2 * h; o++) {
    if (o < h && (joined >> o & 1)) {
      sum[o] = _mm512_xor_si512(sum[o], sum[h + o]);
    }
    if (accumulate) {
      sum[o] = _mm512_xor_si512(sum[o], _mm512_maskz_loadu_epi8(lanes, out[o] + x));
    }
    _mm512_mask_storeu_epi8(out[o] + x, lanes, sum[o]);
  }
}

/* half and guest must be literals, so that the compiler keeps sum[...] in registers. */
#define SECTION(half, guest) \
  if ((guest) < h) { \
    for (uint64_t left = *next++; left > 0; left--) { \
      PREFETCH(*from + ahead, _MM_HINT_T1); \
      PREFETCH(*from + ahead + VECTOR, _MM_HINT_T1); \
      const __m512i first = _mm512_loadu_si512(*from + x); \
      const __m512i second = _mm512_loadu_si512(*from++ + x + VECTOR); \
      for (int o = 0; o < h; o++) { \
        const __m512i matrix = _mm512_set1_epi64((long long) matrices[o]); \
        sum[(half) * h + o][0] = MULTIPLY_ADD(sum[(half) * h + o][0], first, matrix); \
        sum[(half) * h + o][1] = MULTIPLY_ADD(sum[(half) * h + o][1], second, matrix); \
      } \
      matrices += h; \
      if ((guest) >= 0) { \
        const int o = (1 - (half)) * h + (guest); \
        const __m512i matrix = _mm512_set1_epi64((long long) *matrices++); \
        sum[o][0] = MULTIPLY_ADD(sum[o][0], first, matrix); \
        sum[o][1] = MULTIPLY_ADD(sum[o][1], second, matrix); \
      } \
    } \
  }

static inline __attribute__((always_inline)) void paired(const int h, uint64_t joined,
    const uint64_t *counts, const uint64_t *terms, const uint8_t *const *in, uint8_t *const *out,
    size_t length, int accumulate)
{
  size_t x = head(out[0], length);
  if (x > 0) {
    paired_part(h, joined, counts, terms, in, out, 0, x, accumulate);
  }
  for (; x + 2 * VECTOR <= length; x += 2 * VECTOR) {
    __m512i sum[PPR_GFNI_PAIRED][2];
    for (int o = 0; o < 2 * h; o++) {
      sum[o][0] = _mm512_setzero_si512();
      sum[o][1] = _mm512_setzero_si512();
    }
    const size_t ahead = x + AHEAD < length ? x + AHEAD : x;
    const uint64_t *next = counts;
    const uint64_t *matrices = terms;
    const uint8_t *const *from = in;
    SECTION(0, -1)
    SECTION(0, 0)
    SECTION(0, 1)
    SECTION(0, 2)
    SECTION(0, 3)
    SECTION(1, -1)
    SECTION(1, 0)
    SECTION(1, 1)
    SECTION(1, 2)
    SECTION(1, 3)
    for (int o = 0; o < 2 * h; o++) {
      if (o < h && (joined >> o & 1)) {
        sum[o][0] = _mm512_xor_si512(sum[o][0], sum[h + o][0]);
        sum[o][1] = _mm512_xor_si512(sum[o][1], sum[h + o][1]);
      }
      if (accumulate) {
        sum[o][0] = _mm512_xor_si512(sum[o][0], _mm512_loadu_si512(out[o] + x));
        sum[o][1] = _mm512_xor_si512(sum[o][1], _mm512_loadu_si512(out[o] + x + VECTOR));
      }
      _mm512_storeu_si512(out[o] + x, sum[o][0]);
      _mm512_storeu_si512(out[o] + x + VECTOR, sum[o][1]);
    }
  }
  for (; x < length; x += VECTOR) {
    paired_part(h, joined, counts, terms, in, out, x, length - x, accumulate);
  }
}

/* Runs a program of two halves, whose layout the Java class GfniTables describes. */
static void apply_paired(const uint64_t *program, const uint8_t *const *in, uint8_t *const *out,
    size_t length, int accumulate)
{
  const uint64_t h = *program++;
  const uint64_t joined = *program++;
  const uint64_t *counts = program;
  program += 2 * (h + 1);
  const uint8_t *used[PPR_MAX_BUFFERS];
  const uint64_t inputs = *program++;
  for (uint64_t i = 0; i < inputs; i++) {
    used[i] = in[*program++];
  }
  if (h == 3) {
    paired(3, joined, counts, program, used, out, length, accumulate);
  } else {
    paired(4, joined, counts, program, used, out, length, accumulate);
  }
}

void ppr_gfni_apply(const uint64_t *program, const uint8_t *const *in, uint8_t *const *out,
    size_t length, int accumulate)
{
  if (*program == 0) {
    apply_paired(program + 1, in, out, length, accumulate);
    return;
  }
  for (uint64_t groups = *program++; groups > 0; groups--) {
    const int outputs = (int) *program++;
    const size_t inputs = (size_t) *program++;
    const size_t stride = 1 + (size_t) outputs;
    const uint8_t *used[PPR_MAX_BUFFERS];
    for (size_t i = 0; i < inputs; i++) {
      used[i] = in[program[i * stride]];
    }
    switch (outputs) {
      case 1:
        group(1, program, inputs, used, out, length, accumulate);
        break;
      case 2:
        group(2, program, inputs, used, out, length, accumulate);
        break;
      case 3:
        group(3, program, inputs, used, out, length, accumulate);
        break;
      case 4:
        group(4, program, inputs, used, out, length, accumulate);
        break;
      case 5:
        group(5, program, inputs, used, out, length, accumulate);
        break;
      default:
        group(6, program, inputs, used, out, length, accumulate);
        break;
    }
    program += inputs * stride;
    out += outputs;
  }
}
