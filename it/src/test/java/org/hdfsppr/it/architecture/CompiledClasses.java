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

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The compiled main classes of modules, and the classes that each of them uses or names. Nested
 * classes count as part of their outer classes. Generated classes are left out.
 */
final class CompiledClasses {
  /** Maps the name of a class to its module. */
  private final SortedMap<String, String> modules = new TreeMap<>();
  /** Maps the name of a class to the classes of this project that it uses. */
  private final SortedMap<String, Set<String>> uses = new TreeMap<>();

  /**
   * @param root the root of the source tree
   * @param built the modules that are built
   */
  CompiledClasses(Path root, SourceFiles sources, List<String> built) {
    List<JavaClass> found = new ArrayList<>();
    for (String module : built) {
      Path folder = root.resolve(module).resolve("target/classes");
      if (!Files.isDirectory(folder)) {
        throw new IllegalStateException(folder + " is missing; build the whole tree first");
      }
      for (JavaClass one : new ClassFileImporter().importPath(folder)) {
        String outer = outer(one);
        if (sources.hasMain(module, outer)) {
          modules.put(outer, module);
          uses.computeIfAbsent(outer, name -> new TreeSet<>());
          found.add(one);
        }
      }
    }
    for (JavaClass one : found) {
      for (Dependency dependency : one.getDirectDependenciesFromSelf()) {
        String to = outer(dependency.getTargetClass().getBaseComponentType());
        if (modules.containsKey(to) && !to.equals(outer(one))) {
          uses.get(outer(one)).add(to);
        }
      }
    }
    modules.forEach((name, module) -> addNamed(name, sources.words(module, name)));
  }

  /**
   * Adds the classes that a source file names. Compiled code does not show every use: if a class
   * uses nothing of another class but constants, the compiler copies their values.
   */
  private void addNamed(String from, Set<String> words) {
    for (String to : modules.keySet()) {
      boolean named = words.contains(to) || packageOf(to).equals(packageOf(from))
          && words.contains(to.substring(to.lastIndexOf('.') + 1));
      if (named && !to.equals(from)) {
        uses.get(from).add(to);
      }
    }
  }

  private static String outer(JavaClass one) {
    String name = one.getName();
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }

  private static String packageOf(String className) {
    return className.substring(0, className.lastIndexOf('.'));
  }

  /** Returns the uses of classes that {@link Modules} forbids, each as {@code From->To}. */
  Set<String> wrongModules() {
    Set<String> wrong = new TreeSet<>();
    uses.forEach((from, all) -> all.stream()
        .filter(to -> !Modules.mayUse(modules.get(from), modules.get(to)))
        .forEach(to -> wrong.add(from + "->" + to)));
    return wrong;
  }

  /** Maps a package to the other packages of the same module that it uses. */
  Map<String, Set<String>> packages() {
    Map<String, Set<String>> packages = new TreeMap<>();
    uses.forEach((from, all) -> {
      Set<String> of = packages.computeIfAbsent(packageOf(from), name -> new TreeSet<>());
      all.stream().filter(to -> modules.get(to).equals(modules.get(from)))
          .forEach(to -> of.add(packageOf(to)));
    });
    return packages;
  }

  /** Maps a class to the other classes of the same package that it uses. */
  Map<String, Set<String>> classesOfPackages() {
    Map<String, Set<String>> classes = new TreeMap<>();
    uses.forEach((from, all) -> {
      Set<String> of = classes.computeIfAbsent(from, name -> new TreeSet<>());
      all.stream().filter(to -> packageOf(to).equals(packageOf(from))).forEach(of::add);
    });
    return classes;
  }

  /** Returns the classes that use a class. */
  Set<String> usersOf(Class<?> used) {
    Set<String> users = new TreeSet<>();
    uses.forEach((from, all) -> {
      if (all.contains(used.getName())) {
        users.add(from);
      }
    });
    return users;
  }
}
