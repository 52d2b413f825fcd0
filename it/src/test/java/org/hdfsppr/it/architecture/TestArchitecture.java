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
package org.hdfsppr.it.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.hdfsppr.loader.HadoopMembers;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Checks the architecture rules: those of sources for all modules, those of compiled classes for
 * all but the benchmarks, whose tests check them again with their classes. Known violations stand,
 * with their reasons, in {@code architecture-exceptions.txt}. The tests fail for every other
 * violation, and for every exception that is not needed any more.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public class TestArchitecture {
  private static final int CODE_LINES_MAX = 400;
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Set<String> RULES = Set.of("module", "package-circle", "class-circle",
      "name-twice", "too-long", "no-audience", "reflection", "hadoop-members");

  private SourceFiles sources;
  private CompiledClasses classes;
  private KnownExceptions exceptions;

  /** Returns whether the classes of the benchmarks are built. */
  protected boolean withBenchmarks() {
    return false;
  }

  @BeforeAll
  void read() throws IOException {
    sources = new SourceFiles(ROOT);
    classes = new CompiledClasses(ROOT, sources,
        withBenchmarks() ? Modules.BUILT_WITH_BENCH : Modules.BUILT);
    exceptions = KnownExceptions.read();
  }

  private static void assertNone(List<String> wrong) {
    assertEquals("", String.join("\n", wrong));
  }

  @Test
  void exceptionsAreOfKnownRules() {
    Set<String> unknown = new TreeSet<>(exceptions.rules());
    unknown.removeAll(RULES);
    assertEquals(Set.of(), unknown);
  }

  /**
   * The modules may use each other only in this direction: coder <- common <- datanode, namenode,
   * client <- mapreduce, it <- bench.
   */
  @Test
  void modulesUseThoseBelow() {
    assertNone(exceptions.judge("module", classes.wrongModules()));
  }

  @Test
  void packagesOfAModuleFormNoCircle() {
    assertNone(exceptions.judgeSets("package-circle", Circles.of(classes.packages())));
  }

  @Test
  void classesOfAPackageFormNoCircle() {
    assertNone(exceptions.judgeSets("class-circle", Circles.of(classes.classesOfPackages())));
  }

  @Test
  void eachClassNameOccursOnce() {
    assertNone(exceptions.judge("name-twice", sources.namesTwice()));
  }

  @Test
  void noMainClassIsTooLong() throws IOException {
    assertNone(exceptions.judge("too-long", sources.longerThan(CODE_LINES_MAX)));
  }

  /** Java keeps other classes to their package, as Hadoop's own habit has it. */
  @Test
  void eachPublicMainClassHasAnAudience() throws IOException {
    assertNone(exceptions.judge("no-audience",
        sources.publicMainWithout("@InterfaceAudience.")));
  }

  /** Only one class makes private members of Hadoop accessible. */
  @Test
  void reflectionOpensMembersOnlyWhereAllowed() throws IOException {
    // The string has two parts, because this class would otherwise contain the words that it looks
    // for.
    assertNone(exceptions.judge("reflection", sources.with(".set" + "Accessible(")));
  }

  /**
   * Only the access classes in Hadoop's packages, which check these members at start, may use that
   * class.
   */
  @Test
  void onlyDoorsReachForHadoopsMembers() {
    assertNone(exceptions.judge("hadoop-members", classes.usersOf(HadoopMembers.class).stream()
        .filter(user -> !user.startsWith("org.apache.hadoop."))
        .collect(Collectors.toList())));
  }
}
