
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.operate.ConversionCounts;
import org.hdfsppr.operate.ConversionFailure;

/** What has become of one file of a job. Immutable. */
@InterfaceAudience.Private
final class FileResult {
  private final ConversionCounts counts;
  private final ConversionFailure failure;

  /** @param failure says why the file was not converted; null if that needs no words */
  FileResult(ConversionCounts counts, ConversionFailure failure) {
    this.counts = counts;
    this.failure = failure;
  }

  ConversionCounts counts() {
    return counts;
  }

  /** Returns why the file was not converted; null if that needs no words. */
  ConversionFailure failure() {
    return failure;
  }
}
