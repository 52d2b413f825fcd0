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
 * Measures the kernels without Java: RS(6,3) encoding in one thread, in gigabytes of data per
 * second.
 *
 * Usage: kernel_bench [cell size in bytes]
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "support.h"

/*
 * The best of many short rounds counts, because other programs may use the machine during some of
 * them.
 */
enum { K = 6, M = 3, ROUNDS = 1000 };

static double seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double) now.tv_sec + (double) now.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
  const size_t cell = argc > 1 ? strtoull(argv[1], NULL, 0) : 65536;
  if (cell == 0 || cell > 64 * 1024 * 1024) {
    fprintf(stderr, "cell size must be 1 byte to 64 MiB\n");
    return 2;
  }
  uint8_t coefficients[K * M];
  for (int c = 0; c < K * M; c++) {
    coefficients[c] = (uint8_t) (c * 37 + 2);
  }
  struct prepared p = prepare(coefficients, K, M);
  const uint8_t *in[K];
  uint8_t *out[M];
  uint8_t *copies[K];
  for (int i = 0; i < K + M + K; i++) {
    uint8_t *buffer = aligned_alloc(64, (cell + 63) / 64 * 64);
    memset(buffer, i * 31 + 1, cell);
    if (i < K) {
      in[i] = buffer;
    } else if (i < K + M) {
      out[i - K] = buffer;
    } else {
      copies[i - K - M] = buffer;
    }
  }
  const long calls = (long) (2.0e7 / (double) (K * cell)) + 1;
  const char *const names[] = {"gfni", "isal", "memcpy"};
  for (int what = 0; what < 3; what++) {
    if (what < 2 && !kernel_available((enum kernel) what)) {
      continue;
    }
    double best = 0;
    for (int round = 0; round < ROUNDS; round++) {
      const double start = seconds();
      for (long c = 0; c < calls; c++) {
        if (what < 2) {
          apply((enum kernel) what, &p, in, out, cell, 0);
        } else {
          for (int i = 0; i < K; i++) {
            memcpy(copies[i], in[i], cell);
          }
        }
        __asm__ volatile("" ::: "memory");
      }
      const double rate = (double) calls * K * (double) cell / (seconds() - start) / 1e9;
      best = rate > best ? rate : best;
    }
    printf("%-6s %6.2f GB/s, %.0f ns per call\n", names[what], best,
        K * (double) cell / best);
  }
  release(&p);
  for (int i = 0; i < K; i++) {
    free((void *) in[i]);
    free(copies[i]);
  }
  for (int o = 0; o < M; o++) {
    free(out[o]);
  }
  return 0;
}
