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
 * Connects org.hdfsppr.coder.gf.NativeKernel to the kernels. Java passes addresses of buffers,
 * after it has checked the buffers, and keeps them reachable during the call. Reading the buffer
 * objects from a Java array here would take twice as long.
 */
#include <errno.h>
#include <fcntl.h>
#include <jni.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kernels.h"

enum { HAS_GFNI = 1, HAS_ISAL = 2 };

_Static_assert(sizeof(void *) == sizeof(jlong), "addresses travel as Java longs");

JNIEXPORT jint JNICALL Java_org_hdfsppr_coder_gf_NativeKernel_features(JNIEnv *env, jclass type)
{
  (void) env;
  (void) type;
  return (ppr_gfni_supported() ? HAS_GFNI : 0) | (ppr_isal_supported() ? HAS_ISAL : 0);
}

/*
 * The field java.nio.Buffer.address, or NULL if this Java has no such field. It is set once, when
 * the library is loaded.
 */
static jfieldID buffer_address;

/* The field java.io.FileDescriptor.fd, or NULL if this Java has no such field. */
static jfieldID descriptor_number;

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved)
{
  (void) reserved;
  JNIEnv *env;
  if ((*vm)->GetEnv(vm, (void **) &env, JNI_VERSION_1_8) != JNI_OK) {
    return JNI_ERR;
  }
  jclass buffer = (*env)->FindClass(env, "java/nio/Buffer");
  if (buffer != NULL) {
    buffer_address = (*env)->GetFieldID(env, buffer, "address", "J");
  }
  (*env)->ExceptionClear(env);
  jclass descriptor = (*env)->FindClass(env, "java/io/FileDescriptor");
  if (descriptor != NULL) {
    descriptor_number = (*env)->GetFieldID(env, descriptor, "fd", "I");
  }
  (*env)->ExceptionClear(env);
  return JNI_VERSION_1_8;
}

/*
 * Returns a buffer's address. GetDirectBufferAddress reads the same field, but checks the buffer's
 * type first, and takes more than three times as long: 170 ns instead of 50 ns for the nine buffers
 * of RS(6,3). The work on cells of 64 KiB takes 7000 ns.
 */
JNIEXPORT jlong JNICALL Java_org_hdfsppr_coder_gf_NativeKernel_address(JNIEnv *env, jclass type,
    jobject buffer)
{
  (void) type;
  if (buffer_address != NULL) {
    return (*env)->GetLongField(env, buffer, buffer_address);
  }
  return (jlong) (intptr_t) (*env)->GetDirectBufferAddress(env, buffer);
}

#if defined(PPR_HAVE_GFNI) || defined(PPR_HAVE_ISAL)
/* Reads the addresses of all inputs, then of all outputs. */
static void pointers(JNIEnv *env, jlongArray addresses, jint count, void **pointer)
{
  (*env)->GetLongArrayRegion(env, addresses, 0, count, (jlong *) pointer);
}
#endif

/*
 * If a kernel was not built in, its method is missing too. features() reports this, and Java does
 * not call the method.
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

/* Implements a method of org.hdfsppr.coder.io.FileAdvice. */
JNIEXPORT jint JNICALL Java_org_hdfsppr_coder_io_FileAdvice_advise(JNIEnv *env, jclass type,
    jobject descriptor, jlong offset, jlong length, jint advice)
{
  (void) type;
  if (descriptor_number == NULL || descriptor == NULL) {
    return EBADF;
  }
  jint file = (*env)->GetIntField(env, descriptor, descriptor_number);
  return posix_fadvise(file, offset, length, advice);
}

/*
 * Implements a method of org.hdfsppr.coder.io.FileAdvice: returns how many of a file's first length
 * bytes are in memory, or -1 for an error. The function reads no page. It only makes a mapping,
 * about which it asks mincore. The operating system looks up every page that it is asked about. In
 * a large file the function therefore samples RUNS evenly spread runs of RUN_PAGES pages, and
 * extrapolates. This takes 20 us for a file of any length.
 */
#define RUNS 32
#define RUN_PAGES 8

JNIEXPORT jlong JNICALL Java_org_hdfsppr_coder_io_FileAdvice_resident(JNIEnv *env, jclass type,
    jobject descriptor, jlong length)
{
  (void) type;
  if (descriptor_number == NULL || descriptor == NULL || length <= 0) {
    return -1;
  }
  jint file = (*env)->GetIntField(env, descriptor, descriptor_number);
  size_t page = (size_t) sysconf(_SC_PAGESIZE);
  size_t pages = ((size_t) length + page - 1) / page;
  char *start = mmap(NULL, (size_t) length, PROT_READ, MAP_SHARED, file, 0);
  if (start == MAP_FAILED) {
    return -1;
  }
  unsigned char present[RUNS * RUN_PAGES];
  size_t asked = pages;
  int failed;
  if (pages <= sizeof present) {
    failed = mincore(start, pages * page, present);
  } else {
    asked = sizeof present;
    failed = 0;
    for (size_t run = 0; run < RUNS && !failed; run++) {
      /* The first run is at the start, the last one at the end. */
      size_t first = run * (pages - RUN_PAGES) / (RUNS - 1);
      failed = mincore(start + first * page, RUN_PAGES * page, present + run * RUN_PAGES);
    }
  }
  munmap(start, (size_t) length);
  if (failed) {
    return -1;
  }
  size_t in_memory = 0;
  for (size_t i = 0; i < asked; i++) {
    in_memory += present[i] & 1;
  }
  jlong bytes = (jlong) ((double) in_memory / (double) asked * (double) length);
  return bytes < length ? bytes : length;
}
