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

#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kernels.h"

#include <erasure_code.h>

/* The bytes of ISA-L's shared library, which isal_image.S includes. */
extern const unsigned char ppr_isal_image[];
extern const unsigned char ppr_isal_image_end[];

static __typeof__(ec_encode_data) *encode;
static __typeof__(ec_encode_data_update) *encode_update;

static int write_fully(int file, const unsigned char *from, const unsigned char *end)
{
  while (from < end) {
    const ssize_t written = write(file, from, (size_t) (end - from));
    if (written <= 0) {
      return 0;
    }
    from += written;
  }
  return 1;
}

/*
 * Loads the library from memory, so that no file of it is ever written to a disk. It stays loaded
 * until the process ends.
 */
static void load(void)
{
  const int file = memfd_create("hdfsppr-isal", MFD_CLOEXEC);
  if (file < 0) {
    return;
  }
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  if (write_fully(file, ppr_isal_image, ppr_isal_image_end)) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library != NULL) {
      void *update = dlsym(library, "ec_encode_data_update");
      encode_update = (__typeof__(encode_update)) update;
      encode = (__typeof__(encode)) dlsym(library, "ec_encode_data");
    }
  }
  close(file);
}

int ppr_isal_supported(void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return encode != NULL && encode_update != NULL;
}

/*
 * ISA-L accumulates one input at a time, and passes over all outputs for each input. Outputs of
 * this size stay in the first-level cache meanwhile.
 */
enum { ACCUMULATE_BYTES = 4096 };

void ppr_isal_apply(const uint8_t *tables, int inputs, int outputs, const uint8_t *const *in,
    uint8_t *const *out, size_t length, int accumulate)
{
  /* ISA-L's prototypes lack const, but it writes to the outputs only. */
  unsigned char *table = (unsigned char *) tables;
  if (!accumulate) {
    encode((int) length, inputs, outputs, table, (unsigned char **) in,
        (unsigned char **) out);
    return;
  }
  unsigned char *to[PPR_MAX_BUFFERS];
  for (size_t start = 0; start < length; start += ACCUMULATE_BYTES) {
    const size_t rest = length - start;
    const int count = (int) (rest < ACCUMULATE_BYTES ? rest : ACCUMULATE_BYTES);
    for (int o = 0; o < outputs; o++) {
      to[o] = out[o] + start;
    }
    for (int i = 0; i < inputs; i++) {
      encode_update(count, inputs, outputs, i, table, (unsigned char *) in[i] + start, to);
    }
  }
}
