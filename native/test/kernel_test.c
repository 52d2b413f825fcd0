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
 * Compares the kernels with a scalar oracle. Every buffer has pages of its own, between two pages
 * that must not be touched. Buffers end directly before the page behind, begin directly after the
 * page in front, and have every alignment. If a kernel reads or writes a byte too many, the test
 * crashes. If a byte is wrong, the test fails.
 *
 * Usage: kernel_test [seed]
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support.h"

enum { PAGES = 18, MAX_INPUTS = 20, MAX_OUTPUTS = 13, CANARY = 0xa5 };

static const char *const NAMES[] = {"gfni", "isal"};
static const int SHAPES[][2] = {{1, 1}, {2, 1}, {6, 1}, {6, 2}, {6, 3}, {10, 4}, {3, 5}, {16, 6},
    {20, 7}, {4, 13}};
static const int BIG_LENGTHS[] = {511, 512, 513, 1007, 4095, 4096, 4097, 8191, 65536, 65543};
static const int ALIGNED_LENGTHS[] = {1, 15, 16, 31, 63, 64, 65, 127, 128, 129, 200};

static size_t page;
static size_t area;
static uint8_t *inputs[MAX_INPUTS];
static uint8_t *outputs[MAX_OUTPUTS];
static uint8_t *expected;
static uint64_t state;
static long checks;

static uint8_t random_byte(void)
{
  /* xorshift64, which gives the same bytes for the same seed on every machine. */
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint8_t) (state >> 32);
}

static uint8_t *guarded(void)
{
  uint8_t *all = mmap(NULL, area + 2 * page, PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED || mprotect(all, page, PROT_NONE) != 0
      || mprotect(all + page + area, page, PROT_NONE) != 0) {
    perror("guard pages");
    exit(2);
  }
  return all + page;
}

/* Compares the whole area, and so also finds writes outside the region. */
static void check(enum kernel kernel, const struct prepared *p, const uint8_t *coefficients,
    const size_t *in_at, const size_t *out_at, size_t length, int accumulate)
{
  const uint8_t *in[MAX_INPUTS];
  uint8_t *out[MAX_OUTPUTS];
  for (int i = 0; i < p->inputs; i++) {
    in[i] = inputs[i] + in_at[i];
  }
  /*
   * Only the bytes near the region are filled and compared, because small lengths would otherwise
   * take very long.
   */
  const size_t margin = 256;
  for (int o = 0; o < p->outputs; o++) {
    out[o] = outputs[o] + out_at[o];
    const size_t from = out_at[o] < margin ? 0 : out_at[o] - margin;
    const size_t to = out_at[o] + length + margin > area ? area : out_at[o] + length + margin;
    memset(outputs[o] + from, CANARY, to - from);
  }
  apply(kernel, p, in, out, length, accumulate);
  for (int o = 0; o < p->outputs; o++) {
    const size_t from = out_at[o] < margin ? 0 : out_at[o] - margin;
    const size_t to = out_at[o] + length + margin > area ? area : out_at[o] + length + margin;
    memset(expected + from, CANARY, to - from);
    if (!accumulate) {
      memset(expected + out_at[o], 0, length);
    }
    for (int i = 0; i < p->inputs; i++) {
      uint8_t products[256];
      for (int v = 0; v < 256; v++) {
        products[v] = oracle_mul(coefficients[o * p->inputs + i], (uint8_t) v);
      }
      for (size_t x = 0; x < length; x++) {
        expected[out_at[o] + x] ^= products[in[i][x]];
      }
    }
    if (memcmp(expected + from, outputs[o] + from, to - from) != 0) {
      fprintf(stderr, "%s: wrong bytes in output %d of %d inputs, %d outputs, %zu bytes%s\n",
          NAMES[kernel], o, p->inputs, p->outputs, length, accumulate ? ", accumulating" : "");
      exit(1);
    }
  }
  checks++;
}

enum placement { FLUSH_END, FLUSH_START };

static void place(size_t *at, int count, size_t length, enum placement placement)
{
  for (int i = 0; i < count; i++) {
    at[i] = placement == FLUSH_END ? area - length : 0;
  }
}

