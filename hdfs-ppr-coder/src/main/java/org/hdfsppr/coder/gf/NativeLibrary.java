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
package org.hdfsppr.coder.gf;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.classification.InterfaceAudience;

/**
 * Loads the native library for this platform from the jar, and lists those of its kernels that
 * compute right bytes on this machine. If something fails, the class describes it in words and
 * throws no exception, because callers can always use the Java kernel instead.
 */
@InterfaceAudience.Private
public final class NativeLibrary {
  private static final String DIRECTORY_PREFIX = "hdfsppr-native-";

  /** The kernels that work on this machine, fastest first. */
  final List<RegionKernel> kernels;
  /** The reason for each kernel that does not work on this machine, by the kernel's name. */
  private final Map<String, String> reasons;
  /** A problem that operators should know about; null if there is none. */
  private final String problem;
  private final boolean loaded;

  private NativeLibrary(boolean loaded, List<RegionKernel> kernels, Map<String, String> reasons,
      String problem) {
    this.loaded = loaded;
    this.kernels = List.copyOf(kernels);
    this.reasons = Map.copyOf(reasons);
    this.problem = problem;
  }

  /**
   * {@return whether this process has loaded the library; true even if no kernel of the library
   * works on this machine}
   */
  public static boolean isLoaded() {
    return instance().loaded;
  }

  /** Returns the library of this process. The first call loads it. */
  static NativeLibrary instance() {
    return Holder.INSTANCE;
  }

  /**
   * Loads a library from the class path.
   *
   * @param resource absolute name of the resource; a second resource, with {@code .sha256} appended
   *     to this name, contains the library's checksum
   */
  static NativeLibrary load(String resource) {
    try (InputStream library = NativeLibrary.class.getResourceAsStream(resource);
        InputStream checksum = NativeLibrary.class.getResourceAsStream(resource + ".sha256")) {
      if (library == null || checksum == null) {
        return unusable("this jar carries no native library for this platform (" + resource + ")");
      }
      return load(resource, library.readAllBytes(),
          new String(checksum.readAllBytes(), StandardCharsets.US_ASCII).trim());
    } catch (IOException e) {
      return unusable("the native library " + resource + " cannot be read: " + e);
    }
  }

  /**
   * Loads a library from its bytes.
   *
   * @param sha256 the SHA-256 that the library should have, in hexadecimal. The method compares it
   *     before it loads the library, because loading an incomplete file can crash the process
   */
  static NativeLibrary load(String resource, byte[] library, String sha256) {
    String found = sha256(library);
    if (!found.equals(sha256)) {
      return unusable("the native library " + resource + " is damaged: its SHA-256 is " + found
          + ", not " + sha256);
    }
    try {
      unpackAndLoad(library, resource.substring(resource.lastIndexOf('/') + 1));
    } catch (IOException | UnsupportedOperationException e) {
      return unusable("the native library " + resource + " cannot be unpacked into "
          + temporary() + ": " + e);
    } catch (LinkageError e) {
      return unusable("the native library " + resource + " cannot be loaded from "
          + temporary() + ", which must not be mounted noexec: " + e);
    }
    return check(NativeKernel.supported());
  }

