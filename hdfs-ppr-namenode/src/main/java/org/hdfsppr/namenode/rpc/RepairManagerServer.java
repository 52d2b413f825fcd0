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
package org.hdfsppr.namenode.rpc;

import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.HAUtil;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.Server;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.security.authorize.PolicyProvider;
import org.apache.hadoop.security.authorize.Service;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.hadoop.security.token.TokenIdentifier;
import org.apache.hadoop.thirdparty.protobuf.RpcController;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.apache.hadoop.util.Time;
import org.hdfsppr.conf.PprKeys;
import org.hdfsppr.conf.SettingsReader;
import org.hdfsppr.conf.WrongSettingException;
import org.hdfsppr.manage.HeartbeatRequest;
import org.hdfsppr.manage.HeartbeatResponse;
import org.hdfsppr.manage.ManagerAddress;
import org.hdfsppr.manage.RepairManagerProtocolPB;
import org.hdfsppr.manage.RepairManagerServerTranslator;
import org.hdfsppr.manage.proto.ManagerProtos.AwaitOrdersRequestProto;
import org.hdfsppr.manage.proto.ManagerProtos.AwaitOrdersResponseProto;
import org.hdfsppr.manage.proto.ManagerProtos.HeartbeatRequestProto;
import org.hdfsppr.manage.proto.ManagerProtos.HeartbeatResponseProto;
import org.hdfsppr.manage.proto.ManagerProtos.RepairManagerService;
import org.hdfsppr.rpc.RpcCalls;
import org.hdfsppr.wire.MalformedRequestException;
import org.hdfsppr.wire.PeerLog;
import org.hdfsppr.wire.PeerText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The RPC server of a NameNode's repair manager. It has its own port, because protocols that are
 * added to the NameNode's server lose their authorization with {@code dfsadmin -refreshServiceAcl}.
 * The server accepts a heartbeat only if the caller has the rights of a DataNode, and if the live
 * DataNode that the heartbeat names is registered from the caller's address. Calls of users come
 * through the same port; they may have a delegation token of the NameNode, and their handler checks
 * what their senders may do.
 */
