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
 * The way from org.hdfsppr.coder.gf.NativeKernel to the kernels. Buffers arrive as addresses that
 * the Java side has computed and checked and whose buffers it keeps reachable during the call; so a
 * call costs one copy of a short array and nothing per buffer.
 */
#include <jni.h>

#include "kernels.h"

enum { HAS_GFNI = 1, HAS_ISAL = 2 };

_Static_assert(sizeof(void *) == sizeof(jlong), "addresses travel as Java longs");

JNIEXPORT jint JNICALL Java_org_hdfsppr_coder_gf_NativeKernel_features(JNIEnv *env, jclass type)
{
  (void) env;
  (void) type;
  return (ppr_gfni_supported() ? HAS_GFNI : 0) | (ppr_isal_supported() ? HAS_ISAL : 0);
}

JNIEXPORT jlong JNICALL Java_org_hdfsppr_coder_gf_NativeKernel_address(JNIEnv *env, jclass type,
    jobject buffer)
{
  (void) type;
  return (jlong) (intptr_t) (*env)->GetDirectBufferAddress(env, buffer);
}

/* Reads the addresses of all inputs, then of all outputs. */
static inline void pointers(JNIEnv *env, jlongArray addresses, jint count, void **pointer)
{
  (*env)->GetLongArrayRegion(env, addresses, 0, count, (jlong *) pointer);
}

/*
 * A kernel that was not built in has no method either; features() says so and Java does not call it.
 */
#ifdef PPR_HAVE_GFNI
JNIEXPORT void JNICALL Java_org_hdfsppr_coder_gf_NativeKernel_applyGfni(JNIEnv *env, jclass type,
    jlong program, jlongArray addresses, jint inputs, jint outputs, jint length,
    jboolean accumulate)
{
  (void) type;
  void *pointer[2 * PPR_MAX_BUFFERS];
  pointers(env, addresses, inputs + outputs, pointer);
  ppr_gfni_apply((const uint64_t *) (intptr_t) program, (const uint8_t *const *) pointer,
      (uint8_t *const *) pointer + inputs, (size_t) length, accumulate);
}
#endif

#ifdef PPR_HAVE_ISAL
JNIEXPORT void JNICALL Java_org_hdfsppr_coder_gf_NativeKernel_applyIsal(JNIEnv *env, jclass type,
    jlong tables, jlongArray addresses, jint inputs, jint outputs, jint length,
    jboolean accumulate)
{
  (void) type;
  void *pointer[2 * PPR_MAX_BUFFERS];
  pointers(env, addresses, inputs + outputs, pointer);
  ppr_isal_apply((const uint8_t *) (intptr_t) tables, inputs, outputs,
      (const uint8_t *const *) pointer, (uint8_t *const *) pointer + inputs, (size_t) length,
      accumulate);
}
#endif
