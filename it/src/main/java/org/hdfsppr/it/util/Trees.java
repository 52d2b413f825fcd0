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

/**
 * Lists, deletes and copies folders with all their content. This class does not follow symbolic
 * links.
 */
@InterfaceAudience.Private
public final class Trees {

  private Trees() {
  }

  /**
   * {@return the files of a folder and its subfolders; empty if the folder does not exist} Files
   * that another process deletes during the listing may be missing.
   *
   * @param folder a folder, which need not exist
   * @param wanted accepts the files that the list contains
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
   * @param from the folder
   * @param to the copy's path, which must not exist
   * @param linked accepts the files that are hard-linked instead of copied
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
   * Deletes a folder with all its content. Does nothing if the folder does not exist.
   *
   * @param tree a folder, which need not exist
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
