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
package org.hdfsppr.client.files.update;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import org.apache.hadoop.classification.InterfaceAudience;
import org.hdfsppr.client.read.LocatedGroup;
import org.hdfsppr.client.read.UnitRange;
import org.hdfsppr.operate.GroupReplacedException;
import org.hdfsppr.plan.BlockRef;
import org.hdfsppr.update.append.SignedTicket;
import org.hdfsppr.update.append.UpdateStatus;
import org.hdfsppr.update.view.ViewAnswer;
import org.hdfsppr.update.view.ViewPiece;
import org.hdfsppr.update.view.ViewRequest;

/**
 * Applies the acknowledged updates of a file to bytes of its last committed version. The caller has
 * read these bytes, or has rebuilt them if a unit is lost; the updates of a lost unit come from the
 * node that leads its log now. Each read asks the leaders, so that it sees all updates that were
 * acknowledged before it. Thread-safe.
 */
@InterfaceAudience.Private
public final class UpdateOverlay {
  /**
   * How many bytes of a unit are asked for in one request at most; if cells are longer, one cell.
   */
  private static final int VIEW_BYTES_MAX = 2 << 20;

  private static final class View implements LeaderRetry.Answer {
    private final ViewAnswer answer;

    View(ViewAnswer answer) {
      this.answer = answer;
    }

    @Override
    public UpdateStatus status() {
      return answer.status;
    }

    @Override
    public String text() {
      return answer.toString();
    }
  }

  private final UpdateContext context;
  private final UpdateTickets tickets;
  private final LeaderRetry retry;

  /**
   * @param context what all readers of the client share
   * @param path the file
   */
  public UpdateOverlay(UpdateContext context, String path) {
    this.context = context;
    this.tickets = new UpdateTickets(context.nameNode, path, false, context.nanoClock);
    this.retry = context.retry(tickets);
  }

  /**
   * @return whether an answer of the NameNode has said which file is at the path. From then on,
   *     this object refuses answers about another file at the same path
   */
  public boolean knowsFile() {
    return tickets.knowsFile();
  }

  /**
   * From now on, this object refuses all answers in which the NameNode does not confirm that the
   * block group belongs to the known file. A caller needs this if it reads a version that it has
   * opened by its path.
   */
  public void pin() {
    tickets.pin();
  }

  /** @return whether {@link #pin} was called */
  public boolean isPinned() {
    return tickets.isPinned();
  }

  /**
   * Applies the updates of a range to its bytes.
   *
   * @param group the block group
   * @param from where in the group's data the range begins
   * @param committed the bytes of the committed version, from position to limit; the position does
   *     not move
   * @throws IOException if it cannot be found out which updates there are; the content of the
   *     buffer is then undefined
   */
  public void apply(LocatedGroup group, long from, ByteBuffer committed) throws IOException {
    if (!committed.hasRemaining()) {
      return;
    }
    List<UnitRange> ranges = UnitRange.of(from, from + committed.remaining(),
        group.dataUnits(), group.cellBytes());
    long moment = retry.moment(group.id());
    List<Future<List<ViewAnswer>>> others = new ArrayList<>();
    try {
      for (UnitRange range : ranges.subList(1, ranges.size())) {
        others.add(context.readers().submit(() -> views(group, range, moment)));
      }
      place(views(group, ranges.get(0), moment), group, ranges.get(0).unit, from, committed);
      for (int i = 0; i < others.size(); i++) {
        place(await(others.get(i)), group, ranges.get(i + 1).unit, from, committed);
      }
    } catch (RejectedExecutionException e) {
      throw new IOException("The file system is closed", e);
    } finally {
      // The cancelled tasks may run on for a while. That does no harm, because they have no access
      // to the caller's buffer, which may have the bytes of a later read by then.
      others.forEach(other -> other.cancel(true));
    }
  }

  private static List<ViewAnswer> await(Future<List<ViewAnswer>> other) throws IOException {
    try {
      return other.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("The reader does not wait for updates any more");
    } catch (CancellationException e) {
      throw new IOException("The file system is closed", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof GroupReplacedException) {
        throw new GroupReplacedException(e.getCause().getMessage());
      }
      throw new IOException(e.getCause().getMessage(), e.getCause());
    }
  }

  /**
   * Returns the updated bytes of a range of one unit, in several answers if it is long; an empty
   * list if the unit has no log.
   */
  private List<ViewAnswer> views(LocatedGroup group, UnitRange range, long moment)
      throws IOException {
    List<ViewAnswer> views = new ArrayList<>();
    int cellBytes = group.cellBytes();
    // An update is atomic up to a cell. So each request ends at the end of a cell: a reader sees
    // either all of an update of a cell or nothing of it.
    long most = Math.max(1, VIEW_BYTES_MAX / cellBytes) * (long) cellBytes;
    long at = range.from;
    while (at < range.to) {
      long begin = at;
      int length = (int) (Math.min(range.to, at - at % cellBytes + most) - at);
      Optional<View> view = retry.ask(group.id(), range.unit, moment, ticket ->
          look(group, ticket, begin, length));
      if (view.isEmpty()) {
        // The unit has no log, or had none when this read began, so there are no updates to apply.
        return views;
      }
      views.add(view.get().answer);
      at += length;
    }
    return views;
  }

  private View look(LocatedGroup group, SignedTicket ticket, long begin, int length)
      throws IOException {
    ViewAnswer answer = context.calls.view(ViewRequest.range(ticket, begin, length));
    BlockRef block = ticket.ticket.block;
    int unit = ticket.ticket.unit.unit;
    if (!block.equals(group.id().block(unit, block.length))
        && answer.pieces.stream().anyMatch(piece -> piece.isDelta)) {
      throw new IOException("Updates of " + ticket.ticket + " are deltas to " + block
          + ", and not to " + group.id());
    }
    return new View(answer);
  }

  private static void place(List<ViewAnswer> views, LocatedGroup group, int unit, long from,
      ByteBuffer committed) {
    for (ViewAnswer view : views) {
      int read = 0;
      for (ViewPiece piece : view.pieces) {
        UnitRange range = new UnitRange(unit, piece.offset, piece.end());
        ByteBuffer data = ByteBuffer.wrap(view.data, read, piece.length);
        if (piece.isDelta) {
          range.addTo(committed, from, data, group.dataUnits(), group.cellBytes());
        } else {
          range.copyTo(committed, from, data, group.dataUnits(), group.cellBytes());
        }
        read += piece.length;
      }
    }
  }
}
