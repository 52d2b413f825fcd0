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

/**
 * Keeps the rules of the house, for all modules. What breaks a rule today stands, with its reason,
 * in {@code architecture-exceptions.txt}; the tests fail for anything else that breaks one, and for
 * each exception that is not needed any more.
 */
class TestArchitecture {
  private static final int LINES_MAX = 500;
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Set<String> RULES = Set.of("module", "package-circle", "class-circle",
      "name-twice", "too-long", "no-audience", "reflection", "hadoop-members");

  private static SourceFiles sources;
  private static CompiledClasses classes;
  private static KnownExceptions exceptions;

  @BeforeAll
  static void read() throws IOException {
    sources = new SourceFiles(ROOT);
    classes = new CompiledClasses(ROOT, sources);
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

  /** coder <- common <- datanode, namenode, client <- it. */
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
    assertNone(exceptions.judge("too-long", sources.longerThan(LINES_MAX)));
  }

  @Test
  void eachMainClassHasAnAudience() throws IOException {
    assertNone(exceptions.judge("no-audience", sources.mainWithout("@InterfaceAudience.")));
  }

  /** One class opens Hadoop's members. */
  @Test
  void reflectionOpensMembersOnlyWhereAllowed() throws IOException {
    // In two parts, or this class would be one of them.
    assertNone(exceptions.judge("reflection", sources.with(".set" + "Accessible(")));
  }

  /** That class serves the doors, which stand in Hadoop's packages and check at start. */
  @Test
  void onlyDoorsReachForHadoopsMembers() {
    assertNone(exceptions.judge("hadoop-members", classes.usersOf(HadoopMembers.class).stream()
        .filter(user -> !user.startsWith("org.apache.hadoop."))
        .collect(Collectors.toList())));
  }
}
