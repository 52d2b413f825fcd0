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
package org.hdfsppr.it.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.hdfsppr.conf.RemovedKeys;
import org.hdfsppr.it.util.ItPaths;
import org.junit.jupiter.api.Test;

/** Checks the pages under docs/ against the sources: log lines, settings, classes and links. */
class TestDocs {

  /** Matches the first cell of a table's row, if it is in back quotes. */
  private static final Pattern QUOTE = Pattern.compile("(?m)^\\| `([^`]+)`[^|]*\\|");

  /** Lines of other programs that the page explains as well. */
  private static final List<String> OTHERS = List.of(
      "ppr is not COMMAND nor fully qualified CLASSNAME",
      "ClassNotFoundException: Class org.apache.hadoop.hdfs.PprFileSystem not found");

  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]*)(?:#([^)]*))?\\)");
  private static final Pattern KEY = Pattern.compile("<name>([^<]+)</name>\\s*<value>([^<]*)<");

  /** Matches a test that a page names, and its method if the page names one. */
  private static final Pattern TEST = Pattern.compile("`(Test[A-Z]\\w+)(?:#(\\w+))?`");
  private static final Pattern PYTHON_TEST = Pattern.compile("`(test_\\w+)`");

  /** Matches a file of the project whose name ends in a version, or the folder of a release. */
  private static final Pattern RELEASE =
      Pattern.compile("hdfs-ppr-(?:[a-z]+-)?(\\d+\\.\\d+\\.\\d+(?:-SNAPSHOT)?)");

  private static Path root() {
    return ItPaths.itDir().getParent();
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> docs = Files.list(root().resolve("docs"))) {
      List<Path> pages = docs.filter(page -> page.toString().endsWith(".md"))
          .collect(Collectors.toCollection(ArrayList::new));
      pages.add(root().resolve("README.md"));
      return pages;
    }
  }

  private static List<Path> sourceFiles() throws IOException {
    List<Path> files = new ArrayList<>();
    try (Stream<Path> modules = Files.list(root())) {
      for (Path module : modules.collect(Collectors.toList())) {
        Path main = module.resolve("src/main/java");
        if (Files.isDirectory(main)) {
          try (Stream<Path> walk = Files.walk(main)) {
            walk.filter(file -> file.toString().endsWith(".java")).forEach(files::add);
          }
        }
      }
    }
    return files;
  }

  /** Returns all main sources, in which concatenated strings are joined to one string. */
  private static List<String> sources() throws IOException {
    List<String> sources = new ArrayList<>();
    for (Path file : sourceFiles()) {
      sources.add(Files.readString(file).replaceAll("\"\\s*\\+\\s*\"", ""));
    }
    return sources;
  }

  /**
   * Makes a pattern that matches a quote in the source. The varying parts of a quote are
   * placeholders or expressions in the source.
   */
  private static Pattern inSource(String quote) {
    String text = Stream.of(quote.split("\\.\\.\\.", -1))
        .map(part -> part.isEmpty() ? "" : Pattern.quote(part))
        .collect(Collectors.joining("(?:\\{\\}|\"\\s*\\+[^\"]*\\+\\s*\"|[^\"]{0,80})"));
    return Pattern.compile(text);
  }

  @Test
  void logLinesAreQuotedAsTheSourcesHaveThem() throws IOException {
    List<String> sources = sources();
    Matcher quotes = QUOTE.matcher(
        Files.readString(root().resolve("docs/troubleshooting.md")));
    List<String> unknown = new ArrayList<>();
    int rows = 0;
    while (quotes.find()) {
      rows++;
      // Dots at the beginning or the end of a quote stand for a varying part, which may be the end
      // of the string in the source.
      String quote = quotes.group(1).replaceAll("^[ .]+|(?<= |\\()\\.\\.\\.$", "");
      Pattern line = inSource(quote);
      if (!OTHERS.contains(quote)
          && sources.stream().noneMatch(source -> line.matcher(source).find())) {
        unknown.add(quotes.group(1));
      }
    }
    assertEquals(List.of(), unknown, "no source has these words");
    assertTrue(rows > 90, "only " + rows + " rows are read as log lines");
  }

  @Test
  void linksLeadToPagesAndHeadings() throws IOException {
    for (Path page : pages()) {
      Matcher links = LINK.matcher(Files.readString(page));
      while (links.find()) {
        String link = links.group();
        Path target = links.group(1).isEmpty() ? page
            : page.resolveSibling(links.group(1)).normalize();
        assertTrue(Files.exists(target), () -> page + " links to " + link);
        if (links.group(2) != null) {
          assertTrue(anchors(target).contains(links.group(2)), () -> page + " links to " + link);
        }
      }
    }
  }

  private static Set<String> anchors(Path page) throws IOException {
    Set<String> anchors = new TreeSet<>();
    for (String line : Files.readAllLines(page)) {
      if (line.startsWith("#")) {
        anchors.add(line.replaceFirst("^#+ ", "").toLowerCase(Locale.ROOT)
            .replaceAll("[^a-z0-9 _-]", "").replace(' ', '-'));
      }
    }
    return anchors;
  }

  @Test
  void readmeNamesEveryPageAndIsShort() throws IOException {
    String readme = Files.readString(root().resolve("README.md"));
    for (Path page : pages()) {
      String name = page.getFileName().toString();
      assertTrue(name.equals("README.md") || readme.contains("(docs/" + name + ")"), name);
    }
    long lines = readme.lines().count();
    assertTrue(lines <= 150, "README.md has " + lines + " lines");
  }

  @Test
  void settingsAreThoseThatThereAre() throws IOException {
    String page = Files.readString(root().resolve("docs/settings.md"));
    Matcher keys = KEY.matcher(Files.readString(root().resolve(
        "hdfs-ppr-common/src/main/resources/hdfs-ppr-default.xml")));
    Set<String> known = new TreeSet<>();
    while (keys.find()) {
      known.add(keys.group(1));
      String row = "| `" + keys.group(1) + "` | ";
      assertTrue(page.contains(row + keys.group(2) + " |")
          || page.contains(row + "`" + keys.group(2) + "` |"), keys.group(1));
    }
    String plain = page.replace("`", "");
    RemovedKeys.all().forEach((key, now) -> {
      known.add(key);
      assertTrue(plain.contains("| " + key + " | " + now + " |"), key);
    });
    Matcher named = Pattern.compile("`(dfs\\.(?:datanode|namenode|client)\\.ppr\\.[a-z.-]*[a-z]"
        + "|dfs\\.ppr\\.[a-z.-]*[a-z])`").matcher(allPages());
    while (named.find()) {
      assertTrue(known.contains(named.group(1)), named.group(1));
    }
  }

  @Test
  void journeysEnterEachClassOnce() throws IOException {
    String page = Files.readString(root().resolve("docs/internals.md"));
    String journeys = page.substring(page.indexOf("\n## Three journeys\n"));
    journeys = journeys.substring(0, journeys.indexOf("\n## ", 1));
    List<String> drawings = List.of(journeys.split("\n### ")).subList(1, 4);
    Set<String> known = classes();
    for (String drawing : drawings) {
      Set<String> entered = new TreeSet<>();
      Matcher lines = Pattern.compile("(?m)^ {4}[ |`-]*([A-Z]\\w+)").matcher(drawing);
      while (lines.find()) {
        assertTrue(known.contains(lines.group(1)), () -> "no class " + lines.group(1));
        assertTrue(entered.add(lines.group(1)), () -> lines.group(1) + " is entered twice");
      }
      assertTrue(entered.size() >= 20, () -> "only " + entered + " is read as classes");
    }
  }

  @Test
  void testsThatPagesNameExist() throws IOException {
    String python = Files.readString(root().resolve("it/page/test_page.py"))
        + Files.readString(root().resolve("it/page/test_menu.py"));
    Map<String, String> tests = testSources();
    List<String> unknown = new ArrayList<>();
    for (Path page : pages()) {
      String text = Files.readString(page);
      Matcher names = TEST.matcher(text);
      while (names.find()) {
        String source = tests.get(names.group(1));
        boolean isThere = names.group(2) == null
            ? source != null || python.contains("class " + names.group(1) + "(")
            : source != null && source.contains(" " + names.group(2) + "(");
        if (!isThere) {
          unknown.add(names.group());
        }
      }
      Matcher functions = PYTHON_TEST.matcher(text);
      while (functions.find()) {
        if (!python.contains("def " + functions.group(1) + "(")) {
          unknown.add(functions.group());
        }
      }
    }
    assertEquals(List.of(), unknown, "no source has these tests");
  }

  /** Returns the sources of all classes of tests, by name. */
  private static Map<String, String> testSources() throws IOException {
    Map<String, String> sources = new HashMap<>();
    try (Stream<Path> modules = Files.list(root())) {
      for (Path module : modules.collect(Collectors.toList())) {
        Path tests = module.resolve("src/test/java");
        if (Files.isDirectory(tests)) {
          try (Stream<Path> walk = Files.walk(tests)) {
            for (Path file : walk.filter(java -> java.getFileName().toString()
                .matches("Test\\w+\\.java")).collect(Collectors.toList())) {
              sources.put(file.getFileName().toString().replace(".java", ""),
                  Files.readString(file));
            }
          }
        }
      }
    }
    return sources;
  }

  /** Returns the names of all main classes, those that stand in another class, too. */
  private static Set<String> classes() throws IOException {
    Set<String> classes = new TreeSet<>();
    Pattern declared = Pattern.compile("(?m)^ *(?:[a-z]+ )*(?:class|interface|enum) ([A-Z]\\w*)");
    for (Path file : sourceFiles()) {
      Matcher names = declared.matcher(Files.readString(file));
      while (names.find()) {
        classes.add(names.group(1));
      }
    }
    return classes;
  }

  private static String allPages() throws IOException {
    StringBuilder all = new StringBuilder();
    for (Path page : pages()) {
      all.append(Files.readString(page)).append('\n');
    }
    return all.toString();
  }

  /** Commands of pages work with the release that is built here. */
  @Test
  void pagesNameTheReleaseThatIsBuilt() throws IOException {
    int names = 0;
    for (Path page : pages()) {
      Matcher release = RELEASE.matcher(Files.readString(page));
      while (release.find()) {
        // A page says how to delete the jar of the first version, which no installer has put in.
        if (!release.group(1).equals("0.1.0-SNAPSHOT")) {
          assertEquals(ItPaths.version(), release.group(1), () -> page + ": " + release.group());
          names++;
        }
      }
    }
    assertTrue(names > 10, "only " + names + " names of releases are read");
    assertTrue(Files.readString(root().resolve("CHANGELOG.md"))
        .contains("\n## " + ItPaths.version()), "CHANGELOG.md has no section of this version");
  }
}
