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

// The lists: repairs in flight, waiting groups, doubts; and the explanation of one group.

import {byId, el, put, attribute, show, facts, commands, commandList, keyed} from './dom.js';
import {known, count, plural, duration, clock, millis} from './words.js';
import {drawTree} from './tree.js';
import {read, Refused} from './feed.js';
import {LongList, openingRow} from './longlist.js';

/** How many rows a table has at first: enough to see what is going on, few enough to scroll past. */
const FIRST = 12;

/** The present time by the NameNode's clock, in milliseconds. The status sets it. */
let now = NaN;

export function setNow(millisNow) {
  now = millisNow;
}

const age = (iso) => duration(Number.isFinite(now) && iso ? Math.max(0, (now - millis(iso)) / 1000) : null);
const unitList = (units) => (units || []).join(', ');

// ---- repairs in flight

const repairs = {};

function repairRow(repair) {
  const body = openingRow(repair.group, ['', 'wide', 'wide', 'wide', 'wide', 'wide n', 'progress'],
      (inside) => {
        const trees = el('div');
        const list = el('dl', {class: 'facts'});
        const orders = commandList([]);
        inside.append(trees, list, orders);
        let drawn = null;
        return (one) => {
          // The tree of a repair is drawn again only if an attempt has changed it.
          const shape = JSON.stringify(one.tree || null);
          if (shape !== drawn) {
            drawn = shape;
            trees.replaceChildren(one.tree ? drawTree(one.tree, one.units || [])
              : el('p', {class: 'note', text: 'The NameNode names no tree for this repair.'}));
          }
          facts(list, [
            ['Repair', one.id],
            ['Policy', one.policy],
            ['State', one.state],
            ['Written by', one.destination ? one.destination.node : null],
            ['Started', clock(millis(one.started), true, now)],
            ['Given up at', clock(millis(one.deadline), true, now)],
          ]);
          commands(orders, [`hdfs ppr -explain ${one.group}`, `hdfs fsck -blockId ${one.group}`]);
        };
      });
  body.cells[6].append(el('progress', {max: '100'}), el('span', {class: 'percent'}));
  return body;
}

function fillRepair(body, repair) {
  const [units, policy, destination, topology, state, runs, progress] = body.cells;
  put(units, unitList(repair.units));
  put(policy, repair.policy || '');
  put(destination, repair.destination ? repair.destination.node : '');
  put(topology, repair.topology || '');
  put(state, repair.state || '');
  put(runs, age(repair.started));
  const done = known(repair.done_percent) ? Math.floor(repair.done_percent) : null;
  const [bar, percent] = progress.children;
  attribute(bar, 'value', done ?? 0);
  attribute(bar, 'aria-label', `Repair of ${repair.group}`);
  put(percent, done === null ? 'begins' : `${done} %`);
  body.follow(repair);
}

export function showRepairs(news) {
  const list = news.repairs || [];
  repairs.list = repairs.list || new LongList(byId('repairs-table'), byId('repairs-more'), 'repairs',
      {key: (one) => one.id, make: repairRow, update: fillRepair}, FIRST);
  show(byId('repairs-none'), list.length === 0);
  show(byId('repairs-table'), list.length > 0);
  repairs.list.show(list, news.total);
}

// ---- waiting groups

const groups = {};

function groupRow(group) {
  const body = openingRow(group.group, ['n', 'wide', 'wide', 'wide n', 'wide n', 'wide reason'], (inside) => {
    const answer = el('div', {class: 'explanation'});
    const list = el('dl', {class: 'facts'});
    inside.append(answer, list);
    const explanation = new Explanation(answer);
    explanation.ask(group.group);
    return (one) => {
      facts(list, [
        ['Policy', one.policy],
        ['Lost units', unitList(one.lost_units)],
        ['Waits since', clock(millis(one.since), true, now)],
        ['Failed attempts', count(one.failures)],
        ['Next attempt', one.next_try ? clock(millis(one.next_try), true, now) : null],
        ['Clients read it now', one.read_degraded ? 'yes' : null],
        ['Put first by a superuser', one.prioritized ? 'yes' : null],
      ]);
      explanation.orders(one.prioritized ? [`hdfs fsck -blockId ${one.group}`]
        : [`hdfs ppr -prioritize ${one.group}`, `hdfs fsck -blockId ${one.group}`]);
    };
  });
  // A narrow screen has no room for a column of sentences: there they stand below the block id.
  body.head.append(el('span', {class: 'narrow'}));
  body.cells[5].append(el('span', {class: 'why'}), el('span', {class: 'tags'}));
  return body;
}

