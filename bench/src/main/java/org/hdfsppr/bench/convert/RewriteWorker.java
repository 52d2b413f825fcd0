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
package org.hdfsppr.bench.convert;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.io.IOUtils;

/**
 * A program that rewrites files with Hadoop's client. Each line of its input has a policy, a file
 * and a path for the copy, separated by tabs. The program copies the file, renames the copy to the
 * file's name, and answers with an empty line, or with an error. It exits when its input ends.
 */
@InterfaceAudience.Private
public final class RewriteWorker {
  private static final int BUFFER_BYTES = 1 << 20;

  private RewriteWorker() {
  }

  /** Returns the line that lets a worker rewrite a file. */
  static String request(String policy, Path file, Path copy) {
    return policy + "\t" + file.toUri().getPath() + "\t" + copy.toUri().getPath();
  }

  /**
   * Rewrites files until standard input is closed.
   *
   * @param args none
   * @throws IOException if the file system cannot be opened, or a stream of this process fails
   */
  public static void main(String[] args) throws IOException {
    Configuration conf = new Configuration();
    // Hadoop's libraries may print to standard output, where each line is an answer.
    PrintStream answers = System.out;
    System.setOut(System.err);
    try (DistributedFileSystem client = (DistributedFileSystem) FileSystem.newInstance(
        FileSystem.getDefaultUri(conf), conf);
        BufferedReader lines = new BufferedReader(
            new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      answers.println(client.getClass().getName());
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] words = line.split("\t");
        try {
          rewrite(client, words[0], new Path(words[1]), new Path(words[2]));
          answers.println();
        } catch (IOException e) {
          answers.println(words[1] + ": " + e.toString().replace('\n', ' '));
        }
        answers.flush();
      }
    }
  }

  private static void rewrite(DistributedFileSystem client, String policy, Path file, Path copy)
      throws IOException {
    try (FSDataInputStream in = client.open(file, BUFFER_BYTES);
        OutputStream out = client.createFile(copy).overwrite(true).recursive()
            .ecPolicyName(policy).blockSize(client.getFileStatus(file).getBlockSize())
            .bufferSize(BUFFER_BYTES).build()) {
      IOUtils.copyBytes(in, out, BUFFER_BYTES);
    }
    client.rename(copy, file, Options.Rename.OVERWRITE);
  }
}
