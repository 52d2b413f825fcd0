
import org.apache.hadoop.classification.InterfaceAudience;

/** What is at a path. Immutable. */
@InterfaceAudience.Private
public final class PathStatus {
  private final long inodeId;
  private final boolean directory;
  private final long bytes;
  private final String policy;

  /**
   * @param inodeId the id of the inode
   * @param directory whether it is a directory
   * @param bytes bytes of file data; 0 for a directory
   * @param policy the name of the erasure coding policy that counts here; null if there is none
   */
  public PathStatus(long inodeId, boolean directory, long bytes, String policy) {
    this.inodeId = inodeId;
    this.directory = directory;
    this.bytes = bytes;
    this.policy = policy;
  }

  long inodeId() {
    return inodeId;
  }

  boolean isDirectory() {
    return directory;
  }

  long bytes() {
    return bytes;
  }

  /** Returns the name of the erasure coding policy that counts here; null if there is none. */
  String policy() {
    return policy;
  }
}
