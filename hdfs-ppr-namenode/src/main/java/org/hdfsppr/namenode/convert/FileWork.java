
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.namenode.version.VersionOutcome;

/** A file of a job that the walk has passed. Not thread-safe. */
@InterfaceAudience.Private
final class FileWork {
  private final int pathIndex;
  private final String path;
  private long bytes;
  /** Null while no version is being made. */
  private CompletableFuture<VersionOutcome> version;
  /** Null until the file is done. */
  private FileResult result;

  FileWork(int pathIndex, String path) {
    this.pathIndex = pathIndex;
    this.path = path;
  }

  int pathIndex() {
    return pathIndex;
  }

  String path() {
    return path;
  }

  boolean isDone() {
    return result != null;
  }

  boolean isUnderWay() {
    return version != null;
  }

  FileResult result() {
    return result;
  }

  void done(FileResult end) {
    result = end;
    version = null;
  }

  void begun(long fileBytes, CompletableFuture<VersionOutcome> future) {
    bytes = fileBytes;
    version = future;
  }

  /** Takes note of the end of the version, if there is one. */
  void look() {
    if (version != null && version.isDone()) {
      VersionOutcome outcome = version.join();
      version = null;
      FileResults.of(path, bytes, outcome).ifPresent(this::done);
    }
  }
}
