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
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * Keeps the runs in a folder, a file each. A file gets its name when it is whole, so that after a
 * kill at any point each run is there or is not. What benchmarks write meanwhile lies in a folder
 * beside them, which nothing is read from.
 */
final class RunStore {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String SUFFIX = ".json";

  private final Path runs;
  final Path work;

  /**
   * @param dir the folder of the page
   */
  RunStore(Path dir) {
    this.runs = dir.resolve("runs");
    this.work = dir.resolve("work");
  }

  /** Makes the folders. What an earlier attempt has left unfinished goes. */
  void open() throws IOException {
    Files.createDirectories(runs);
    Files.createDirectories(work);
    try (Stream<Path> left = Files.list(work)) {
      for (Path file : left.filter(path -> path.toString().endsWith(SUFFIX)
          || path.toString().endsWith(".new")).collect(Collectors.toList())) {
        Files.deleteIfExists(file);
      }
    }
  }

  /**
   * {@return the run with exactly this command line; empty if there is none}
   *
   * @throws IOException if the file cannot be read or is no run
   */
  Optional<StoredRun> find(PaperRun run) throws IOException {
    Path file = runs.resolve(run.fileName() + SUFFIX);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    StoredRun stored = read(file);
    return stored.command().equals(run.command) ? Optional.of(stored) : Optional.empty();
  }

  /** {@return where the benchmark of a run writes its JSON} */
  Path result(PaperRun run) {
    return work.resolve(run.fileName() + SUFFIX);
  }

  /** {@return where the words of the benchmark of a run go} */
  Path log(PaperRun run) {
    return work.resolve(run.fileName() + ".log");
  }

  /**
   * {@return the rows that a benchmark has written}
   *
   * @throws IOException if there are none, or if one of them says that it has failed
   */
  JsonNode readResult(PaperRun run) throws IOException {
    Path file = result(run);
    JsonNode rows = Files.exists(file) ? MAPPER.readTree(file.toFile()) : null;
    if (rows == null || !rows.isArray() || rows.isEmpty()) {
      throw new IOException("it has written no results to " + file);
    }
    for (JsonNode row : rows) {
      if (row.has("ok") && !row.get("ok").asBoolean()) {
        throw new IOException("a result is not ok: " + row);
      }
    }
    return rows;
  }

  /** Keeps a run. The file appears whole or not at all. */
  void keep(PaperRun run, StoredRun ended) throws IOException {
    Path whole = work.resolve(run.fileName() + ".new");
    Files.writeString(whole,
        MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(ended.json) + "\n");
    Files.move(whole, runs.resolve(run.fileName() + SUFFIX), StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
    Files.deleteIfExists(result(run));
  }

  /** {@return all runs that are there, of whatever command line} */
  List<StoredRun> all() throws IOException {
    List<Path> files;
    try (Stream<Path> found = Files.list(runs)) {
      files = found.filter(file -> file.toString().endsWith(SUFFIX)).sorted()
          .collect(Collectors.toList());
    }
    List<StoredRun> all = new ArrayList<>();
    for (Path file : files) {
      all.add(read(file));
    }
    return all;
  }

  private static StoredRun read(Path file) throws IOException {
    try {
      return StoredRun.of(MAPPER.readTree(file.toFile()));
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw new IOException(file + " is not a run that papers.sh has kept: delete it, and it is "
          + "run anew", e);
    }
  }
}
