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
 * The native library that the jar carries for this platform, and which of its kernels can be
 * trusted here. Whatever goes wrong ends in a description of the problem, never in an exception:
 * there is always the Java kernel to go on with.
 */
@InterfaceAudience.Private
public final class NativeLibrary {
  private static final String DIRECTORY_PREFIX = "hdfsppr-native-";

  /** Loaded kernels, fastest first. */
  private final List<RegionKernel> kernels;
  /** Kernels that cannot be used, with the reason. */
  private final Map<String, String> reasons;
  /** What an operator has to know about; null if all is as it should be. */
  private final String problem;
  private final boolean loaded;

  private NativeLibrary(boolean loaded, List<RegionKernel> kernels, Map<String, String> reasons,
      String problem) {
    this.loaded = loaded;
    this.kernels = List.copyOf(kernels);
    this.reasons = Map.copyOf(reasons);
    this.problem = problem;
  }

  /** {@return whether this process has the library, be it without a kernel that works here} */
  public static boolean isLoaded() {
    return instance().loaded;
  }

  /** The library of this process, loaded by the first call. */
  static NativeLibrary instance() {
    return Holder.INSTANCE;
  }

  /**
   * Takes a library out of the class path and loads it.
   *
   * @param resource absolute name of the resource; beside it lies one with the library's checksum
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
   * @param sha256 what the library's SHA-256 must be, in hexadecimal. A file with a part missing
   *     takes the process down while it is being loaded, so this has to be known before
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

  /** The checksum that lies beside a library. */
  static String sha256(byte[] bytes) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return String.format("%064x", new BigInteger(1, digest));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /**
   * Into a directory that nobody else can write to, so that nobody can slip another library in
   * between writing and loading. Once it is loaded the file is not needed any more, and a process
   * that is killed later leaves nothing behind.
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

  /** Asked for each time: the JDK's own choice is made once, before a test or launcher sets it. */
  private static String temporary() {
    return System.getProperty("java.io.tmpdir");
  }

  private static void deleteNowOrOnExit(Path path) {
    if (!path.toFile().delete()) {
      path.toFile().deleteOnExit();
    }
  }

  /**
   * Lets only those kernels pass that compute what the scalar arithmetic computes.
   *
   * @param candidates kernels of the library by name, or instead of the kernel the reason why the
   *     library does not offer it here
   */
  static NativeLibrary check(List<NativeKernel.Candidate> candidates) {
    List<RegionKernel> good = new ArrayList<>();
    Map<String, String> reasons = new TreeMap<>();
    StringBuilder wrong = new StringBuilder();
    for (NativeKernel.Candidate candidate : candidates) {
      if (candidate.kernel() == null) {
        reasons.put(candidate.name(), candidate.reason());
        continue;
      }
      Optional<String> failure = SelfTest.run(candidate.kernel());
      if (failure.isEmpty()) {
        good.add(candidate.kernel());
      } else {
        reasons.put(candidate.name(), failure.get());
        wrong.append(wrong.length() == 0 ? "" : "; ").append(failure.get());
      }
    }
    return new NativeLibrary(true, good, reasons, wrong.length() == 0 ? null : wrong.toString());
  }

  private static NativeLibrary unusable(String problem) {
    return new NativeLibrary(false, List.of(), Map.of(NativeKernel.GFNI, problem,
        NativeKernel.ISAL, problem), problem);
  }

  List<RegionKernel> kernels() {
    return kernels;
  }

  /** Why a kernel is not among {@link #kernels()}. */
  String whyNot(String kernel) {
    return reasons.getOrDefault(kernel, "the native library does not know it");
  }

  /** What keeps the library, or a part of it, from being used although it should work. */
  Optional<String> problem() {
    return Optional.ofNullable(problem);
  }

  /** Resource name of the library for a platform, in the words of the JVM's system properties. */
  static String resource(String osName, String osArch) {
    String os = osName.toLowerCase(Locale.ROOT);
    String arch = osArch.toLowerCase(Locale.ROOT);
    return "/org/hdfsppr/native/" + os + "-" + (arch.equals("amd64") ? "x86_64" : arch)
        + "/libhdfsppr.so";
  }

  /** Loads the library when it is first asked for, once. */
  private static final class Holder {
    static final NativeLibrary INSTANCE =
        load(resource(System.getProperty("os.name"), System.getProperty("os.arch")));
  }
}
