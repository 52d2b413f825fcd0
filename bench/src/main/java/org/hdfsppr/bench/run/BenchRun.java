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
package org.hdfsppr.bench.run;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.it.cluster.ClusterSpec;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.util.JsonFile;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.CategoryChart;

/**
 * One run of a benchmark. This class creates the cluster, and takes it down even if the measurement
 * fails. It prints progress, and writes the results as JSON and as a chart if the user asks for
 * these files.
 */
@InterfaceAudience.Private
public final class BenchRun {
  private static final long CELL_BYTES = 1 << 20;

  /** A measurement on a cluster. */
  public interface Measurement {
    /**
     * Carries out the measurement.
     *
     * @param cluster a cluster that is created but not started; the caller of this method takes it
     *     down
     * @throws IOException if a daemon, a link or a client of the cluster fails
     * @throws InterruptedException if the calling thread is interrupted
     * @throws TimeoutException if the cluster takes too long
     */
    void on(HdfsProcessCluster cluster) throws IOException, InterruptedException, TimeoutException;
  }

  public final PrintWriter out;
  private final Path json;
  private final Path png;

  /**
   * @param out prints to the user
   * @param json the file for the results, or null
   * @param png the file for the chart, or null
   */
  public BenchRun(PrintWriter out, Path json, Path png) {
    this.out = out;
    this.json = json;
    this.png = png;
  }

  /**
   * Prints a line at once. Numbers have the same format in all locales.
   *
   * @param format a format string as for {@link String#format}
   * @param values the format's arguments
   */
  public void say(String format, Object... values) {
    out.printf(Locale.ROOT, format + "%n", values);
    out.flush();
  }

  /**
   * Creates a cluster, measures on the cluster and takes it down. This method takes the cluster
   * down after Ctrl-C too, because the cluster's processes would keep running after this JVM.
   *
   * @param spec the cluster's specification
   * @param measurement starts the cluster and measures
   * @throws IOException if a daemon, a link or a client of the cluster fails
   * @throws InterruptedException if the calling thread is interrupted
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
   * Writes all results so far, if the user asked for JSON. A benchmark calls this method
   * repeatedly, so it keeps its earlier results if it is interrupted.
   *
   * @param records the results
   * @param toJson converts a result to a JSON object
   * @param <R> the type of results
   * @throws IOException if the file cannot be written
   */
  public <R> void writeJson(List<R> records,
      BiFunction<? super R, ObjectMapper, ? extends JsonNode> toJson) throws IOException {
    if (json != null) {
      JsonFile.writeRows(json, records, toJson);
    }
  }

  /**
   * Writes all rows so far, as {@link #writeJson(List, BiFunction)} does.
   *
   * @param rows the rows
   * @throws IOException if the file cannot be written
   */
  public void writeJson(List<Row> rows) throws IOException {
    writeJson(rows, (row, mapper) -> row.json);
  }

  /**
   * Draws the chart if the user wants one.
   *
   * @param chart makes the chart
   * @throws IOException if the file cannot be written
   */
  public void writePng(Supplier<Chart> chart) throws IOException {
    if (png != null) {
      BitmapEncoder.saveBitmap(chart.get().drawn, png.toString(), BitmapEncoder.BitmapFormat.PNG);
    }
  }

  /**
   * Draws several charts side by side into one file, if the user wants one.
   *
   * @param charts makes the charts, row by row; as many as fill all rows
   * @param columns the number of charts in a row
   * @throws IOException if the file cannot be written
   */
  public void writePngs(Supplier<List<Chart>> charts, int columns) throws IOException {
    if (png != null) {
      List<CategoryChart> all = charts.get().stream().map(chart -> chart.drawn)
          .collect(Collectors.toList());
      BitmapEncoder.saveBitmap(all, all.size() / columns, columns, png.toString(),
          BitmapEncoder.BitmapFormat.PNG);
    }
  }

  /**
   * Fails if {@code --block} is not a multiple of the cell size.
   *
   * @param blockBytes the size of an internal block, bytes
   */
  public static void requireWholeCells(long blockBytes) {
    if (blockBytes <= 0 || blockBytes % CELL_BYTES != 0) {
      throw new IllegalArgumentException("--block must be a whole number of cells of 1 MiB");
    }
  }
}
