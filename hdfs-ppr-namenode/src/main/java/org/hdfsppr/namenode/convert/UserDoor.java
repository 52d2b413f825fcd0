
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;
import org.apache.hadoop.ipc.StandbyException;

/** The user of the call that the present thread answers, and what the NameNode lets him do. */
@InterfaceAudience.Private
public interface UserDoor {
  /** @throws StandbyException if this NameNode is not the active one */
  void checkActive() throws StandbyException;

  /**
   * @return short name of the caller
   * @throws IOException if the present thread answers no call
   */
  String name() throws IOException;

  /**
   * @return whether the caller is a superuser of HDFS
   * @throws IOException if the NameNode does not answer this
   */
  boolean isSuperuser() throws IOException;

  /**
   * @param path an absolute path
   * @return what is there; empty if there is nothing
   * @throws org.apache.hadoop.security.AccessControlException if the caller may not see it
   * @throws IOException if the NameNode does not answer this
   */
  Optional<PathStatus> status(String path) throws IOException;

  /**
   * Checks that the caller may convert the files of a directory: list and change it.
   *
   * @param directory an absolute path
   * @throws org.apache.hadoop.security.AccessControlException if the caller may not
   * @throws IOException if the NameNode does not answer this
   */
  void checkDirectory(String directory) throws IOException;

  /**
   * Writes what the caller has done to the NameNode's audit log.
   *
   * @param operation the operation
   * @param what to what it was applied
   * @throws IOException if the log cannot be written
   */
  void audit(String operation, String what) throws IOException;
}
