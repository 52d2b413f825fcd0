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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.log4j.AppenderSkeleton;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.log4j.spi.LoggingEvent;
import org.hdfsppr.coder.gf.KernelSelector.JavaKernel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests which kernel is chosen, and how the choice is described. */
@InterfaceAudience.Private
class TestKernels {
  private static final String RESOURCE =
      NativeLibrary.resource(System.getProperty("os.name"), System.getProperty("os.arch"));

  private final List<LoggingEvent> log = new ArrayList<>();
  private final AppenderSkeleton appender = new AppenderSkeleton() {
    @Override
    protected void append(LoggingEvent event) {
      log.add(event);
    }

    @Override
    public void close() {
      // This kernel holds no memory.
    }

    @Override
    public boolean requiresLayout() {
      return false;
    }
  };
  private Level levelBefore;

  @BeforeEach
  void listen() {
    Logger logger = Logger.getLogger(Kernels.class);
    levelBefore = logger.getLevel();
    logger.setLevel(Level.INFO);
    logger.addAppender(appender);
  }

  @AfterEach
  void stopListening() {
    Logger logger = Logger.getLogger(Kernels.class);
    logger.removeAppender(appender);
    logger.setLevel(levelBefore);
  }

  private List<String> said(Level level) {
    return log.stream().filter(event -> event.getLevel().equals(level))
        .map(LoggingEvent::getRenderedMessage).collect(Collectors.toList());
  }

