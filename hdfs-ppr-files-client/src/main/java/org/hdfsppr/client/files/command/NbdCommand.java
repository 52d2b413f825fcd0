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
package org.hdfsppr.client.files.command;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.PprFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.util.Time;
import org.hdfsppr.client.command.Cluster;
import org.hdfsppr.client.command.CommandEnvironment;
import org.hdfsppr.client.command.ExitCode;
import org.hdfsppr.client.command.ToolCommand;
import org.hdfsppr.client.command.ToolOutput;
import org.hdfsppr.client.device.BlockDevice;
import org.hdfsppr.client.device.DeviceLayout;
import org.hdfsppr.client.device.DeviceMaker;
import org.hdfsppr.client.device.HdfsDevices;
import org.hdfsppr.client.device.ReadOnlyFiles;
import org.hdfsppr.client.device.UpdatedFiles;
import org.hdfsppr.client.files.call.PluginCalls;
import org.hdfsppr.client.nbd.server.NbdListener;
import org.hdfsppr.client.nbd.server.NbdServer;
import org.hdfsppr.client.nbd.server.ServerLimits;
import org.hdfsppr.client.text.Quantities;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.conf.SettingsReader;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** {@code hdfs ppr -nbd}: serves a file, or a directory that is a device, as a block device. */
@InterfaceAudience.Private
@Command(name = "-nbd",
    description = "Serves a file, or a directory of files that -create has made, as a block device"
        + " to clients of NBD such as qemu, nbdcopy and fio, until it is ended. The rights are"
        + " those of the user that runs the command. See docs/block-device.md.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:ended in order (143 or 130 after a signal)",
        "1:refused or failed; writes may be lost",
        "2:not understood"},
    footer = {"%nExample: hdfs ppr -nbd --unix /run/disk.sock /images/disk",
        "         hdfs ppr -nbd --create --size 10g --object 64m /images/disk"})
final class NbdCommand extends ToolCommand {
  private static final String OBJECT_DEFAULT = "64m";

  @Parameters(arity = "1", paramLabel = "PATH",
      description = "A file, or a directory of a device.")
  private String path;

  @Mixin
  private NbdAddress address = new NbdAddress();

  @Option(names = {"--read-only", "-read-only"}, description = "Refuse all writes.")
  private boolean isReadOnly;

  @Option(names = {"--create", "-create"}, description = "Make the device first: a directory of"
      + " files of one block group each.")
  private boolean isCreating;

  @Option(names = {"--size", "-size"}, paramLabel = "N", converter = SizeWords.class,
      description = "The bytes of the new device, such as 10g, rounded up to whole stripes.")
  private Long size;

  @Option(names = {"--object", "-object"}, paramLabel = "N", converter = SizeWords.class,
      description = "The bytes of each of its files, rounded up to whole stripes; "
          + OBJECT_DEFAULT + " if not given.")
  private Long objectBytes;

  /**
   * How many units a request usually needs at most: most requests are within one unit, and some
   * reach into a second one.
   */
  private static final int UNITS_OF_REQUEST = 2;

  private final CommandEnvironment surroundings;

