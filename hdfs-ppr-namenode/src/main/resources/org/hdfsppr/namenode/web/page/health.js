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

// What the status says: the health line, the key figures, lost nodes, the queue in numbers.

import {byId, el, put, attribute, show, keyed, commands} from './dom.js';
import {known, bytes, rate, count, plural, duration, clock, millis, shortNode, UNKNOWN} from './words.js';

const CHECK = 'M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm-1.4 14.6-4.2-4.2 1.5-1.5 2.7 2.7 5.6-5.6 '
    + '1.5 1.5z';
const ARROWS = 'M12 3a9 9 0 0 1 8.5 6H18l4 5 2-7-2.2.6A11 11 0 0 0 1 11h2a9 9 0 0 1 9-8z'
    + 'M12 21a9 9 0 0 1-8.5-6H6l-4-5-2 7 2.2-.6A11 11 0 0 0 23 13h-2a9 9 0 0 1-9 8z';
const TRIANGLE = 'M12 2 1 22h22zm-1 7h2v7h-2zm0 8.5h2v2h-2z';
const SQUARE = 'M3 3h18v18H3zm4 8v2h10v-2z';
const CROSS = 'M8 2h8l6 6v8l-6 6H8l-6-6V8zm.4 5L7 8.4 10.6 12 7 15.6 8.4 17 12 13.4 15.6 17 '
    + '17 15.6 13.4 12 17 8.4 15.6 7 12 10.6z';
const BARS = 'M5 3h5v18H5zm9 0h5v18h-5z';
const RING = 'M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20zm0 3a7 7 0 1 1 0 14 7 7 0 0 1 0-14z';

/** Each state: its name, its mark, what the page advises, and commands. */
const STATES = {
  ok: {name: 'OK', mark: CHECK},
  repairing: {name: 'Repairing', mark: ARROWS},
  at_risk: {name: 'At risk', mark: TRIANGLE, advice: 'Groups without a spare unit lose data if one '
      + 'more of their units is lost. They are repaired first.'},
  stuck: {name: 'Stuck', mark: SQUARE, advice: 'There is something to repair, and nothing has '
      + 'advanced for a minute. The queue below says why groups wait.',
  orders: ['hdfs ppr -doctor']},
  data_lost: {name: 'Data lost', mark: CROSS, advice: 'Some groups have lost more units than their '
      + 'code can rebuild. Bring lost DataNodes or disks back; this command names the files:',
  orders: ['hdfs fsck / -list-corruptfileblocks']},
  paused: {name: 'Paused', mark: BARS, advice: 'A superuser has paused repairs. This ends the pause:',
    orders: ['hdfs ppr -resume']},
  not_in_charge: {name: 'Not in charge', mark: RING, advice: 'hdfs-ppr does not schedule repairs here '
      + 'now. HDFS hands them out as it does without this plugin, so lost units are still rebuilt.',
  orders: ['hdfs ppr -doctor']},
  standby: {name: 'Standby', mark: RING, advice: 'This NameNode is on standby and repairs nothing. '
      + 'Open this page on the active NameNode; this command says which one that is:',
  orders: ['hdfs haadmin -getAllServiceState']},
  starting: {name: 'Starting', mark: RING, advice: 'The NameNode is starting. Repairs begin when it has '
      + 'left safe mode.'},
};

export const stateName = (status) => (STATES[status.state] || {name: status.state}).name;

/** Returns how many groups are still to be repaired. */
const toDo = (status) => (status.groups_queued || 0) + (status.repairs_in_flight || 0);

export function showHealth(status) {
  const state = STATES[status.state] || {name: status.state, mark: RING};
  attribute(byId('health-box'), 'data-state', status.state);
  attribute(byId('health-mark'), 'd', state.mark);
  put(byId('health-state'), state.name);
  put(byId('health-headline'), status.headline || '');
  const why = status.why && !(status.headline || '').includes(status.why) && !status.in_charge
    ? status.why : '';
  put(byId('health-why'), why);
  show(byId('health-why'), why);
  put(byId('health-advice'), adviceOf(status, state));
  show(byId('health-advice'), adviceOf(status, state));
  commands(byId('health-commands'), ordersOf(status, state));
  document.title = `${state.name}${toDo(status) ? `, ${count(toDo(status))} to repair` : ''} · hdfs-ppr`;
}