  /**
   * Makes a kernel that computes the same as the Java kernel, under another name. If {@code wrong}
   * is set, its results are wrong.
   */
  private static NativeKernel.Candidate candidate(String name, boolean wrong) {
    RegionKernel java = new JavaKernel();
    return new NativeKernel.Candidate(name, new RegionKernel() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public RegionOperator prepare(GfMatrix coefficients) {
        RegionOperator right = java.prepare(coefficients);
        return new RegionOperator(coefficients) {
          @Override
          void run(ByteBuffer[] inputs, ByteBuffer[] outputs, int length, boolean accumulate) {
            right.run(inputs, outputs, length, accumulate);
            if (wrong && length > 64) {
              ByteBuffer last = outputs[outputs.length - 1];
              int at = last.position() + length - 1;
              last.put(at, (byte) (last.get(at) ^ 1));
            }
          }
        };
      }
    }, null);
  }

  private static KernelSelector selector(NativeKernel.Candidate... candidates) {
    NativeLibrary library = NativeLibrary.check(List.of(candidates));
    return new KernelSelector(() -> library);
  }

  @Test
  void autoTakesTheFastestOneAndSaysSoOnce() {
    KernelSelector selector = selector(candidate("gfni", false), candidate("isal", false));
    assertEquals("gfni", selector.select("auto").name());
    assertEquals("gfni", selector.select("auto").name());
    assertEquals("gfni", selector.select("gfni").name());
    assertEquals(List.of("Using the gfni kernel for erasure coding"), said(Level.INFO));
    assertEquals(List.of(), said(Level.WARN));
  }

  @Test
  void autoGoesOnToTheNextOneWithoutAWarningIfTheCpuLacksSomething() {
    KernelSelector selector = selector(
        new NativeKernel.Candidate("gfni", null, "this CPU has no GFNI with AVX-512"),
        candidate("isal", false));
    assertEquals("isal", selector.select("auto").name());
    assertEquals(List.of(), said(Level.WARN));
    assertEquals("", selector.whyOnlyJava());
    String message = assertThrows(IllegalArgumentException.class,
        () -> selector.select("gfni")).getMessage();
    assertEquals("the kernel \"gfni\" cannot be used here: this CPU has no GFNI with AVX-512; set"
        + " \"auto\" to use the best one that works", message);
  }

  @Test
  void aKernelThatComputesWrongBytesIsNeverUsed() {
    KernelSelector selector = selector(candidate("gfni", true), candidate("isal", false));
    assertEquals("isal", selector.select("auto").name());
    assertEquals(List.of("isal", "java"), selector.available().stream()
        .map(RegionKernel::name).collect(Collectors.toList()));
    assertEquals(1, said(Level.WARN).size(), said(Level.WARN).toString());
    assertTrue(said(Level.WARN).get(0).contains("the gfni kernel computes wrong bytes"));
    assertThrows(IllegalArgumentException.class, () -> selector.select("gfni"));
  }

  @Test
  void aMissingLibraryIsOneWarningAndJavaGoesOn() {
    NativeLibrary library = NativeLibrary.load("/org/hdfsppr/native/none/libhdfsppr.so");
    KernelSelector selector = new KernelSelector(() -> library);
    assertEquals("java", selector.select("auto").name());
    assertEquals("java", selector.select("auto").name());
    assertEquals(List.of("Falling back to the java kernel, which is several times slower: this jar"
        + " carries no native library for this platform (/org/hdfsppr/native/none/libhdfsppr.so)"),
        said(Level.WARN));
    assertTrue(selector.whyOnlyJava().startsWith("this jar carries no native library"),
        selector.whyOnlyJava());
    assertEquals("gfni: no GFNI; isal: no AVX", selector(
        new NativeKernel.Candidate("gfni", null, "no GFNI"),
        new NativeKernel.Candidate("isal", null, "no AVX")).whyOnlyJava());
    String message = assertThrows(IllegalArgumentException.class,
        () -> selector.select("isal")).getMessage();
    assertTrue(message.startsWith("the kernel \"isal\" cannot be used here: this jar carries no"));
  }

  private static byte[] library() throws IOException {
    try (InputStream library = NativeLibrary.class.getResourceAsStream(RESOURCE)) {
      Assumptions.assumeTrue(library != null, "this build has no native library");
      return library.readAllBytes();
    }
  }

  private void assertFallsBack(NativeLibrary broken, String why) {
    KernelSelector selector = new KernelSelector(() -> broken);
    assertEquals("java", selector.select("auto").name());
    assertEquals("java", selector.select("auto").name());
    assertEquals(1, said(Level.WARN).size(), said(Level.WARN).toString());
    assertTrue(said(Level.WARN).get(0).contains(RESOURCE + why), said(Level.WARN).toString());
  }

  /**
   * If a truncated library were loaded, the JVM would die, because the headers name more pages than
   * the file has. So it must not be loaded.
   */
  @Test
  void aTruncatedLibraryIsOneWarningAndJavaGoesOn() throws IOException {
    byte[] whole = library();
    assertFallsBack(NativeLibrary.load(RESOURCE, Arrays.copyOf(whole, whole.length / 2),
        NativeLibrary.sha256(whole)), " is damaged: its SHA-256 is ");
  }

  @Test
  void aLibraryForAnotherMachineIsOneWarningAndJavaGoesOn() throws IOException {
    byte[] foreign = library();
    // This byte of the ELF header names the machine.
    foreign[18] ^= 0x7f;
    assertFallsBack(NativeLibrary.load(RESOURCE, foreign, NativeLibrary.sha256(foreign)),
        " cannot be loaded from ");
  }

  @Test
  void nothingIsLeftInTheTemporaryDirectory() throws IOException {
    NativeLibrary.instance();
    try (Stream<Path> files = Files.list(Paths.get(System.getProperty("java.io.tmpdir")))) {
      assertEquals(List.of(), files.filter(file -> file.getFileName().toString()
          .startsWith("hdfsppr-native-")).collect(Collectors.toList()));
    }
  }

  @Test
  void javaIsThereWhateverTheLibraryDoes() {
    KernelSelector selector = new KernelSelector(() -> {
      throw new AssertionError("the library is not needed");
    });
    assertEquals("java", selector.select("java").name());
  }

  @Test
  void anUnknownNameIsRejectedWithTheKnownOnes() {
    assertEquals("there is no kernel \"GFNI\"; use auto, gfni, isal or java",
        assertThrows(IllegalArgumentException.class, () -> Kernels.select("GFNI")).getMessage());
  }

  @Test
  void theLibraryOfThisBuildWorks() {
    NativeLibrary library = NativeLibrary.instance();
    if (NativeLibrary.class.getResource(RESOURCE) == null) {
      assertFalse(library.problem().isEmpty(), "a build without the library must name the problem");
      return;
    }
    assertTrue(library.problem().isEmpty(), library.problem().toString());
    assertSame(Kernels.available().get(0), Kernels.select("auto"));
  }

  @Test
  void resourcesAreNamedByPlatform() {
    assertEquals("/org/hdfsppr/native/linux-x86_64/libhdfsppr.so",
        NativeLibrary.resource("Linux", "amd64"));
    assertEquals("/org/hdfsppr/native/linux-aarch64/libhdfsppr.so",
        NativeLibrary.resource("Linux", "aarch64"));
  }
}
