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
package org.hdfsppr.bench.characterize;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeoutException;

import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hdfsppr.client.device.DeviceLayout;
import org.hdfsppr.it.cluster.HdfsProcessCluster;
import org.hdfsppr.it.util.Trees;

/**
 * Measures one point, with a device or a file of its own that is deleted afterwards. The last file
 * of the device is not measured: requests go there first, so that all processes have loaded and
 * compiled what the requests need.
 */
final class PointTrial {
  static final int PLACE = 1;
  private static final String ROOT = "/characterize";
  private static final long FILL_REQUEST_BYTES = 1 << 20;
  private static final int FILL_DEPTH = 32;

  private final HdfsProcessCluster cluster;
  private final DistributedFileSystem client;
  private final LoadSettings settings;
  private final UsageMeter meter;
  /** The schemes and operations of the points so far. */
  private final Set<String> warm = new HashSet<>();

  /**
   * @param cluster a running cluster with a client's place, plugins and all codes enabled, whose
   *     links count by peers
   */
  PointTrial(HdfsProcessCluster cluster, DistributedFileSystem client, LoadSettings settings,
      UsageMeter meter) {
    this.cluster = cluster;
    this.client = client;
    this.settings = settings;
    this.meter = meter;
  }

  /**
   * Measures a point.
   *
   * @param point the point
   * @param number of this point in the run, for the name of its device
   */
  PointMeasured measure(LoadPoint point, int number)
      throws IOException, InterruptedException, TimeoutException {
    String folder = ROOT + "/" + number;
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(folder);
    client.mkdirs(path);
    if (!point.scheme.isReplicated()) {
      client.setErasureCodingPolicy(path, point.scheme.code().policy());
    }
    int warmUpSeconds = settings.warmUpSeconds(
        warm.add(point.scheme.label + " " + point.operation));
    try {
      return point.scheme.stock ? ofStock(point, folder, warmUpSeconds)
          : ofDevice(point, folder, warmUpSeconds);
    } finally {
      meter.client(0);
      client.delete(path, true);
    }
  }

  private PointMeasured ofDevice(LoadPoint point, String folder, int warmUpSeconds)
      throws IOException, InterruptedException, TimeoutException {
    Scheme scheme = point.scheme;
    long measured = settings.measuredBytes(scheme);
    long object = settings.objectBytes(scheme);
    String device = folder + "/device";
    Path logs = Files.createTempDirectory("characterize");
    try (DeviceServer server =
        DeviceServer.start(cluster, PLACE, device, measured + object, object)) {
      List<String> files = files(device, settings.objects(scheme));
      if (point.state == DeviceState.OVERWRITTEN) {
        new FioJob(server.uri(), logs, LoadOperation.WRITE, Places.SEQUENTIAL, FILL_REQUEST_BYTES,
            FILL_DEPTH).range(0, measured).run();
        DeviceCommits.commit(cluster.clientConf(), files);
      }
      if (warmUpSeconds > 0) {
        job(point, server, logs).range(measured, object).atMost(warmUpSeconds).again().run();
      }
      ColdDisks.cool(cluster);
      meter.client(server.pid());
      try (UsageSeries series = UsageSeries.open(meter)) {
        LoadResult load = job(point, server, logs).range(0, measured).atMost(settings.seconds)
            .run();
        List<Usage> readings = series.end();
        Usage committed = null;
        if (point.operation == LoadOperation.WRITE) {
          DeviceCommits.commit(cluster.clientConf(), files);
          committed = meter.read();
        }
        return new PointMeasured(load, readings, committed);
      }
    } finally {
      Trees.delete(logs);
    }
  }

  private FioJob job(LoadPoint point, DeviceServer server, Path logs) {
    return new FioJob(server.uri(), logs, point.operation, point.places,
        point.requestBytes, settings.depth).seed(settings.seed)
        .flushEach(settings.flushEach);
  }

  private static List<String> files(String device, int objects) {
    List<String> files = new ArrayList<>();
    for (int object = 0; object < objects; object++) {
      files.add(device + "/" + DeviceLayout.nameOf(object));
    }
    return files;
  }

  private PointMeasured ofStock(LoadPoint point, String folder, int warmUpSeconds)
      throws IOException, InterruptedException {
    Scheme scheme = point.scheme;
    long bytes = settings.measuredBytes(scheme);
    try (StockClient stock = StockClient.start(cluster, PLACE)) {
      StockJob warmUp = stockJob(point, LoadOperation.WRITE, point.requestBytes, bytes,
          warmUpSeconds, folder + "/warm-up");
      if (warmUpSeconds > 0) {
        long written = stock.run(warmUp).bytes;
        if (point.operation == LoadOperation.READ) {
          stock.run(stockJob(point, LoadOperation.READ, point.requestBytes, written,
              warmUpSeconds, warmUp.path));
        }
      }
      String file = folder + "/file";
      if (point.operation == LoadOperation.READ) {
        stock.run(stockJob(point, LoadOperation.WRITE, FILL_REQUEST_BYTES, bytes, Integer.MAX_VALUE,
            file));
      }
      ColdDisks.cool(cluster);
      meter.client(stock.pid());
      try (UsageSeries series = UsageSeries.open(meter)) {
        LoadResult load = stock.run(stockJob(point, point.operation, point.requestBytes,
            bytes, settings.seconds, file));
        return new PointMeasured(load, series.end(), null);
      }
    }
  }

  private StockJob stockJob(LoadPoint point, LoadOperation operation, long requestBytes, long bytes,
      int seconds, String path) {
    return new StockJob(operation, requestBytes, bytes, seconds,
        settings.objectBytes(point.scheme) / point.scheme.dataUnits(), path);
  }
}
