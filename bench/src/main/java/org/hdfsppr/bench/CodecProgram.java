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
package org.hdfsppr.bench;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.hdfsppr.coder.gf.GfMatrix;

/**
 * Controls the program {@code native/test/codec_bench.c}, which computes the same matrix products
 * without Java.
 */
final class CodecProgram implements Closeable {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Process process;
  private final Writer requests;
  private final BufferedReader answers;

  private CodecProgram(Process process) {
    this.process = process;
    this.requests =
        new OutputStreamWriter(process.getOutputStream(), StandardCharsets.US_ASCII);
    this.answers = new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
  }

  /** Starts the program. Returns empty if it has not been built. */
  static Optional<CodecProgram> start(Path file) throws IOException {
    if (!Files.isExecutable(file)) {
      return Optional.empty();
    }
    return Optional.of(new CodecProgram(new ProcessBuilder(file.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT).start()));
  }

  /** Returns true if the program contains the kernel and this CPU can run the kernel. */
  boolean has(String kernel) throws IOException {
    return ask(kernel + " 1 1 0 64 0 1 1 01").has("ns_per_call");
  }

  double nanosPerCall(String kernel, CodecOperation operation, int length, int offset,
      double burstNanos, int bursts) throws IOException {
    GfMatrix matrix = operation.matrix;
    StringBuilder coefficients = new StringBuilder();
    for (int row = 0; row < matrix.rows(); row++) {
      for (int column = 0; column < matrix.columns(); column++) {
        coefficients.append(String.format(Locale.ROOT, "%02x", matrix.get(row, column)));
      }
    }
    JsonNode answer = ask(String.format(Locale.ROOT, "%s %d %d %d %d %d %.0f %d %s", kernel,
        matrix.columns(), matrix.rows(), operation.accumulate ? 1 : 0, length, offset,
        burstNanos, bursts, coefficients));
    if (!answer.has("ns_per_call")) {
      throw new IOException("codec_bench cannot measure " + kernel + ": " + answer);
    }
    return answer.get("ns_per_call").asDouble();
  }

  private JsonNode ask(String request) throws IOException {
    requests.write(request + "\n");
    requests.flush();
    String answer = answers.readLine();
    if (answer == null) {
      throw new IOException("codec_bench has ended without an answer to " + request);
    }
    return MAPPER.readTree(answer);
  }

  @Override
  public void close() throws IOException {
    // The program exits when its input is closed.
    requests.close();
    answers.close();
    process.destroy();
  }
}
