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
package org.hdfsppr.client.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.FileNotFoundException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.URL;
import java.net.URLEncoder;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.SSLException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.NameNodeProxiesClient;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.web.URLConnectionFactory;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticationException;
import org.hdfsppr.wire.PeerText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The documents of hdfs-ppr on the web server of the active NameNode. This class finds that server
 * as {@code hdfs fsck} does, by the client's configuration. Unlike Hadoop's {@code
 * getAddressOfActive}, it asks each NameNode only once, so that a command ends soon if no NameNode
 * is active.
 */
final class NameNodePages {
  private static final Logger LOG = LoggerFactory.getLogger(NameNodePages.class);
  /** The folder of hdfs-ppr on the NameNode's web server. */
  private static final String FOLDER = "/ppr";

  private final NameNodes nameNodes;
  private final PageConnection connection;

  private NameNodePages(NameNodes nameNodes, PageConnection connection) {
    this.nameNodes = nameNodes;
    this.connection = connection;
  }

  /**
   * Makes a reader of the documents of the configuration's default file system.
   *
   * @throws IOException if the default file system is not an HDFS
   */
  static NameNodePages of(Configuration conf) throws IOException {
    NameNodes nameNodes = NameNodes.of(conf);
    return new NameNodePages(nameNodes, new PageConnection(nameNodes.conf));
  }

  /**
   * Reads a document of the active NameNode. If no NameNode is active, reads it from the first
   * NameNode that has it, and the result says so.
   *
   * @param path the path below the folder of hdfs-ppr, such as {@code /v1/status}
   * @throws IOException if no NameNode has the document; the message is a sentence
   */
  NameNodePage read(String path) throws IOException {
    Map<String, InetSocketAddress> addresses = nameNodes.addresses();
    if (addresses.isEmpty()) {
      throw new IOException("The configuration names no NameNode of the default file system"
          + " (dfs.ha.namenodes)");
    }
    if (addresses.size() == 1) {
      return new NameNodePage(connection.read(server(addresses.values().iterator().next()),
          FOLDER + path), null);
    }
    for (Map.Entry<String, InetSocketAddress> one : addresses.entrySet()) {
      if (isActive(one.getKey(), one.getValue())) {
        return new NameNodePage(connection.read(server(one.getValue()), FOLDER + path), null);
      }
    }
    return readOfAny(path);
  }

  private NameNodePage readOfAny(String path) throws IOException {
    List<String> failures = new ArrayList<>();
    IOException last = null;
    for (Map.Entry<String, InetSocketAddress> one : nameNodes.addresses().entrySet()) {
      try {
        return new NameNodePage(connection.read(server(one.getValue()), FOLDER + path),
            "No NameNode is active (" + String.join(", ", nameNodes.addresses().keySet())
                + "): this is what " + one.getKey() + " knows. Make one active: hdfs haadmin"
                + " -getAllServiceState");
      } catch (IOException e) {
        failures.add(one.getKey() + ": " + e.getMessage());
        last = e;
      }
    }
    throw new IOException("No NameNode is active. " + String.join("; ", failures), last);
  }

  private String server(InetSocketAddress rpcAddress) throws IOException {
    return DFSUtil.getInfoServer(rpcAddress, nameNodes.conf,
        DFSUtil.getHttpClientScheme(nameNodes.conf)).toString();
  }

  private boolean isActive(String name, InetSocketAddress address) {
    try {
      ClientProtocol nameNode = NameNodeProxiesClient.createNonHAProxyWithClientProtocol(address,
          nameNodes.conf, UserGroupInformation.getCurrentUser(), false, new AtomicBoolean());
      try {
        return nameNode.getHAServiceState() == HAServiceState.ACTIVE;
      } finally {
        RPC.stopProxy(nameNode);
      }
    } catch (IOException | RuntimeException e) {
      // Hadoop wraps an unknown host in a RuntimeException. Another NameNode may answer. If none
      // does, reading the page fails with a sentence.
      LOG.debug("{} at {} does not say whether it is active", name, address, e);
      return false;
    }
  }

  /**
   * Reads JSON documents from the web server of one NameNode, as the user who runs the command.
   * With Kerberos the connection uses SPNEGO, and with HTTPS the client's trust store, both as
   * {@code hdfs fsck} does. Each failure is an exception with one sentence that names the server.
   */
  static final class PageConnection {
    /** The time limit for connecting, and again for each wait for bytes. */
    private static final int TIMEOUT_MS = 20_000;
    /** The time limit for the whole body of an answer. */
    private static final int BODY_MS_MAX = 60_000;
    /**
     * How many bytes of an answer are read at most. Documents are far shorter: they have at most
     * some thousand entries, each far below a KiB.
     */
    private static final long BODY_BYTES_MAX = 64L << 20;
    /**
     * How many bytes of the text of a refusal are read at most. The sentences of hdfs-ppr are
     * shorter.
     */
    private static final int SENTENCE_BYTES_MAX = 4096;
    /** The version of the documents that this class understands. */
    private static final int VERSION = 1;

