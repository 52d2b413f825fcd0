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
 * Shared by the test and the benchmarks: a scalar oracle, and the tables that the Java side makes.
 */
#ifndef HDFSPPR_TEST_SUPPORT_H
#define HDFSPPR_TEST_SUPPORT_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kernels.h"

static inline uint8_t oracle_mul(uint8_t a, uint8_t b)
{
  unsigned product = 0;
  unsigned shifted = a;
  for (; b != 0; b >>= 1) {
    if (b & 1) {
      product ^= shifted;
    }
    shifted <<= 1;
    if (shifted & 0x100) {
      shifted ^= 0x11d;
    }
  }
  return (uint8_t) product;
}

/* Does what GfniTables.bitMatrix does. */
static inline uint64_t gfni_matrix(uint8_t coefficient)
{
  uint64_t matrix = 0;
  for (int bit = 0; bit < 64; bit++) {
    const uint8_t product = oracle_mul(coefficient, (uint8_t) (1 << bit % 8));
    matrix |= (uint64_t) (product >> (7 - bit / 8) & 1) << bit;
  }
  return matrix;
}

/*
 * Does what GfniTables.section does. Returns half * (h + 1), plus 1 + the guest if there is one; -1
 * for an input that contributes to no output, -2 for an input that contributes to too many.
 */
static inline int gfni_section(const uint8_t *coefficients, int inputs, int h, int i)
{
  int wanted[2] = {0, 0};
  int last[2] = {0, 0};
  for (int r = 0; r < 2 * h; r++) {
    if (coefficients[r * inputs + i] != 0) {
      wanted[r / h]++;
      last[r / h] = r % h;
    }
  }
  const int half = wanted[1] > wanted[0];
  if (wanted[half] == 0) {
    return -1;
  }
  return wanted[1 - half] > 1 ? -2
      : half * (h + 1) + (wanted[1 - half] == 0 ? 0 : 1 + last[1 - half]);
}

static inline int gfni_paired(const uint8_t *coefficients, int inputs, int outputs)
{
  int paired = 1;
  for (int i = 0; i < inputs && paired; i++) {
    paired = gfni_section(coefficients, inputs, outputs / 2, i) != -2;
  }
  return paired;
}

/*
 * Does what GfniTables.unjoin does: subtracts row h + o from row o if fewer coefficients are left
 * then. Returns one bit for each o, which is set if it has subtracted.
 */
static inline uint64_t gfni_unjoin(uint8_t *coefficients, int inputs, int h)
{
  uint64_t joined = 0;
  for (int o = 0; o < h; o++) {
    uint8_t *row = coefficients + o * inputs;
    const uint8_t *other = row + h * inputs;
    int less = 0;
    for (int i = 0; i < inputs; i++) {
      less += (row[i] != 0) - (row[i] != other[i]);
    }
    if (less > 0) {
      joined |= (uint64_t) 1 << o;
      for (int i = 0; i < inputs; i++) {
        row[i] ^= other[i];
      }
    }
  }
  return joined;
}

/* Does what GfniTables.pairedProgram does. */
static inline void gfni_paired_program(uint64_t *word, const uint8_t *coefficients, int inputs,
    int h, uint64_t joined)
{
  *word++ = 0;
  *word++ = (uint64_t) h;
  *word++ = joined;
  uint64_t *counts = word;
  uint64_t *used = counts + 2 * (h + 1);
  word = used + 1;
  for (int section = 0; section < 2 * (h + 1); section++) {
    for (int i = 0; i < inputs; i++) {
      if (gfni_section(coefficients, inputs, h, i) == section) {
        ++counts[section];
        ++*used;
        *word++ = (uint64_t) i;
      }
    }
  }
  const uint64_t *indexes = used + 1;
  for (int section = 0; section < 2 * (h + 1); section++) {
    const int half = section / (h + 1);
    const int guest = section % (h + 1) - 1;
    for (uint64_t left = counts[section]; left > 0; left--) {
      const uint8_t *column = coefficients + *indexes++;
      for (int r = half * h; r < half * h + h; r++) {
        *word++ = gfni_matrix(column[r * inputs]);
      }
      if (guest >= 0) {
        *word++ = gfni_matrix(column[((1 - half) * h + guest) * inputs]);
      }
    }
  }
}

