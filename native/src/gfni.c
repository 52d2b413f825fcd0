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
 * GFNI with AVX-512. One instruction multiplies 64 bytes by a constant, given as an 8x8 bit matrix,
 * so the loop is bound by loads: it is arranged to load each input once for a whole group of outputs
 * and each bit matrix once for two vectors of each output. Six outputs with two accumulators each
 * leave registers for the two vectors of the input.
 *
 * This file is compiled for these instructions; nothing in it may run before
 * ppr_gfni_supported(), which lives in cpu.c, has said yes.
 */
#include <immintrin.h>
#include <string.h>

#include "kernels.h"

enum { VECTOR = 64 };

/* The sum of products for one vector of each output, without the last step of storing it. */
#define MULTIPLY_ADD(sum, data, matrix) \
  _mm512_xor_si512((sum), _mm512_gf2p8affine_epi64_epi8((data), (matrix), 0))

/*
 * One group. outputs is a constant wherever this is inlined, so that the arrays of accumulators
 * become registers and the loops over them disappear.
 *
 * terms: per input its index, which is of no use here, and one bit matrix per output.
 */
static inline __attribute__((always_inline)) void group(const int outputs, const uint64_t *terms,
    size_t inputs, const uint8_t *const *in, uint8_t *const *out, size_t length, int accumulate)
{
  const size_t stride = 1 + (size_t) outputs;
  size_t x = 0;
  for (; x + 2 * VECTOR <= length; x += 2 * VECTOR) {
    __m512i sum[PPR_GFNI_GROUP][2];
    for (int o = 0; o < outputs; o++) {
      sum[o][0] = accumulate ? _mm512_loadu_si512(out[o] + x) : _mm512_setzero_si512();
      sum[o][1] = accumulate ? _mm512_loadu_si512(out[o] + x + VECTOR) : _mm512_setzero_si512();
    }
    const uint64_t *matrices = terms + 1;
    for (size_t i = 0; i < inputs; i++, matrices += stride) {
      const __m512i first = _mm512_loadu_si512(in[i] + x);
      const __m512i second = _mm512_loadu_si512(in[i] + x + VECTOR);
      for (int o = 0; o < outputs; o++) {
        const __m512i matrix = _mm512_set1_epi64((long long) matrices[o]);
        sum[o][0] = MULTIPLY_ADD(sum[o][0], first, matrix);
        sum[o][1] = MULTIPLY_ADD(sum[o][1], second, matrix);
      }
    }
    for (int o = 0; o < outputs; o++) {
      _mm512_storeu_si512(out[o] + x, sum[o][0]);
      _mm512_storeu_si512(out[o] + x + VECTOR, sum[o][1]);
    }
  }
  while (x < length) {
    /* Masked-out lanes are neither read nor written, also where the page behind is missing. */
    const size_t rest = length - x;
    const __mmask64 lanes = rest >= VECTOR ? ~(__mmask64) 0 : ((__mmask64) 1 << rest) - 1;
    __m512i sum[PPR_GFNI_GROUP];
    for (int o = 0; o < outputs; o++) {
      sum[o] = accumulate ? _mm512_maskz_loadu_epi8(lanes, out[o] + x) : _mm512_setzero_si512();
    }
    const uint64_t *matrices = terms + 1;
    for (size_t i = 0; i < inputs; i++, matrices += stride) {
      const __m512i data = _mm512_maskz_loadu_epi8(lanes, in[i] + x);
      for (int o = 0; o < outputs; o++) {
        sum[o] = MULTIPLY_ADD(sum[o], data, _mm512_set1_epi64((long long) matrices[o]));
      }
    }
    for (int o = 0; o < outputs; o++) {
      _mm512_mask_storeu_epi8(out[o] + x, lanes, sum[o]);
    }
    x += rest >= VECTOR ? VECTOR : rest;
  }
}

void ppr_gfni_apply(const uint64_t *program, const uint8_t *const *in, uint8_t *const *out,
    size_t length, int accumulate)
{
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