    /** A failure whose message is the whole sentence for the user. */
    private static final class Refusal extends IOException {
      private static final long serialVersionUID = 1L;

      Refusal(String sentence, Throwable cause) {
        super(sentence, cause);
      }
    }

    private final Configuration conf;
    private final int timeoutMs;
    private final long bodyBytesMax;

    /**
     * @param conf says how to authenticate
     */
    PageConnection(Configuration conf) {
      this(conf, TIMEOUT_MS, BODY_BYTES_MAX);
    }

    PageConnection(Configuration conf, int timeoutMs, long bodyBytesMax) {
      this.conf = conf;
      this.timeoutMs = timeoutMs;
      this.bodyBytesMax = bodyBytesMax;
    }

    /**
     * Reads one document.
     *
     * @param server scheme, host and port, such as {@code http://nn1:9870}
     * @param path the path, such as {@code /ppr/v1/status}
     * @return the document
     * @throws IOException if there is no such document, in one sentence
     */
    ObjectNode read(String server, String path) throws IOException {
      UserGroupInformation user = UserGroupInformation.getCurrentUser();
      try {
        return user.doAs((PrivilegedExceptionAction<ObjectNode>) () -> read(server, path, user));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("The command was interrupted", e);
      }
    }

    private ObjectNode read(String server, String path, UserGroupInformation user)
        throws IOException {
      boolean isSecure = UserGroupInformation.isSecurityEnabled();
      // Without Kerberos, the web server takes the caller's name from the address.
      String address = server + path + (isSecure ? "" : "?user.name="
          + URLEncoder.encode(user.getShortUserName(), StandardCharsets.UTF_8.name()));
      URLConnectionFactory factory =
          URLConnectionFactory.newDefaultURLConnectionFactory(timeoutMs, timeoutMs, conf);
      HttpURLConnection connection = null;
      try {
        connection = (HttpURLConnection) factory.openConnection(new URL(address), isSecure);
        connection.setRequestProperty("Accept-Encoding", "gzip");
        int code = connection.getResponseCode();
        if (code != HttpURLConnection.HTTP_OK) {
          throw new Refusal(refusal(server, path, code, said(connection), user), null);
        }
        return document(server, connection);
      } catch (AuthenticationException e) {
        throw new Refusal(unauthenticated(server, user)
            + " (" + PeerText.firstLine(innermost(e)) + ")", e);
      } catch (FileNotFoundException e) {
        // Hadoop's SPNEGO client throws this exception for the status 404.
        throw new Refusal(missing(server, path), e);
      } catch (ConnectException | NoRouteToHostException | UnknownHostException
          | SocketTimeoutException | SSLException e) {
        throw new Refusal(unreachable(server, e), e);
      } catch (Refusal e) {
        throw e;
      } catch (IOException e) {
        throw new Refusal("The NameNode at " + server + " has broken off: "
            + PeerText.firstLine(e), e);
      } finally {
        if (connection != null) {
          connection.disconnect();
        }
        factory.destroy();
      }
    }

    private ObjectNode document(String server, HttpURLConnection connection) throws IOException {
      JsonNode document;
      try (InputStream body = new BoundedBody(decoded(connection, connection.getInputStream()),
          bodyBytesMax, BODY_MS_MAX, System::nanoTime)) {
        document = new ObjectMapper().readTree(body);
      } catch (JsonProcessingException e) {
        throw new Refusal(noDocument(server), e);
      }
      if (!(document instanceof ObjectNode)) {
        throw new Refusal(noDocument(server), null);
      }
      int version = document.path("version").asInt(VERSION);
      if (version > VERSION) {
        throw new Refusal("The NameNode at " + server + " has documents of version " + version
            + ", and this command understands version " + VERSION + ": install the role client of"
            + " the NameNode's hdfs-ppr here", null);
      }
      return (ObjectNode) document;
    }

    private static String noDocument(String server) {
      return "What " + server + " has answered is no JSON of hdfs-ppr: is another server or a proxy"
          + " at that address?";
    }

    private static InputStream decoded(HttpURLConnection connection, InputStream body)
        throws IOException {
      return "gzip".equalsIgnoreCase(connection.getContentEncoding()) ? new GZIPInputStream(body)
          : body;
    }