/* Does what GfniTables.program does, with the same layout. The caller frees the program. */
static inline uint64_t *gfni_program(const uint8_t *coefficients, int inputs, int outputs)
{
  uint64_t *program = calloc(16 + (size_t) outputs * (3 + 2 * (size_t) inputs), sizeof *program);
  uint8_t unjoined[PPR_GFNI_PAIRED * PPR_MAX_BUFFERS];
  if (outputs == 6 || outputs == 8) {
    memcpy(unjoined, coefficients, (size_t) outputs * (size_t) inputs);
    const uint64_t joined = gfni_unjoin(unjoined, inputs, outputs / 2);
    if (gfni_paired(unjoined, inputs, outputs)) {
      gfni_paired_program(program, unjoined, inputs, outputs / 2, joined);
      return program;
    }
  }
  uint64_t *word = program;
  *word++ = (uint64_t) (outputs + PPR_GFNI_GROUP - 1) / PPR_GFNI_GROUP;
  for (int first = 0; first < outputs; first += PPR_GFNI_GROUP) {
    const int rows = outputs - first < PPR_GFNI_GROUP ? outputs - first : PPR_GFNI_GROUP;
    *word++ = (uint64_t) rows;
    uint64_t *used = word++;
    for (int i = 0; i < inputs; i++) {
      int needed = 0;
      for (int r = first; r < first + rows; r++) {
        needed |= coefficients[r * inputs + i];
      }
      if (!needed) {
        continue;
      }
      ++*used;
      *word++ = (uint64_t) i;
      for (int r = first; r < first + rows; r++) {
        *word++ = gfni_matrix(coefficients[r * inputs + i]);
      }
    }
  }
  return program;
}

/* Does what IsalTables.expand does. The caller frees the tables. */
static inline uint8_t *isal_tables(const uint8_t *coefficients, int inputs, int outputs)
{
  uint8_t *tables = malloc((size_t) inputs * (size_t) outputs * 32);
  for (int c = 0; c < inputs * outputs; c++) {
    for (int nibble = 0; nibble < 16; nibble++) {
      tables[c * 32 + nibble] = oracle_mul(coefficients[c], (uint8_t) nibble);
      tables[c * 32 + 16 + nibble] = oracle_mul(coefficients[c], (uint8_t) (nibble << 4));
    }
  }
  return tables;
}

/* A kernel with its tables for one matrix. */
struct prepared {
  int inputs;
  int outputs;
  uint64_t *program;
  uint8_t *tables;
};

enum kernel { GFNI, ISAL };

static inline int kernel_available(enum kernel kernel)
{
  return kernel == GFNI ? ppr_gfni_supported() : ppr_isal_supported();
}

static inline struct prepared prepare(const uint8_t *coefficients, int inputs, int outputs)
{
  struct prepared p = {inputs, outputs, gfni_program(coefficients, inputs, outputs),
      isal_tables(coefficients, inputs, outputs)};
  return p;
}

static inline void release(struct prepared *p)
{
  free(p->program);
  free(p->tables);
}

static inline void apply(enum kernel kernel, const struct prepared *p, const uint8_t *const *in,
    uint8_t *const *out, size_t length, int accumulate)
{
#ifdef PPR_HAVE_GFNI
  if (kernel == GFNI) {
    ppr_gfni_apply(p->program, in, out, length, accumulate);
    return;
  }
#endif
#ifdef PPR_HAVE_ISAL
  if (kernel == ISAL) {
    ppr_isal_apply(p->tables, p->inputs, p->outputs, in, out, length, accumulate);
    return;
  }
#endif
  abort();
}

#endif
