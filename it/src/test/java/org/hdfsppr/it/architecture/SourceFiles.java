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

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The Java sources of all modules. */
final class SourceFiles {
  private static final String PACKAGE_INFO = "package-info.java";

  /** Matches comments and strings. */
  private static final Pattern NO_CODE = Pattern.compile(
      "/\\*.*?\\*/|//[^\\n]*|\"(?:[^\"\\\\\\n]|\\\\.)*\"", Pattern.DOTALL);

  private final Path root;
  private final List<Path> main = new ArrayList<>();
  private final List<Path> test = new ArrayList<>();

  /**
   * @param root the root of the source tree
   */
  SourceFiles(Path root) throws IOException {
    this.root = root;
    for (String module : Modules.ALL) {
      addAll(root.resolve(module).resolve("src/main/java"), main);
      addAll(root.resolve(module).resolve("src/test/java"), test);
    }
  }

  private static void addAll(Path folder, List<Path> to) throws IOException {
    if (Files.isDirectory(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        files.filter(file -> file.toString().endsWith(".java")).sorted().forEach(to::add);
      }
    }
  }

  /**
   * Returns whether a class of a module has a source file. The classes that Protobuf's compiler and
   * JMH generate have none.
   */
  boolean hasMain(String module, String className) {
    return Files.isRegularFile(root.resolve(module).resolve("src/main/java")
        .resolve(className.replace('.', '/') + ".java"));
  }

  /**
   * Returns the words of a main class outside of comments and strings. The compiler copies
   * constants of other classes and leaves no trace of those classes, but the source names them.
   */
  Set<String> words(String module, String className) {
    try {
      String text = Files.readString(root.resolve(module).resolve("src/main/java")
          .resolve(className.replace('.', '/') + ".java"));
      String code = NO_CODE.matcher(text).replaceAll(" ");
      Set<String> words = new HashSet<>();
      for (String word : code.split("[^\\w.]+")) {
        // Adds a dotted name, such as an import has, and each name that the dotted name begins
        // with.
        for (int end = word.length(); end > 0; end = word.lastIndexOf('.', end - 1)) {
          words.add(word.substring(0, end));
        }
        words.addAll(Arrays.asList(word.split("\\.")));
      }
      return words;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the names of classes, including test classes, that more than one file has. */
  List<String> namesTwice() {
    SortedMap<String, Long> count = new TreeMap<>(Stream.of(main, test).flatMap(List::stream)
        .map(file -> file.getFileName().toString()).filter(name -> !name.equals(PACKAGE_INFO))
        .collect(Collectors.groupingBy(name -> name, Collectors.counting())));
    return count.entrySet().stream().filter(name -> name.getValue() > 1).map(Map.Entry::getKey)
        .map(name -> name.replace(".java", "")).collect(Collectors.toList());
  }

  /** Returns the main classes with more than this number of lines of code. */
  List<String> longerThan(int lines) throws IOException {
    return main(text -> codeLines(text) > lines);
  }

  /** Counts as {@code dev/count.py} does: no comments, blank lines, imports and package. */
  private static long codeLines(List<String> text) {
    return text.stream().map(String::strip).filter(line -> !line.isEmpty()
        && !line.startsWith("//") && !line.startsWith("/*") && !line.startsWith("*")
        && !line.startsWith("import ") && !line.startsWith("package ")).count();
  }

  /** Returns the public main classes whose text does not contain {@code words}. */
  List<String> publicMainWithout(String words) throws IOException {
    return main(text -> text.stream().anyMatch(line -> line.startsWith("public "))
        && text.stream().noneMatch(line -> line.contains(words)));
  }

  /** Returns the classes, including test classes, whose text contains {@code words}. */
  List<String> with(String words) throws IOException {
    List<String> names = new ArrayList<>();
    for (List<Path> files : List.of(main, test)) {
      names.addAll(names(files, text -> text.stream().anyMatch(line -> line.contains(words))));
    }
    return names;
  }

  private List<String> main(Predicate<List<String>> which) throws IOException {
    return names(main, which);
  }

  private static List<String> names(List<Path> files, Predicate<List<String>> which)
      throws IOException {
    List<String> names = new ArrayList<>();
    for (Path file : files) {
      String name = file.getFileName().toString();
      if (!name.equals(PACKAGE_INFO) && which.test(Files.readAllLines(file))) {
        names.add(name.replace(".java", ""));
      }
    }
    return Collections.unmodifiableList(names);
  }
}
