
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.classification.InterfaceAudience;

/** A place with a text for each job, which outlives the NameNode. */
@InterfaceAudience.Private
public interface JobFolder {
  /**
   * Lists the jobs. Makes the folder if there is none.
   *
   * @return their ids
   * @throws IOException if the NameNode does not answer this, or the folder is not its own
   */
  List<String> ids() throws IOException;

  /**
   * @param id a job
   * @return its text; empty if there is no such job, or it was never written to its end
   * @throws IOException if the NameNode does not answer this
   */
  Optional<byte[]> read(String id) throws IOException;

  /**
   * Adds a job. When this method returns, the text is durable.
   *
   * @param id a job that is not there
   * @param text its text
   * @throws IOException if the NameNode does not take it
   */
  void add(String id, byte[] text) throws IOException;

  /**
   * Replaces the text of a job.
   *
   * @param id a job that is there
   * @param text its text
   * @throws IOException if the NameNode does not take it
   */
  void replace(String id, byte[] text) throws IOException;

  /**
   * Removes a job. Does nothing if it is not there.
   *
   * @param id the job
   * @throws IOException if the NameNode does not do that
   */
  void remove(String id) throws IOException;
}