function adviceOf(status, state) {
  if (status.pause && status.pause.until && status.state === 'paused') {
    return `A superuser has paused repairs until ${clock(millis(status.pause.until), true, millis(status.made))}. `
        + 'This ends the pause at once:';
  }
  if (status.left_to_stock && status.state === 'not_in_charge') {
    return 'A superuser has left all repairs to HDFS itself, which hands them out as without this plugin. '
        + 'This lets the plugin schedule them again:';
  }
  return state.advice || '';
}

function ordersOf(status, state) {
  return status.left_to_stock && status.state === 'not_in_charge' ? ['hdfs ppr -resume'] : state.orders || [];
}

function etaWords(status) {
  if (known(status.eta_s)) {
    return [duration(status.eta_s), `at this rate, until ${
      clock(millis(status.made) + status.eta_s * 1000, status.eta_s < 6000, millis(status.made))}`];
  }
  if (toDo(status) === 0) {
    return [UNKNOWN, 'nothing is to be repaired'];
  }
  if (status.listening) {
    return ['unknown', 'the NameNode still listens to the DataNodes'];
  }
  return ['unknown', status.state === 'stuck' ? 'nothing advances' : 'no rate is known yet'];
}

export function showTiles(status) {
  const busiest = (status.busiest || [])[0];
  const [eta, etaNote] = etaWords(status);
  const nodes = status.data_nodes;
  const tiles = [
    ['To repair', count(toDo(status)), `${count(status.groups_queued)} wait, `
      + `${count(status.repairs_in_flight)} of at most ${count(status.repairs_in_flight_max)} in flight`],
    ['Bytes left', bytes(status.bytes_left), 'units still to be rebuilt'],
    ['Rate', rate(status.bytes_per_s), 'rebuilt, over the last minute'],
    ['Time left', eta, etaNote],
    ['Busiest link needs', known(status.eta_bound_s) && toDo(status) ? duration(status.eta_bound_s)
      : toDo(status) ? 'unknown' : UNKNOWN,
    busiest ? `the link of ${shortNode(busiest.node)}; it cannot be faster` : 'no link is busy'],
    ['No spare unit', count(status.at_risk), `${count(status.unrecoverable)} cannot be rebuilt`,
      status.unrecoverable > 0 ? 'bad' : status.at_risk > 0 ? 'warn' : ''],
    ['DataNodes', `${count(status.agents)} of ${count(nodes)}`,
      `take part${status.quarantined > 0 ? `, ${count(status.quarantined)} kept out` : ''}`,
      status.quarantined > 0 || status.agents < nodes ? 'warn' : ''],
    ['Repaired', count(status.repairs_done), `${bytes(status.bytes_rebuilt)}, `
      + `${plural(status.repairs_failed || 0, 'attempt', 'attempts')} failed`],
  ];
  keyed(byId('tiles'), tiles, ([name]) => name,
      ([name]) => el('div', {class: 'tile'}, el('dt', {text: name}), el('dd', {class: 'figure'}),
          el('dd', {class: 'note'})),
      (tile, [, figure, note, mood]) => {
        put(tile.children[1], figure);
        put(tile.children[2], note);
        attribute(tile, 'class', mood ? `tile ${mood}` : 'tile');
      });
}

export function showIdentity(status) {
  put(byId('identity'), status.block_pool || '');
  put(byId('about'), [`hdfs-ppr ${status.software || ''}`, status.scheduler && `scheduler ${status.scheduler}`,
    known(status.term) && `term ${status.term}`, known(status.cycle) && `cycle ${status.cycle}`,
    status.lock && known(status.lock.longest_ms)
      && `namesystem lock held ${Number(status.lock.longest_ms.toFixed(1))} ms at most`,
  ].filter(Boolean).join(' · '));
  const countIn = (id, value) => put(byId(id), value > 0 ? count(value) : '');
  countIn('nav-repairs', status.repairs_in_flight);
  countIn('nav-queue', status.groups_queued);
  countIn('nav-nodes', status.data_nodes);
  countIn('nav-doubts', (status.doubted || 0) + (status.suspected || 0));
}