@InterfaceAudience.Private
public final class RepairManagerServer implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(RepairManagerServer.class);
  /** Logs refusals. A faulty caller may cause a refusal with each call, so the log is limited. */
  private static final PeerLog PEER_LOG = new PeerLog(LOG);
  /**
   * The default number of handlers. Each of them answers some thousand heartbeats a second, and a
   * DataNode sends one a second.
   */
  private static final int HANDLERS = 8;
  /**
   * How many handlers there are at most, however many the NameNode has. With more handlers, the
   * queue of calls is longer, and more calls of users are answered at a time (a quarter of the
   * handlers may do that). Both load the NameNode.
   */
  private static final int HANDLERS_MAX = 64;
  /**
   * How many calls may wait for each handler. A handler answers this many calls in a few
   * milliseconds.
   */
  private static final int QUEUE_PER_HANDLER = 64;

  private final RPC.Server server;
  private final InetSocketAddress listens;
  private final HeartbeatHandler handler;
  private final LiveDataNodes datanodes;
  private final HeartbeatAuthorizer callers;

  private RepairManagerServer(Configuration conf, int handlers,
      SecretManager<? extends TokenIdentifier> secrets, LiveDataNodes datanodes,
      HeartbeatHandler handler, List<RpcProtocol<?>> protocols) throws IOException {
    InetSocketAddress address = address(conf);
    this.handler = handler;
    this.datanodes = datanodes;
    this.callers = new HeartbeatAuthorizer(conf);
    ProtocolAcls acls = new ProtocolAcls();
    RPC.setProtocolEngine(conf, RepairManagerProtocolPB.class, ProtobufRpcEngine2.class);
    server = new RPC.Builder(conf)
        .setProtocol(RepairManagerProtocolPB.class)
        .setInstance(RepairManagerService.newReflectiveBlockingService(
            new NotedRefusals(acls.checked(RepairManagerProtocolPB.class,
                new RepairManagerServerTranslator(new Manager())))))
        .setBindAddress(address.getHostString())
        .setPort(address.getPort())
        .setNumHandlers(handlers)
        .setQueueSizePerHandler(QUEUE_PER_HANDLER)
        .setVerbose(false)
        .setSecretManager(secrets)
        .build();
    for (RpcProtocol<?> protocol : protocols) {
      protocol.add(server, conf, acls);
    }
    if (conf.getBoolean(CommonConfigurationKeysPublic.HADOOP_SECURITY_AUTHORIZATION, false)) {
      server.refreshServiceAcl(conf, new RepairManagerPolicy(protocols));
      acls.open(server);
    }
    // Hadoop's server does not know its address any more after it has stopped.
    listens = server.getListenerAddress();
    // Without this call, Hadoop's server would log each refusal, and would add the stack trace to
    // one kind of refusal.
    server.addSuppressedLoggingExceptions(AccessControlException.class,
        AuthorizationException.class, MalformedRequestException.class);
    // These exceptions are answers to users' commands, which print them.
    server.addSuppressedLoggingExceptions(FileNotFoundException.class, RetriableException.class,
        StandbyException.class);
    for (RpcProtocol<?> protocol : protocols) {
      protocol.answers.forEach(server::addSuppressedLoggingExceptions);
    }
  }

  /** Answers the calls of DataNodes that are live and have the right to call. */
  private final class Manager implements RepairManagerServerTranslator.Manager {
    @Override
    public HeartbeatResponse heartbeat(HeartbeatRequest request) throws IOException {
      return handler.heartbeat(check(request.node.uuid), request);
    }

    @Override
    public void awaitOrders(String uuid, int waitMs) throws IOException {
      check(uuid);
      KeptCall call = KeptCall.ofThisThread();
      try {
        handler.awaitOrders(uuid, waitMs, call);
      } catch (IOException | RuntimeException | LinkageError | AssertionError
          | VirtualMachineError e) {
        call.fail(e);
      }
    }

    private HeartbeatCaller check(String uuid) throws IOException {
      UserGroupInformation user = Server.getRemoteUser();
      InetAddress address = Server.getRemoteIp();
      if (user == null || address == null) {
        throw new AccessControlException("Heartbeats come by RPC");
      }
      callers.check(user, address, uuid, datanodes);
      return new HeartbeatCaller(user.getUserName(), address);
    }
  }

  /** Notes refusals in the log. */
  private static final class NotedRefusals implements RepairManagerProtocolPB {
    private final RepairManagerProtocolPB manager;

    NotedRefusals(RepairManagerProtocolPB manager) {
      this.manager = manager;
    }

    @Override
    public HeartbeatResponseProto heartbeat(RpcController controller,
        HeartbeatRequestProto request) throws ServiceException {
      return noted("A heartbeat from {} is refused: {}",
          () -> manager.heartbeat(controller, request));
    }

    @Override
    public AwaitOrdersResponseProto awaitOrders(RpcController controller,
        AwaitOrdersRequestProto request) throws ServiceException {
      return noted("A call for orders from {} is refused: {}",
          () -> manager.awaitOrders(controller, request));
    }

    private static <T> T noted(String line, RpcCalls.Call<T> call) throws ServiceException {
      try {
        return call.call();
      } catch (ServiceException e) {
        Throwable why = e.getCause();
        if (why instanceof AccessControlException || why instanceof MalformedRequestException) {
          PEER_LOG.info(why.getClass().getName(), line, Server.getRemoteAddress(),
              PeerText.oneLine(String.valueOf(why.getMessage())));
        }
        throw e;
      }
    }
  }

  /**
   * Like {@link #start(Configuration, SecretManager, LiveDataNodes, HeartbeatHandler, List)}, for a
   * server that answers DataNodes only.
   *
   * @param configuration the NameNode's configuration, which names its nameservice and its id
   * @param secrets the namesystem's delegation token secret manager, or null to refuse all tokens
   * @param datanodes knows the DataNodes whose heartbeats are accepted
   * @param handler answers the heartbeats
   * @return the running server
   * @throws IOException if the server cannot be made; then no server runs
   */
  public static RepairManagerServer start(Configuration configuration,
      SecretManager<? extends TokenIdentifier> secrets, LiveDataNodes datanodes,
      HeartbeatHandler handler) throws IOException {
    return start(configuration, secrets, datanodes, handler, handlers(configuration));
  }

  /** Starts a server that answers DataNodes only, with a given number of handlers. */
  static RepairManagerServer start(Configuration configuration,
      SecretManager<? extends TokenIdentifier> secrets, LiveDataNodes datanodes,
      HeartbeatHandler handler, int handlers) throws IOException {
    return start(configuration, secrets, datanodes, handler, List.of(), handlers);
  }

  /**
   * Opens the port and starts to serve.
   *
   * @param configuration the NameNode's configuration, which names its nameservice and its id
   * @param secrets the namesystem's delegation token secret manager, or null to refuse all tokens
   * @param datanodes knows the DataNodes whose heartbeats are accepted
   * @param handler answers the heartbeats
   * @param protocols the protocols for other callers than DataNodes
   * @return the running server
   * @throws IOException if the server cannot be made; then no server runs
   * @throws WrongSettingException if a setting makes no sense, or the port is taken; the message
   *     names the setting, and no server runs
   */
  public static RepairManagerServer start(Configuration configuration,
      SecretManager<? extends TokenIdentifier> secrets, LiveDataNodes datanodes,
      HeartbeatHandler handler, List<RpcProtocol<?>> protocols) throws IOException {
    return start(configuration, secrets, datanodes, handler, protocols,
        handlers(configuration));
  }

  private static RepairManagerServer start(Configuration configuration,
      SecretManager<? extends TokenIdentifier> secrets, LiveDataNodes datanodes,
      HeartbeatHandler handler, List<RpcProtocol<?>> protocols, int handlers)
      throws IOException {
    Configuration conf = new Configuration(configuration);
    RepairManagerServer server;
    try {
      server = new RepairManagerServer(conf, handlers, secrets, datanodes, handler, protocols);
    } catch (BindException e) {
      InetSocketAddress address = address(conf);
      throw new WrongSettingException(PprKeys.NAMENODE_RPC_ADDRESS_KEY + ": this host cannot listen"
          + " at '" + address.getHostString() + ":" + address.getPort() + "'; set an address of"
          + " this host and a port that is free", e);
    }
    server.server.start();
    LOG.info("DataNodes reach the repair manager at {}", server.listens);
    return server;
  }

  private static InetSocketAddress address(Configuration conf) {
    String nameservice = DFSUtil.getNamenodeNameServiceId(conf);
    // Hadoop's look-up of the NameNode's id requires that there is an id, but only NameNodes with
    // high availability need one.
    String namenode = nameservice != null && HAUtil.isHAEnabled(conf, nameservice)
        ? HAUtil.getNameNodeId(conf, nameservice) : null;
    return SettingsReader.known(PprKeys.NAMENODE_RPC_ADDRESS_KEY,
        ManagerAddress.configured(conf, nameservice, namenode));
  }

  /**
   * Returns how many calls the server answers at a time. For clusters of many DataNodes, an
   * operator raises the number of the NameNode's handlers (dfs.namenode.handler.count). The
   * DataNodes send heartbeats to this server, too, so that it takes the same number, up to a limit.
   *
   * @param conf the NameNode's configuration
   * @return the number of handlers
   */
  public static int handlers(Configuration conf) {
    int stock = conf.getInt(DFSConfigKeys.DFS_NAMENODE_HANDLER_COUNT_KEY,
        DFSConfigKeys.DFS_NAMENODE_HANDLER_COUNT_DEFAULT);
    return stock <= DFSConfigKeys.DFS_NAMENODE_HANDLER_COUNT_DEFAULT ? HANDLERS
        : Math.min(stock, HANDLERS_MAX);
  }

  /** @return the address on which the server listens, or listened before it was closed */
  public InetSocketAddress address() {
    return listens;
  }

  /** Closes the port and ends the calls. */
  @Override
  public void close() {
    server.stop();
  }

  /**
   * Decides which callers may send heartbeats. With Kerberos, a caller must be the DataNodes'
   * principal or a superuser of HDFS, and must have a Kerberos ticket of its own. A delegation
   * token is not enough, because any job has one. A call in which a permitted user impersonates
   * another user is refused, too. Without security, this class believes each user name, as Hadoop
   * itself does. Thread-safe.
   */
  static final class HeartbeatAuthorizer {
    /**
     * How many principals the cache has at most. No cluster has as many DataNodes. The bound limits
     * the memory that callers from many addresses can use up.
     */
    private static final int PRINCIPALS_MAX = 100_000;

    /**
     * Makes the principal of the host at an address from a pattern such as {@code dn/_HOST@REALM}.
     * It may ask a name server for the host's name.
     */
    @FunctionalInterface
    interface Names {
      String principal(String pattern, InetAddress address) throws IOException;
    }

    private final String datanodePrincipal;
    private final String owner;
    private final String superGroup;
    /**
     * How long the cached principal of an address counts even if a caller has another one, ms.
     * After this time it is looked up again, because another host may have got the address. So a
     * caller cannot cause more look-ups than this.
     */
    private static final long AGE_MS_LEAST = 60_000;

    /** A principal, and when a name server was asked for it. */
    private static final class Known {
      private final String principal;
      private final long atMs;

      Known(String principal, long atMs) {
        this.principal = principal;
        this.atMs = atMs;
      }
    }

    private final Names names;
    private final LongSupplier clockMs;
    /** The principals by address, cached because a look-up may take long. */
    private final Map<InetAddress, Known> principals = new ConcurrentHashMap<>();

    /** Makes the check for a NameNode that runs as the current user. */
    HeartbeatAuthorizer(Configuration conf) throws IOException {
      this(conf, SecurityUtil::getServerPrincipal, Time::monotonicNow);
    }

    /** @param clockMs the time, monotonic, ms */
    HeartbeatAuthorizer(Configuration conf, Names names, LongSupplier clockMs) throws IOException {
      this.names = names;
      this.clockMs = clockMs;
      datanodePrincipal = conf.getTrimmed(DFSConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY);
      owner = UserGroupInformation.getCurrentUser().getShortUserName();
      superGroup = conf.get(DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_KEY,
          DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_DEFAULT);
    }

    /**
     * Accepts or refuses a caller. The name server comes last, and is only asked about addresses of
     * live DataNodes: its answer may take seconds, and a handler waits for it.
     *
     * @param uuid UUID of the DataNode that the caller claims to be
     * @throws AccessControlException if the caller is refused, with the reason
     */
    void check(UserGroupInformation user, InetAddress address, String uuid,
        LiveDataNodes datanodes) throws IOException {
      boolean isSecure = UserGroupInformation.isSecurityEnabled();
      if (isSecure) {
        checkTicket(user, address);
      }
      if (!datanodes.isLive(uuid, address.getHostAddress())) {
        throw new AccessControlException("No live DataNode " + uuid + " is registered from "
            + address.getHostAddress());
      }
      if (isSecure) {
        checkName(user, address);
      }
    }

    private static void checkTicket(UserGroupInformation user, InetAddress address)
        throws AccessControlException {
      if (user.getAuthenticationMethod() != AuthenticationMethod.KERBEROS) {
        throw new AccessControlException(user + " at " + address.getHostAddress()
            + " may not send heartbeats of DataNodes: these need a Kerberos ticket of their own, "
            + "not " + user.getAuthenticationMethod());
      }
    }

    private void checkName(UserGroupInformation user, InetAddress address) throws IOException {
      if (!isPrincipal(user.getUserName(), address) && !isSuperUser(user)) {
        throw new AccessControlException(user + " at " + address.getHostAddress() + " is neither "
            + datanodePrincipal + " (" + DFSConfigKeys.DFS_DATANODE_KERBEROS_PRINCIPAL_KEY
            + ") nor a superuser of HDFS, and may not send heartbeats of DataNodes");
      }
    }

    /** Returns whether a name is that of a DataNode at {@code address}. */
    private boolean isPrincipal(String name, InetAddress address) throws IOException {
      if (datanodePrincipal == null || !datanodePrincipal.contains("/_HOST@")) {
        return name.equals(datanodePrincipal);
      }
      Known known = principals.get(address);
      if (known == null
          || !name.equals(known.principal) && clockMs.getAsLong() - known.atMs >= AGE_MS_LEAST) {
        known = new Known(names.principal(datanodePrincipal, address), clockMs.getAsLong());
        if (principals.size() >= PRINCIPALS_MAX) {
          principals.clear();
        }
        principals.put(address, known);
      }
      return name.equals(known.principal);
    }

    private boolean isSuperUser(UserGroupInformation user) {
      return user.getShortUserName().equals(owner)
          || Arrays.asList(user.getGroupNames()).contains(superGroup);
    }
  }

  /** The part of {@code hadoop-policy.xml} that concerns the server of the repair manager. */
  public static final class RepairManagerPolicy extends PolicyProvider {
    /**
     * The key of the setting that lists the users and groups that may send heartbeats of DataNodes.
     * Without the setting, Hadoop's default applies: all users may call.
     */
    public static final String ACL_KEY = "security.ppr.repair.protocol.acl";

    private final List<RpcProtocol<?>> others;

    RepairManagerPolicy(List<RpcProtocol<?>> others) {
      this.others = others;
    }

    @Override
    public Service[] getServices() {
      return Stream.concat(Stream.of(new Service(ACL_KEY, RepairManagerProtocolPB.class)),
          others.stream().map(RpcProtocol::acl)).toArray(Service[]::new);
    }
  }
}
