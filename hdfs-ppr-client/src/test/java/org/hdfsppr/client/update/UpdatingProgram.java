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
package org.hdfsppr.client.update;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.PprFileSystem;

/** A user's program that was compiled against 0.2.0; its source is beside its class file. */
public final class UpdatingProgram {
  private static final String FILE = "/release-0.2.0/updating-program.bytecode";
  private static final String NAME = "org.example.UpdatingProgram";

  private final Class<?> program;

  private static final class Loader extends ClassLoader {
    Loader() {
      super(UpdatingProgram.class.getClassLoader());
    }

    Class<?> define(byte[] bytes) {
      return defineClass(NAME, bytes, 0, bytes.length);
    }
  }

  private UpdatingProgram(Class<?> program) {
    this.program = program;
  }

  public static UpdatingProgram load() throws IOException {
    try (InputStream in = UpdatingProgram.class.getResourceAsStream(FILE)) {
      return new UpdatingProgram(new Loader().define(in.readAllBytes()));
    }
  }

  private Object call(String method, Class<?>[] types, Object... arguments) throws IOException {
    try {
      return program.getMethod(method, types).invoke(null, arguments);
    } catch (InvocationTargetException e) {
      throw new IOException("The program has failed", e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  /** Writes 1 to 8 into a file: 1 to 4 as its last bytes, and 5 to 8 before them. */
  public void write(PprFileSystem fs, Path file) throws IOException {
    call("write", new Class<?>[] {PprFileSystem.class, Path.class}, fs, file);
  }

  String write(FileUpdater updater) throws IOException {
    return (String) call("write", new Class<?>[] {FileUpdater.class}, updater);
  }

  String share(SharedUpdater updater) throws IOException {
    return (String) call("share", new Class<?>[] {SharedUpdater.class}, updater);
  }
}