  /** Returns the SHA-256 of a library, in hexadecimal. */
  static String sha256(byte[] bytes) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return String.format("%064x", new BigInteger(1, digest));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /**
   * Unpacks the library into a directory that only this user can write to, so that no other user
   * can replace the file between writing and loading. The method deletes the file as soon as the
   * library is loaded, so that a process that is killed later leaves no file behind.
   */
  private static void unpackAndLoad(byte[] library, String fileName) throws IOException {
    Path directory = Files.createTempDirectory(Paths.get(temporary()), DIRECTORY_PREFIX,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Path file = directory.resolve(fileName);
    try {
      Files.write(file, library);
      System.load(file.toString());
    } finally {
      deleteNowOrOnExit(file);
      deleteNowOrOnExit(directory);
    }
  }

  /**
   * Returns the directory for temporary files. The method reads the property at each call. The
   * JDK's own methods read it only once, which may be before a test or a launcher sets it.
   */
  private static String temporary() {
    return System.getProperty("java.io.tmpdir");
  }

  private static void deleteNowOrOnExit(Path path) {
    if (!path.toFile().delete()) {
      path.toFile().deleteOnExit();
    }
  }

  /**
   * Runs the self-test with each kernel, and accepts only kernels that give the same bytes as
   * {@link Gf256}.
   *
   * @param candidates for each kernel that the library may contain, the kernel itself or the reason
   *     why it does not run on this machine
   */
  static NativeLibrary check(List<NativeKernel.Candidate> candidates) {
    List<RegionKernel> good = new ArrayList<>();
    Map<String, String> reasons = new TreeMap<>();
    StringBuilder wrong = new StringBuilder();
    for (NativeKernel.Candidate candidate : candidates) {
      if (candidate.kernel == null) {
        reasons.put(candidate.name, candidate.reason);
        continue;
      }
      Optional<String> failure = SelfTest.run(candidate.kernel);
      if (failure.isEmpty()) {
        good.add(candidate.kernel);
      } else {
        reasons.put(candidate.name, failure.get());
        wrong.append(wrong.length() == 0 ? "" : "; ").append(failure.get());
      }
    }
    return new NativeLibrary(true, good, reasons, wrong.length() == 0 ? null : wrong.toString());
  }

  private static NativeLibrary unusable(String problem) {
    return new NativeLibrary(false, List.of(), Map.of(NativeKernel.GFNI, problem,
        NativeKernel.ISAL, problem), problem);
  }

  /** Returns the reason why a kernel is not among {@link #kernels}. */
  String whyNot(String kernel) {
    return reasons.getOrDefault(kernel, "the native library does not know it");
  }

  /**
   * Returns a problem that operators should know about: why the library cannot be used, or which of
   * its kernels failed the self-test. Empty if there is no problem.
   */
  Optional<String> problem() {
    return Optional.ofNullable(problem);
  }

  /**
   * Returns the resource name of the library for a platform, from the values of the JVM's system
   * properties.
   */
  static String resource(String osName, String osArch) {
    String os = osName.toLowerCase(Locale.ROOT);
    String arch = osArch.toLowerCase(Locale.ROOT);
    return "/org/hdfsppr/native/" + os + "-" + (arch.equals("amd64") ? "x86_64" : arch)
        + "/libhdfsppr.so";
  }

  /**
   * Holds the library of this process. The JVM initializes this class, and thereby loads the
   * library, at the first use.
   */
  private static final class Holder {
    static final NativeLibrary INSTANCE =
        load(resource(System.getProperty("os.name"), System.getProperty("os.arch")));
  }

  /**
   * Lets a kernel compute a few known results. The kernel may process data only if all of them are
   * right. This does not replace the test suite. It protects against errors that occur only on a
   * CPU, or with a compiler or a version of a library, on which the test suite has never run.
   */
  static final class SelfTest {
    /** Numbers of inputs and outputs that exercise the wide and the narrow loops of kernels. */
    private static final int[][] SHAPES = {{1, 1}, {6, 3}, {10, 4}, {16, 6}, {5, 7}};
    /**
     * Lengths of the regions, bytes: lengths below one vector, a whole number of vectors, and a
     * length that reaches the unrolled loops and leaves a rest.
     */
    private static final int[] LENGTHS = {1, 31, 64, 1007};
    private static final int OFFSET = 3;

    private SelfTest() {
    }

    /**
     * Returns a description of the first wrong result of a kernel, or empty if all results are
     * right.
     */
    static Optional<String> run(RegionKernel kernel) {
      for (int[] shape : SHAPES) {
        // Every byte value occurs as a coefficient in at least one of the matrices.
        GfMatrix matrix = GfMatrix.generate(shape[1], shape[0],
            (r, c) -> shape[0] * 37 + r * 71 + c * 13);
        RegionOperator operator = kernel.prepare(matrix);
        for (int length : LENGTHS) {
          for (boolean accumulate : new boolean[] {false, true}) {
            ByteBuffer[] inputs = filled(shape[0], length, 1);
            ByteBuffer[] outputs = filled(shape[1], length, 2);
            ByteBuffer[] before = filled(shape[1], length, 2);
            operator.apply(inputs, outputs, length, accumulate);
            if (!right(matrix, inputs, before, outputs, length, accumulate)) {
              return Optional.of(String.format("the %s kernel computes wrong bytes for %d "
                  + "inputs, %d outputs, %d bytes%s", kernel.name(), shape[0], shape[1], length,
                  accumulate ? ", accumulating" : ""));
            }
          }
        }
      }
      return Optional.empty();
    }

    private static ByteBuffer[] filled(int count, int length, int salt) {
      ByteBuffer[] buffers = new ByteBuffer[count];
      for (int i = 0; i < count; i++) {
        buffers[i] = ByteBuffer.allocateDirect(OFFSET + length + OFFSET);
        for (int x = 0; x < buffers[i].capacity(); x++) {
          buffers[i].put(x, (byte) ((x + 1) * 167 + (i + salt) * 59 + (x >>> 5)));
        }
        buffers[i].position(OFFSET);
      }
      return buffers;
    }

    /**
     * Says whether every output has the right bytes in the region, and unchanged bytes before and
     * behind it.
     */
    private static boolean right(GfMatrix matrix, ByteBuffer[] inputs, ByteBuffer[] before,
        ByteBuffer[] after, int length, boolean accumulate) {
      for (int o = 0; o < after.length; o++) {
        for (int x = 0; x < after[o].capacity(); x++) {
          boolean inside = x >= OFFSET && x < OFFSET + length;
          int expected = !inside || accumulate ? before[o].get(x) : 0;
          for (int i = 0; inside && i < inputs.length; i++) {
            expected ^= Gf256.mul(matrix.get(o, i), inputs[i].get(x));
          }
          if ((byte) expected != after[o].get(x)) {
            return false;
          }
        }
      }
      return true;
    }
  }
}