function fillGroup(body, group) {
  const [spare, policy, lost, waits, failures, reason] = body.cells;
  put(spare, count(group.spare_units));
  put(policy, group.policy || '');
  put(lost, unitList(group.lost_units));
  put(waits, age(group.since));
  put(failures, count(group.failures));
  put(reason.firstElementChild, group.text || group.reason || '');
  put(body.head.lastElementChild, group.text || group.reason || '');
  const tags = [group.prioritized && 'first by command', group.read_degraded && 'read now'].filter(Boolean);
  keyed(reason.lastElementChild, tags, (tag) => tag, (tag) => el('span', {class: 'tag', text: tag}), () => {});
  attribute(body, 'class', group.spare_units < 0 ? 'bad' : group.spare_units === 0 ? 'warn' : null);
  body.follow(group);
}

export function showGroups(news) {
  const list = news.groups || [];
  groups.list = groups.list || new LongList(byId('groups-table'), byId('groups-more'), 'groups',
      {key: (one) => one.group, make: groupRow, update: fillGroup}, FIRST);
  show(byId('groups-table'), list.length > 0);
  groups.list.show(list, news.total);
}

// ---- why is a group not repaired

/** Asks the NameNode about a group, and shows the answer. */
export class Explanation {
  constructor(box) {
    this.text = el('p', {class: 'explained'});
    this.tried = el('ul', {class: 'tried', 'aria-label': 'What was tried'});
    this.next = el('p', {class: 'next'});
    this.list = commandList([]);
    this.own = [];
    this.answered = [];
    box.append(this.text, this.tried, this.next, this.list);
  }

  /** Names the commands that are shown besides those of the answer. */
  orders(own) {
    this.own = own;
    commands(this.list, [...new Set([...this.answered, ...own])]);
  }

  async ask(block) {
    put(this.text, 'Asking the NameNode …');
    let answer;
    try {
      answer = (await read(`v1/explain/${encodeURIComponent(block)}`, null)).document;
    } catch (e) {
      if (!(e instanceof Refused)) {
        throw e;
      }
      answer = {text: e.status === 404 && !e.message ? 'This NameNode gives no explanations.'
        : `The NameNode gave no explanation: ${e.message || `status ${e.status}`}.`};
    }
    this.show(answer);
  }

  show(answer) {
    put(this.text, answer.text || '');
    keyed(this.tried, answer.tried || [], (tried) => tried, (tried) => el('li', {text: tried}), () => {});
    show(this.tried, (answer.tried || []).length > 0);
    put(this.next, answer.next ? `Next: ${answer.next}` : '');
    show(this.next, answer.next);
    this.answered = answer.commands || [];
    this.orders(this.own);
  }
}

/** Lets people ask about any group by its block id. */
export function askForm() {
  const box = byId('ask-answer');
  const title = el('h3');
  box.append(title);
  const explanation = new Explanation(box);
  byId('ask').addEventListener('submit', (event) => {
    event.preventDefault();
    const field = byId('ask-block');
    const block = field.value.trim();
    show(box, true);
    if (!/^blk_-?\d+$/.test(block)) {
      put(title, block || 'No block');
      explanation.show({text: 'A block id looks like blk_-9223372036854775792.'});
      attribute(field, 'aria-invalid', 'true');
      field.focus();
      return;
    }
    attribute(field, 'aria-invalid', null);
    put(title, block);
    explanation.orders([]);
    explanation.ask(block);
  });
}

// ---- doubts

const doubts = {};

function doubtItem() {
  return el('li', {class: 'doubt'},
      el('p', {class: 'doubt-head'}, el('span', {class: 'id'}), ' ', el('span', {class: 'tag warn'}), ' ',
          el('span', {class: 'note'})),
      el('p'), el('p', {class: 'note'}), commandList([]));
}

function fillDoubt(item, doubt) {
  const [head, text, suspects, orders] = item.children;
  put(head.children[0], doubt.group);
  put(head.children[1], doubt.certain ? 'doubted' : 'suspected');
  put(head.children[2], `for ${age(doubt.since)}, since ${clock(millis(doubt.since), true, now)}`);
  put(text, doubt.text || '');
  const units = (doubt.suspected_units || []).map((one) => `${one.unit} (${one.block} on ${one.node || 'a node that has left'})`);
  put(suspects, units.length ? `${plural(units.length, 'unit', 'units')} to inspect: ${units.join(', ')}` : '');
  commands(orders, [`hdfs ppr -explain ${doubt.group}`, `hdfs fsck -blockId ${doubt.group}`,
    ...(doubt.certain ? [`hdfs ppr -undoubt ${doubt.group}`] : [])]);
}

export function showDoubts(news) {
  const list = news.doubts || [];
  doubts.list = doubts.list || new LongList(byId('doubts-list'), byId('doubts-more'), 'groups',
      {key: (one) => one.group, make: doubtItem, update: fillDoubt});
  show(byId('doubts-none'), list.length === 0);
  doubts.list.show(list, news.total);
}
