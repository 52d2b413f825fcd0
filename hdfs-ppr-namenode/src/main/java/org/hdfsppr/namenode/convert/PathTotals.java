
import org.apache.hadoop.classification.InterfaceAudience;

/** How much there is at or below a path. Immutable. */
@InterfaceAudience.Private
public final class PathTotals {
  static final PathTotals NONE = new PathTotals(0, 0);

  private final long files;
  private final long bytes;

  /**
   * @param files files
   * @param bytes bytes of file data
   */
  public PathTotals(long files, long bytes) {
    this.files = files;
    this.bytes = bytes;
  }

  long files() {
    return files;
  }

  long bytes() {
    return bytes;
  }

  PathTotals plus(PathTotals other) {
    return new PathTotals(files + other.files, bytes + other.bytes);
  }
}