/** Shows lost nodes, the latest first. */
export function showLosses(status) {
  const losses = status.losses || [];
  const now = millis(status.made);
  show(byId('losses-none'), losses.length === 0);
  keyed(byId('losses-list'), losses, (loss) => `${loss.uuid} ${loss.since}`, () => el('li', {class: 'loss'},
      el('p', {class: 'loss-head'}, el('strong'), ' ', el('span')),
      el('progress', {max: '1'}), el('p', {class: 'note'})),
  (item, loss) => {
    const [head, bar, note] = item.children;
    const left = loss.groups_left || 0;
    const done = Math.max(0, (loss.groups || 0) - left);
    const share = loss.bytes > 0 ? 1 - (loss.bytes_left || 0) / loss.bytes
      : loss.groups > 0 ? done / loss.groups : 1;
    const percent = left > 0 ? Math.min(99, Math.floor(100 * share)) : 100;
    // Nodes that left together are one loss.
    const others = (loss.nodes || []).length - 1;
    const lost = others > 0 ? `${loss.node} and ${count(others)} more` : loss.node;
    put(head.firstElementChild, lost);
    put(head.lastElementChild, `lost ${clock(millis(loss.since), true, now)}`);
    attribute(bar, 'value', (percent / 100).toFixed(2));
    attribute(bar, 'aria-label', `Repair of what ${lost} had`);
    put(note, loss.ended
      ? `All ${plural(loss.groups, 'group', 'groups')} (${bytes(loss.bytes)}) whole again after ${
        duration((millis(loss.ended) - millis(loss.since)) / 1000)}`
      : `${percent} %: ${count(done)} of ${plural(loss.groups, 'group', 'groups')} whole again, `
        + `${bytes(loss.bytes_left)} of ${bytes(loss.bytes)} left, for ${
          duration((now - millis(loss.since)) / 1000)} now`);
    item.classList.toggle('ended', Boolean(loss.ended));
  });
}

const SPARE_BARS_MAX = 16;

/** Shows the queue in numbers: by spare units, and why groups wait. */
export function showQueue(status) {
  const queue = (status.queue || []).filter((row) => row.groups > 0).slice(0, SPARE_BARS_MAX);
  const most = Math.max(1, ...queue.map((row) => row.groups));
  show(byId('spare-none'), queue.length === 0);
  keyed(byId('spare'), queue, (row) => String(row.spare_units), () => el('li', {},
      el('span', {class: 'bar-name'}), el('span', {class: 'bar'}, el('span', {class: 'bar-fill'})),
      el('span', {class: 'bar-number'})),
  (item, row) => {
    const [name, bar, number] = item.children;
    put(name, row.spare_units < 0 ? 'too few units' : row.spare_units === 0 ? 'no spare unit'
      : plural(row.spare_units, 'spare unit', 'spare units'));
    put(number, plural(row.groups, 'group', 'groups'));
    bar.firstElementChild.style.width = `${Math.max(1, 100 * row.groups / most)}%`;
    attribute(item, 'class', row.spare_units < 0 ? 'bad' : row.spare_units === 0 ? 'warn' : null);
  });
  const reasons = status.reasons || [];
  show(byId('reasons-none'), reasons.length === 0);
  keyed(byId('reasons'), reasons, (reason) => reason.code, () => el('li', {},
      el('span', {class: 'bar-number'}), el('span')), (item, reason) => {
    put(item.firstElementChild, count(reason.groups));
    put(item.lastElementChild, reason.text || reason.code);
  });
  const aside = [
    status.read_degraded > 0 && `clients read ${plural(status.read_degraded, 'of these groups', 'of these groups')} now`,
    status.waiting_for_stock > 0 && `${count(status.waiting_for_stock)} wait for HDFS's own repair`,
    status.with_stock > 0 && `HDFS itself repairs ${count(status.with_stock)}`,
    status.handed_to_stock > 0 && `${count(status.handed_to_stock)} were handed to HDFS's own repair so far`,
  ].filter(Boolean).join('; ');
  put(byId('queue-aside'), aside ? `Besides: ${aside}.` : '');
  show(byId('queue-aside'), aside);
}

