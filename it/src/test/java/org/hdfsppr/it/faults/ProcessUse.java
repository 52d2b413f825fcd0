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
package org.hdfsppr.it.faults;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The threads and open files of a process, from {@code /proc}. */
public final class ProcessUse {
  private final Path proc;

  public ProcessUse(long pid) {
    this.proc = Path.of("/proc/" + pid);
  }

  /** Returns the names of the threads. The kernel keeps 15 characters of each name. */
  public List<String> threads() throws IOException {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(proc.resolve("task"))) {
      for (Path task : tasks) {
        try {
          names.add(Files.readString(task.resolve("comm")).strip());
        } catch (IOException e) {
          // The thread has ended meanwhile, which shows as NoSuchFileException or as "No such
          // process".
          continue;
        }
      }
    }
    return names;
  }

  /** Returns the targets of the open files. */
  public List<String> openFiles() throws IOException {
    List<String> targets = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(proc.resolve("fd"))) {
      for (Path file : files) {
        try {
          targets.add(Files.readSymbolicLink(file).toString());
        } catch (NoSuchFileException e) {
          // The file was closed meanwhile.
          continue;
        }
      }
    }
    return targets;
  }
}
