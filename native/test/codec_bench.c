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
 * Measures the kernels without Java, for any matrix. it/bench.sh codec runs this program next to
 * its own measurements.
 *
 * Reads requests from standard input, one per line, until it ends:
 *
 * KERNEL INPUTS OUTPUTS ACCUMULATE LENGTH OFFSET BURST_NS BURSTS COEFFICIENTS
 *
 * KERNEL is gfni or isal, ACCUMULATE 0 or 1, OFFSET the offset in a page at which each buffer
 * begins, COEFFICIENTS hexadecimal, output after output. Answers each with one line of JSON,
 * {"kernel":"isal","ns_per_call":1234.5} or {"error":"..."}: the best of BURSTS bursts of about
 * BURST_NS nanoseconds. The best burst shows what the machine can do, even while other processes
 * use it.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "support.h"

/* The layout of buffers is that of the Java class CodecBuffers. */
enum { PAGE = 4096, MAX_LENGTH = 64 * 1024 * 1024 };

static double nanoseconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double) now.tv_sec * 1e9 + (double) now.tv_nsec;
}

/* Returns the nanoseconds of a call in the best burst; each burst makes this number of calls. */
static double best(enum kernel kernel, const struct prepared *p, const uint8_t *const *in,
    uint8_t *const *out, size_t length, int accumulate, long calls, int bursts)
{
  double least = 0;
  for (int burst = 0; burst < bursts; burst++) {
    const double start = nanoseconds();
    for (long c = 0; c < calls; c++) {
      apply(kernel, p, in, out, length, accumulate);
      __asm__ volatile("" ::: "memory");
    }
    const double passed = nanoseconds() - start;
    least = burst == 0 || passed < least ? passed : least;
  }
  return least / (double) calls;
}

static const char *parse_hex(const char *text, uint8_t *bytes, int count)
{
  for (int i = 0; i < count; i++) {
    unsigned value;
    if (sscanf(text + 2 * i, "%2x", &value) != 1) {
      return "too few coefficients";
    }
    bytes[i] = (uint8_t) value;
  }
  return NULL;
}

static const char *answer(const char *line)
{
  char name[8];
  int inputs, outputs, accumulate, bursts, at;
  long length, offset;
  double burst_ns;
  if (sscanf(line, "%7s %d %d %d %ld %ld %lf %d %n", name, &inputs, &outputs, &accumulate, &length,
      &offset, &burst_ns, &bursts, &at) != 8) {
    return "not a request";
  }
  if (inputs < 1 || inputs > PPR_MAX_BUFFERS || outputs < 1 || outputs > PPR_MAX_BUFFERS
      || length < 1 || length > MAX_LENGTH || offset < 0 || offset >= PAGE
      || bursts < 1) {
    return "out of range";
  }
  const enum kernel kernel = strcmp(name, "gfni") == 0 ? GFNI : ISAL;
  if ((kernel == ISAL && strcmp(name, "isal") != 0) || !kernel_available(kernel)) {
    return "no such kernel here";
  }
  uint8_t coefficients[PPR_MAX_BUFFERS * PPR_MAX_BUFFERS];
  const char *problem = parse_hex(line + at, coefficients, inputs * outputs);
  if (problem != NULL) {
    return problem;
  }
  const size_t stride = ((size_t) (length + offset) + PAGE - 1) / PAGE * PAGE + PAGE;
  const int buffers = inputs + outputs;
  /* The memory is kept, because new memory would be mapped page by page during the measurement. */
  static uint8_t *arena;
  static size_t arena_size;
  if (stride * (size_t) buffers > arena_size) {
    free(arena);
    arena_size = stride * (size_t) buffers;
    arena = aligned_alloc(PAGE, arena_size);
    if (arena == NULL) {
      arena_size = 0;
      return "no memory";
    }
    for (size_t x = 0; x < arena_size; x++) {
      arena[x] = (uint8_t) (x * 31);
    }
  }
  const uint8_t *in[PPR_MAX_BUFFERS];
  uint8_t *out[PPR_MAX_BUFFERS];
  for (int b = 0; b < buffers; b++) {
    uint8_t *buffer = arena + stride * (size_t) b + offset;
    if (b < inputs) {
      in[b] = buffer;
    } else {
      out[b - inputs] = buffer;
    }
  }
  struct prepared p = prepare(coefficients, inputs, outputs);
  const double rough = best(kernel, &p, in, out, (size_t) length, accumulate, 1, 3);
  const double calls = burst_ns / rough;
  const double ns = best(kernel, &p, in, out, (size_t) length, accumulate,
      calls > 1 ? (long) calls : 1, bursts);
  release(&p);
  printf("{\"kernel\":\"%s\",\"ns_per_call\":%.1f}\n", name, ns);
  return NULL;
}

int main(void)
{
  static char line[2 * PPR_MAX_BUFFERS * PPR_MAX_BUFFERS + 256];
  while (fgets(line, sizeof line, stdin) != NULL) {
    const char *problem = answer(line);
    if (problem != NULL) {
      printf("{\"error\":\"%s\"}\n", problem);
    }
    fflush(stdout);
  }
  return 0;
}
