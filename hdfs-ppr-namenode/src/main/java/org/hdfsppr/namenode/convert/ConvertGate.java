
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;

/** What conversions know of the repair manager. Thread-safe. */
@InterfaceAudience.Private
public interface ConvertGate {
  /** @return whether this NameNode is the active one */
  boolean isActive();

  /** @return the term of the repair manager; it rises when this NameNode becomes active again */
  long term();

  /** @return why this NameNode takes no jobs, as a sentence without a full stop; empty if it does */
  Optional<String> whyNoJobs();

  /** @return what goes before conversions now, as a sentence without a full stop */
  Optional<String> whyNot();
}