  NbdCommand(CommandEnvironment surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  protected ExitCode run(ToolOutput output) throws IOException {
    checkCombination();
    Cluster cluster = cluster(surroundings.conf(), path);
    Configuration conf = new Configuration(cluster.conf);
    Path device = new Path(cluster.path());
    if (!isReadOnly || !new SettingsReader(conf).isSet(PprKeys.CLIENT_UPDATES_KEY)) {
      // Readers need this, too, to see writes that are not committed yet. In a cluster without the
      // plugin, users of a read-only device can set it to false.
      conf.setBoolean(PprKeys.CLIENT_UPDATES_KEY, true);
    }
    keepConnections(conf);
    // The address and the keys are used first, so that an error in them shows before a device of
    // many bytes is made.
    try (NbdListener listener = address.open(conf); PprFileSystem fs = new PprFileSystem()) {
      fs.initialize(FileSystem.getDefaultUri(conf), conf);
      // A read-only device opens files by their inode ids. Behind a Router, files of two namespaces
      // may have the same one.
      fs.checkNoRouter("no block device is served");
      if (isCreating) {
        create(fs, conf, device, output);
      }
      try (UpdatedFiles updated = new UpdatedFiles(fs, isReadOnly);
          BlockDevice opened = new HdfsDevices(fs, isReadOnly && !isUpdatable(fs, device)
              ? new ReadOnlyFiles(fs) : updated, isReadOnly).open(device)) {
        serve(opened, listener, device, output);
      }
    }
    return ExitCode.DONE;
  }

  /**
   * Sets how many connections to DataNodes Hadoop's client keeps: one for each unit that is read at
   * the same time. With the default of 16, it would make a new connection for most reads of a busy
   * device.
   */
  private static void keepConnections(Configuration conf) {
    String key = HdfsClientConfigKeys.DFS_CLIENT_SOCKET_CACHE_CAPACITY_KEY;
    conf.setInt(key, Math.max(
        conf.getInt(key, HdfsClientConfigKeys.DFS_CLIENT_SOCKET_CACHE_CAPACITY_DEFAULT),
        UNITS_OF_REQUEST * ServerLimits.threads()));
  }

  /** Returns whether the device may change while it is served. */
  private static boolean isUpdatable(PprFileSystem fs, Path device) throws IOException {
    Path file = fs.getFileStatus(device).isDirectory()
        ? new Path(device, DeviceLayout.nameOf(0)) : device;
    return fs.exists(file) && fs.isUpdatable(file);
  }

  private void checkCombination() {
    String wrong = address.wrong();
    if (wrong != null) {
      throw misuse(wrong);
    }
    if (isCreating != (size != null) || objectBytes != null && !isCreating) {
      throw misuse("--create, --size and --object belong together");
    }
  }

  private void create(PprFileSystem fs, Configuration conf, Path device, ToolOutput output)
      throws IOException {
    long wanted = objectBytes == null ? new SizeWords().convert(OBJECT_DEFAULT) : objectBytes;
    new DeviceMaker(fs, device).make(size, wanted, layout -> {
      if (!isReadOnly) {
        // The directory is made updatable first, so that a refusal shows before all bytes are
        // written.
        PluginCalls.of(conf, surroundings.screen::await, Time::monotonicNow)
            .call(plugin -> plugin.setUpdatable(device.toUri().getPath(), true));
      }
      if (output.isJson) {
        Map<String, Object> sizes = new LinkedHashMap<>();
        sizes.put("path", device.toUri().getPath());
        sizes.put("size", layout.size);
        sizes.put("object_bytes", layout.objectBytes);
        sizes.put("objects", layout.objects());
        output.object(sizes);
      } else {
        output.sentence("Making " + device.toUri().getPath() + ": " + layout);
      }
    }, made -> { });
  }

  private void serve(BlockDevice opened, NbdListener listener, Path device, ToolOutput output)
      throws IOException {
    String name = device.toUri().getPath();
    NbdServer server = new NbdServer(opened, name, listener,
        ServerLimits.of(Runtime.getRuntime().maxMemory()));
    server.start();
    if (output.isJson) {
      Map<String, Object> answer = new LinkedHashMap<>();
      answer.put("uri", listener.uri());
      answer.put("path", name);
      answer.put("size", opened.size());
      answer.put("read_only", isReadOnly);
      output.object(answer);
    } else {
      output.sentence(name + " (" + Quantities.size(opened.size())
          + (isReadOnly ? ", read-only" : "") + ") is served at " + listener.uri());
    }
    new UntilEnded(server).run();
  }

  /**
   * Converts an option's text to a number of bytes; it may have one of Hadoop's suffixes for sizes,
   * such as m or g.
   */
  static final class SizeWords implements ITypeConverter<Long> {
    private static final Pattern SIZE = Pattern.compile("(\\d{1,15})([kmgt]?)");
    private static final int BITS_PER_STEP = 10;
    /** The largest number: 1024t, which is more than a device of a million objects has. */
    private static final long MOST = 1L << 50;

    @Override
    public Long convert(String value) {
      Matcher words = SIZE.matcher(value.toLowerCase(Locale.ROOT));
      if (words.matches()) {
        int bits = BITS_PER_STEP
            * (words.group(2).isEmpty() ? 0 : "kmgt".indexOf(words.group(2)) + 1);
        long number = Long.parseLong(words.group(1));
        if (number > 0 && number <= MOST >> bits) {
          return number << bits;
        }
      }
      throw new TypeConversionException("'" + value
          + "' is no number of bytes from 1 to 1024t, such"
          + " as 64m or 10g");
    }
  }
}