    /** Returns the sentence that hdfs-ppr itself sends with a refusal; empty if there is none. */
    private Optional<String> said(HttpURLConnection connection) throws IOException {
      String type = connection.getContentType();
      InputStream error = connection.getErrorStream();
      if (error == null || type == null || !type.startsWith("text/plain")) {
        return Optional.empty();
      }
      try (InputStream body = decoded(connection, error)) {
        String text = new String(body.readNBytes(SENTENCE_BYTES_MAX), StandardCharsets.UTF_8)
            .trim();
        return text.isEmpty() ? Optional.empty() : Optional.of(PeerText.oneLine(text));
      }
    }

    private String refusal(String server, String path, int code, Optional<String> said,
        UserGroupInformation user) {
      switch (code) {
        case HttpURLConnection.HTTP_UNAUTHORIZED:
          return unauthenticated(server, user);
        case HttpURLConnection.HTTP_FORBIDDEN:
          return "The NameNode at " + server + " does not let user " + user.getShortUserName()
              + " read this (403): run it as a user of dfs.cluster.administrators, or add this one";
        case HttpURLConnection.HTTP_NOT_FOUND:
          // Only hdfs-ppr sends a sentence with this status, so it runs on that NameNode. It lacks
          // the page because it is older.
          return said.map(sentence -> "The hdfs-ppr of the NameNode at " + server + " has no "
              + path
              + " (404), perhaps because it is older than this command: " + sentence)
              .orElse(missing(server, path));
        case HttpURLConnection.HTTP_UNAVAILABLE:
          return "The NameNode at " + server + " cannot say it now (503): "
              + said.orElse("it starts, stops, or is too busy; try again");
        default:
          return "The NameNode at " + server + " has answered with HTTP status " + code
              + said.map(sentence -> ": " + sentence).orElse("; its log may say why");
      }
    }

    private static String missing(String server, String path) {
      return "The NameNode at " + server + " has no " + path
          + " (404): it still starts, or hdfs-ppr"
          + " does not run there (dfs.namenode.plugins, dfs.namenode.ppr.web.enabled), or is older"
          + " than this command";
    }

    private static String unauthenticated(String server, UserGroupInformation user) {
      return "The NameNode at " + server + " does not believe that this is user "
          + user.getShortUserName() + " (401): " + (UserGroupInformation.isSecurityEnabled()
              ? "get a Kerberos ticket with kinit"
              : "it wants Kerberos, and hadoop.security.authentication is not kerberos here");
    }

    private static Throwable innermost(Throwable e) {
      Throwable first = e;
      while (first.getCause() != null) {
        first = first.getCause();
      }
      return first;
    }

    private String unreachable(String server, IOException e) {
      if (e instanceof SocketTimeoutException) {
        return "The NameNode at " + server + " has not answered within " + timeoutMs / 1000 + " s";
      }
      if (e instanceof UnknownHostException) {
        return "No NameNode answers at " + server + ": the name of the host is unknown";
      }
      return e instanceof SSLException ? "No TLS connection to " + server + ": "
          + PeerText.firstLine(e) + "; is its certificate in the trust store of ssl-client.xml?"
          : "No NameNode answers at " + server + ": " + PeerText.firstLine(e);
    }
  }

  /**
   * The body of an answer, with a maximum length and a time limit. A server that never ends its
   * answer must not keep a command for ever, or fill its memory. Used by one thread.
   */
  static final class BoundedBody extends FilterInputStream {
    private final LongSupplier nanos;
    private final long latestNanos;
    private final long bytesMax;
    private long bytesLeft;

    /**
     * @param body the bytes, after decompression
     * @param bytesMax the greatest length, bytes
     * @param msMax the time limit for all of the body from now on, ms
     * @param nanos a clock that never goes back, ns
     */
    BoundedBody(InputStream body, long bytesMax, long msMax, LongSupplier nanos) {
      super(body);
      this.nanos = nanos;
      this.latestNanos = nanos.getAsLong() + msMax * 1_000_000;
      this.bytesMax = bytesMax;
      this.bytesLeft = bytesMax;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      int read = read(one, 0, 1);
      return read < 0 ? read : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      if (nanos.getAsLong() - latestNanos > 0) {
        throw new IOException("its answer takes too long");
      }
      // This asks for one byte more than allowed. If that byte comes, the body is too long.
      int read = super.read(bytes, offset, (int) Math.min(length, bytesLeft + 1));
      bytesLeft -= Math.max(read, 0);
      if (bytesLeft < 0) {
        throw new IOException("its answer is longer than " + (bytesMax >> 20) + " MiB");
      }
      return read;
    }

    @Override
    public long skip(long bytes) throws IOException {
      // Skipped bytes would not be counted. Jackson skips none.
      throw new IOException("Bytes of an answer are read, and not skipped");
    }

    @Override
    public boolean markSupported() {
      return false;
    }
  }
}
