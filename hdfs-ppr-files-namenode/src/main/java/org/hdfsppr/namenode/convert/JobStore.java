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
package org.hdfsppr.namenode.convert;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hdfsppr.namenode.record.BadRecordException;
import org.hdfsppr.operate.ConversionRefusedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the records of jobs in the namespace. After a failover, another NameNode may have newer
 * records than this one has in memory. So each record has the term of its writer and a revision,
 * which rises with each write. If a writer finds another term or revision than it has in memory, it
 * writes nothing, and has to read all records again. Not thread-safe.
 */
final class JobStore {
  private static final Logger LOG = LoggerFactory.getLogger(JobStore.class);

  private final JobFolder folder;

  JobStore(JobFolder folder) {
    this.folder = folder;
  }

  /** Another NameNode has written the record since this one read it. */
  static final class ForeignRecordException extends IOException {
    private static final long serialVersionUID = 1L;

    ForeignRecordException(String message) {
      super(message);
    }
  }

  /**
   * Reads the records of all jobs. If this software cannot read one, it stays where it is, and a
   * log line reports it.
   */
  List<JobRecord> load() throws IOException {
    List<JobRecord> records = new ArrayList<>();
    for (String id : folder.ids()) {
      Optional<byte[]> text = folder.read(id);
      if (text.isEmpty()) {
        // The NameNode stopped before it wrote the record, and before it answered the user. So no
        // user relies on this job.
        LOG.info("The folder of job {} is empty and is removed", id);
        folder.remove(id);
        continue;
      }
      try {
        JobRecord record = JobRecord.parse(text.get());
        if (record.id().equals(id)) {
          records.add(record);
        } else {
          LOG.error("The record of conversion job {} cannot be used, so that the job does not go"
              + " on: it names job {}", id, record.id());
        }
      } catch (JobRecord.BrokenRecordException | JobRecord.NewerRecordException
          | BadRecordException e) {
        LOG.error("The record of conversion job {} cannot be used, so that the job does not go"
            + " on: {}", id, e.getMessage());
      }
    }
    return records;
  }

  /**
   * Writes the record of a new job; returns the record as it was written.
   *
   * @throws ConversionRefusedException if its paths are too long for a record, or if there is a
   *     record with this id that this software cannot read
   */
  JobRecord add(JobRecord record, long term) throws IOException {
    JobRecord written = record.next(term);
    if (!written.hasRoom()) {
      throw new ConversionRefusedException("The paths of job " + record.id() + " have too many"
          + " quotes and control characters for a job's record; name their directory, or submit"
          + " several jobs");
    }
    if (!folder.add(written.id(), written.toBytes())) {
      throw new ConversionRefusedException("There is another job " + record.id() + ", which this"
          + " NameNode cannot read; choose another id");
    }
    return written;
  }

  /**
   * Replaces the record of a job; returns the record as it was written.
   *
   * @throws ForeignRecordException if another NameNode has written it since
   */
  JobRecord update(JobRecord record, long term) throws IOException {
    Optional<byte[]> text = folder.read(record.id());
    JobRecord last = text.isPresent() ? JobRecord.parse(text.get()) : null;
    if (last == null || last.revision != record.revision || last.term != record.term) {
      throw new ForeignRecordException("the record of job " + record.id() + " is "
          + (last == null ? "gone" : "of term " + last.term + ", revision " + last.revision)
          + ", and not of term " + record.term + ", revision " + record.revision);
    }
    JobRecord written = record.next(term);
    if (!folder.replace(written.id(), text.get(), written.toBytes())) {
      throw new ForeignRecordException("the record of job " + record.id()
          + " was written by another NameNode just now");
    }
    return written;
  }

  void remove(String id) throws IOException {
    folder.remove(id);
  }
}
