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
package org.hdfsppr.it.util;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

import org.apache.hadoop.classification.InterfaceAudience;

/** Lists, deletes and copies folders with all that is in them; does not follow links. */
@InterfaceAudience.Private
public final class Trees {

  private Trees() {
  }

  /**
   * {@return the files of a folder that a daemon may be at work in: what vanishes while it is
   * listed is not there} Nothing if there is no such folder.
   *
   * @param folder a folder, or nothing
   * @param wanted whether a file is wanted
   * @throws IOException if a process fails or a file cannot be read or written
   */
  public static List<Path> files(Path folder, Predicate<Path> wanted) throws IOException {
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(folder, new SimpleFileVisitor<Path>() {
      @Override
      public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
        if (wanted.test(file)) {
          files.add(file);
        }
        return FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
        if (e instanceof NoSuchFileException) {
          return FileVisitResult.CONTINUE;
        }
        throw e;
      }
    });
    return files;
  }

  /**
   * Copies a folder.
   *
   * @param from a folder
   * @param to must not be there yet
   * @param linked the files that are not copied, but given a second name.
   * @throws IOException if a process fails or a file cannot be read or written
   */
  public static void copy(Path from, Path to, Predicate<Path> linked) throws IOException {
    Files.walkFileTree(from, new SimpleFileVisitor<Path>() {
      @Override
      public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes)
          throws IOException {
        Files.createDirectories(to.resolve(from.relativize(folder)));
        return FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
          throws IOException {
        Path copy = to.resolve(from.relativize(file));
        if (linked.test(file)) {
          Files.createLink(copy, file);
        } else {
          Files.copy(file, copy);
        }
        return FileVisitResult.CONTINUE;
      }
    });
  }

  /**
   * Nothing if there is no such folder.
   *
   * @param tree a folder, or nothing
   * @throws IOException if a process fails or a file cannot be read or written
   */
  public static void delete(Path tree) throws IOException {
    if (!Files.exists(tree)) {
      return;
    }
    Files.walkFileTree(tree, new SimpleFileVisitor<Path>() {
      @Override
      public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
          throws IOException {
        Files.delete(file);
        return FileVisitResult.CONTINUE;
      }

      @Override
      public FileVisitResult postVisitDirectory(Path folder, IOException failure)
          throws IOException {
        if (failure != null) {
          throw failure;
        }
        Files.delete(folder);
        return FileVisitResult.CONTINUE;
      }
    });
  }
}
