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
package org.hdfsppr.bench.read;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.read.ReadOracle;

/**
 * A program that runs at one of the clients' places in a cluster's network, takes lines from its
 * standard input and answers in lines. The program must exit when its input ends, so that it also
 * ends with the JVM that started it.
 */
@InterfaceAudience.Private
public final class WorkerProcess implements Closeable {
  /** The number of the clients' first place. */
  public static final int FIRST_PLACE = 1;

  /** The longest time that a program may take to exit. It only has to close its file system. */
  private static final int END_SECONDS = 20;

  private final String name;
  private final Process process;
  private final BufferedReader answers;
  private final Writer requests;
  private final Path output;
  private String ready;

  private WorkerProcess(String name, Process process, Path output) {
    this.name = name;
    this.process = process;
    this.output = output;
    this.answers = new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    this.requests = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
  }

  /**
   * Starts a program, and waits for its first line, which says that it is ready.
   *
   * @param name the name of the program's log
   * @param java the command line of a JVM, without a main class, whose class path has
   *     {@link #ownClasses}
   * @param program the program
   * @param arguments the program's arguments
   * @param logFolder the folder of the program's log
   * @return the program, which the caller closes
   * @throws IOException if the process does not start or ends at once
   */
  public static WorkerProcess start(String name, List<String> java, Class<?> program,
      List<String> arguments, Path logFolder) throws IOException {
    List<String> command = new ArrayList<>(java);
    command.add(program.getName());
    command.addAll(arguments);
    Path output = logFolder.resolve("worker-" + name + ".out");
    Process process = new ProcessBuilder(command)
        .redirectError(ProcessBuilder.Redirect.appendTo(output.toFile())).start();
    WorkerProcess worker = new WorkerProcess(name, process, output);
    boolean up = false;
    try {
      worker.ready = worker.answer();
      up = true;
      return worker;
    } finally {
      if (!up) {
        worker.close();
      }
    }
  }

  /**
   * Returns the command line of a JVM at one of the clients' places whose class path has
   * {@link #ownClasses}.
   *
   * @param place the number of the place
   * @param jar whether the class path has the project's drop-in jar
   * @param more further entries of the class path
   */
  static List<String> withOwnClasses(HdfsProcessCluster cluster, int place, boolean jar,
      List<Path> more) throws IOException, InterruptedException {
    List<Path> classes = new ArrayList<>(ownClasses());
    classes.addAll(more);
    return cluster.clientCommand().placedJava(place, jar, classes);
  }

  /**
   * {@return the entries of a class path with the classes of this module and of the module it} A
   * build during a benchmark does not change them, because {@code java.sh} starts the benchmark
   * from copies of the jars.
   *
   * @throws IOException if the classes are at no path
   */
  public static List<Path> ownClasses() throws IOException {
    try {
      List<Path> classes = new ArrayList<>();
      for (Class<?> one : List.of(WorkerProcess.class, ReadOracle.class)) {
        classes.add(Path.of(one.getProtectionDomain().getCodeSource().getLocation().toURI()));
      }
      return classes;
    } catch (URISyntaxException e) {
      throw new IOException(e);
    }
  }

  /**
   * Sends the program a line.
   *
   * @param line the line
   * @throws IOException if the program has ended
   */
  public void send(String line) throws IOException {
    requests.write(line + "\n");
    requests.flush();
  }

  /**
   * Waits for the program's next line.
   *
   * @return the line
   * @throws IOException if the program has ended
   */
  public String answer() throws IOException {
    String line = answers.readLine();
    if (line == null) {
      throw new IOException("The client '" + name + "' has ended; see " + output);
    }
    return line;
  }

  /** {@return the first line of the program, which said that it is ready} */
  public String ready() {
    return ready;
  }

  /** {@return the program's process id} */
  public long pid() {
    return process.pid();
  }

  /** Lets the program exit, and kills its process if it does not. */
  @Override
  public void close() throws IOException {
    try {
      requests.close();
      process.waitFor(END_SECONDS, TimeUnit.SECONDS);
      answers.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    } finally {
      process.destroyForcibly();
    }
  }
}
