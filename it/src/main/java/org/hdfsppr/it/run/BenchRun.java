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
package org.hdfsppr.it.run;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.util.JsonFile;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;

/**
 * One run of a measurement: it starts the cluster and takes it down in every case, says how far the
 * run is, and writes results as JSON and as a chart where the user wants them.
 */
@InterfaceAudience.Private
public final class BenchRun {
  private static final long CELL_BYTES = 1 << 20;

  /** What is measured on a cluster. */
  @InterfaceAudience.Private
  public interface Measurement {
    /**
     * Measures.
     *
     * @param cluster created, not started yet; the caller takes it down
     * @throws IOException if the cluster does not do what it should
     * @throws InterruptedException if the measurement has to end
     * @throws TimeoutException if the cluster takes too long
     */
    void on(HdfsProcessCluster cluster) throws IOException, InterruptedException, TimeoutException;
  }

  private final PrintWriter out;
  private final Path json;
  private final Path png;

  /**
   * @param out for the user
   * @param json where results go, or null
   * @param png where the chart goes, or null
   */
  public BenchRun(PrintWriter out, Path json, Path png) {
    this.out = out;
    this.json = json;
    this.png = png;
  }

  /** {@return where tables are printed} */
  public PrintWriter out() {
    return out;
  }

  /**
   * Prints a line at once, formatted alike in all languages.
   *
   * @param format of {@link String#format}
   * @param values for it
   */
  public void say(String format, Object... values) {
    out.printf(Locale.ROOT, format + "%n", values);
    out.flush();
  }

  /**
   * Creates a cluster, measures on it and takes it down, also after Ctrl-C: its processes do not
   * end with this JVM.
   *
   * @param spec of the cluster
   * @param measurement starts the cluster and measures
   * @throws IOException if the cluster does not do what it should
   * @throws InterruptedException if the measurement has to end
   * @throws TimeoutException if the cluster takes too long
   */
  public void onCluster(ClusterSpec spec, Measurement measurement)
      throws IOException, InterruptedException, TimeoutException {
    HdfsProcessCluster cluster = HdfsProcessCluster.create(spec);
    Thread onExit = new Thread(() -> takeDown(cluster), "take the cluster down");
    Runtime.getRuntime().addShutdownHook(onExit);
    try {
      measurement.on(cluster);
    } finally {
      Runtime.getRuntime().removeShutdownHook(onExit);
      cluster.close();
    }
  }

  private static void takeDown(HdfsProcessCluster cluster) {
    try {
      cluster.close();
    } catch (IOException e) {
      System.err.println("bench.sh: the cluster is not down: " + e.getMessage());
    }
  }

  /**
   * Writes all results so far, so that an interrupted benchmark keeps what it has.
   *
   * @param records the results
   * @param toJson makes an object of each
   * @param <R> of results
   * @throws IOException if the file cannot be written
   */
  public <R> void writeJson(List<R> records,
      BiFunction<? super R, ObjectMapper, ? extends JsonNode> toJson) throws IOException {
    if (json != null) {
      JsonFile.writeRows(json, records, toJson);
    }
  }

  /**
   * Draws the chart if the user wants one.
   *
   * @param chart what to draw
   * @throws IOException if the file cannot be written
   */
  public void writePng(Supplier<CategoryChart> chart) throws IOException {
    if (png != null) {
      BitmapEncoder.saveBitmap(chart.get(), png.toString(), BitmapEncoder.BitmapFormat.PNG);
    }
  }

  /**
   * Refuses what {@code --block} cannot be.
   *
   * @param blockBytes of an internal block
   */
  public static void requireWholeCells(long blockBytes) {
    if (blockBytes <= 0 || blockBytes % CELL_BYTES != 0) {
      throw new IllegalArgumentException("--block must be a whole number of cells of 1 MiB");
    }
  }
}