static void matrices(enum kernel kernel, const uint8_t *coefficients, int k, int m, int full)
{
  struct prepared p = prepare(coefficients, k, m);
  size_t in_at[MAX_INPUTS];
  size_t out_at[MAX_OUTPUTS];
  for (int accumulate = 0; accumulate <= 1; accumulate++) {
    for (enum placement where = FLUSH_END; where <= FLUSH_START; where++) {
      for (size_t length = full ? 1 : 65; length <= (full ? 300 : 65); length++) {
        place(in_at, k, length, where);
        place(out_at, m, length, where);
        check(kernel, &p, coefficients, in_at, out_at, length, accumulate);
      }
      for (size_t b = 0; full && b < sizeof BIG_LENGTHS / sizeof *BIG_LENGTHS; b++) {
        const size_t length = (size_t) BIG_LENGTHS[b];
        place(in_at, k, length, where);
        place(out_at, m, length, where);
        check(kernel, &p, coefficients, in_at, out_at, length, accumulate);
      }
    }
    for (size_t l = 0; full && l < sizeof ALIGNED_LENGTHS / sizeof *ALIGNED_LENGTHS; l++) {
      for (size_t shift = 0; shift < 64; shift++) {
        /* The buffers have different alignments, and each buffer has every alignment in turn. */
        for (int i = 0; i < k; i++) {
          in_at[i] = (shift + 7 * (size_t) i) % 64;
        }
        for (int o = 0; o < m; o++) {
          out_at[o] = (shift * 3 + 11 * (size_t) o) % 64;
        }
        check(kernel, &p, coefficients, in_at, out_at, (size_t) ALIGNED_LENGTHS[l], accumulate);
      }
    }
  }
  release(&p);
}

static void suite(enum kernel kernel)
{
  uint8_t coefficients[MAX_INPUTS * MAX_OUTPUTS];
  for (int c = 0; c < 256; c++) {
    coefficients[0] = (uint8_t) c;
    matrices(kernel, coefficients, 1, 1, 0);
  }
  for (size_t s = 0; s < sizeof SHAPES / sizeof *SHAPES; s++) {
    const int k = SHAPES[s][0];
    const int m = SHAPES[s][1];
    for (int c = 0; c < k * m; c++) {
      /* Zeros and ones are more frequent than by chance, because kernels treat them specially. */
      const uint8_t kind = random_byte();
      coefficients[c] = kind < 48 ? 0 : kind < 80 ? 1 : random_byte();
    }
    matrices(kernel, coefficients, k, m, 1);
  }
  /* Two halves with few coefficients outside them, as codes with two sub-chunks have. */
  for (int h = 3; h <= 4; h++) {
    for (int k = 1; k <= 20; k += 19) {
      memset(coefficients, 0, sizeof coefficients);
      for (int i = 0; i < k; i++) {
        const int half = random_byte() % 2;
        for (int r = half * h; r < half * h + h; r++) {
          coefficients[r * k + i] = random_byte();
        }
        coefficients[((1 - half) * h + random_byte() % h) * k + i] = random_byte() % 4;
      }
      /* In addition, one row contains all of another row. */
      for (int i = 0; i < k; i++) {
        coefficients[k + i] ^= coefficients[(h + 1) * k + i];
      }
      matrices(kernel, coefficients, k, 2 * h, 1);
    }
  }
  memset(coefficients, 0, sizeof coefficients);
  matrices(kernel, coefficients, 6, 3, 1);
  memset(coefficients, 1, sizeof coefficients);
  matrices(kernel, coefficients, 6, 1, 1);
}

int main(int argc, char **argv)
{
  state = argc > 1 ? strtoull(argv[1], NULL, 0) : 20260101;
  printf("seed %llu\n", (unsigned long long) state);
  page = (size_t) sysconf(_SC_PAGESIZE);
  area = PAGES * page;
  expected = malloc(area);
  for (int i = 0; i < MAX_INPUTS; i++) {
    inputs[i] = guarded();
    for (size_t x = 0; x < area; x++) {
      inputs[i][x] = random_byte();
    }
  }
  for (int o = 0; o < MAX_OUTPUTS; o++) {
    outputs[o] = guarded();
  }
  int tested = 0;
  for (enum kernel kernel = GFNI; kernel <= ISAL; kernel++) {
    if (!kernel_available(kernel)) {
      printf("%s: not available here, not tested\n", NAMES[kernel]);
      continue;
    }
    checks = 0;
    suite(kernel);
    printf("%s: %ld checks passed\n", NAMES[kernel], checks);
    tested++;
  }
  free(expected);
  return tested > 0 ? 0 : 77;
}
