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

#include "kernels.h"

#include "erasure_code.h"

/*
 * ISA-L accumulates one input at a time and goes over all outputs for each. In pieces of this size
 * the outputs stay in the first-level cache meanwhile.
 */
enum { ACCUMULATE_BYTES = 4096 };

void ppr_isal_apply(const uint8_t *tables, int inputs, int outputs, const uint8_t *const *in,
    uint8_t *const *out, size_t length, int accumulate)
{
  /* ISA-L's prototypes lack const; it writes to the outputs only. */
  unsigned char *table = (unsigned char *) tables;
  if (!accumulate) {
    ec_encode_data((int) length, inputs, outputs, table, (unsigned char **) in,
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
      ec_encode_data_update(count, inputs, outputs, i, table, (unsigned char *) in[i] + start, to);
    }
  }
}
