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
package org.hdfsppr.bench.papers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;


/** Writes a page in all formats into a folder. Each file is replaced at once. */
final class PageFiles {
  private final Path dir;

  PageFiles(Path dir) {
    this.dir = dir;
  }

  void write(PaperPage page) throws IOException {
    Path charts = Files.createDirectories(dir.resolve("charts"));
    Set<Path> written = new HashSet<>();
    for (FigureSection section : page.sections) {
      for (int i = 0; i < section.parts.size(); i++) {
        PartResult part = section.parts.get(i);
        FigureChart chart = new FigureChart(part);
        if (chart.isDrawn()) {
          Path file = charts.resolve(MarkdownWriter.chart(section, i));
          replace(file, chart.png());
          written.add(file);
        }
      }
    }
    replace(dir.resolve("index.md"), bytes(new MarkdownWriter(page).write()));
    replace(dir.resolve("index.html"), bytes(new HtmlWriter(page).write()));
    try (Stream<Path> all = Files.list(charts)) {
      // Charts of an earlier page that are on this one no more.
      for (Path old : all.filter(file -> !written.contains(file)).collect(Collectors.toList())) {
        Files.delete(old);
      }
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void replace(Path file, byte[] content) throws IOException {
    Path whole = file.resolveSibling(file.getFileName() + ".new");
    Files.write(whole, content);
    Files.move(whole, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
