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

// The nodes as a heat map: a cell for each node, racks as groups. A cell has its number as text,
// and its state as text; the shade only repeats the number.

import {el, put, attribute, show, keyed, facts, commands, commandList} from './dom.js';
import {known, bytes, rate, shortBytes, shortSeconds, duration, count, plural, shortNode, byName,
  UNKNOWN}
  from './words.js';
import {LongList} from './longlist.js';

const SHADES = 5;
const BIG_CELLS_MAX = 60;
const SILENT_S = 10;

/** What a cell may show. Short words are for cells, long ones for sentences. */
const MEASURES = [
  {name: 'busy', label: 'Link busy', of: (n) => n.busy_s, short: shortSeconds, long: duration},
  {name: 'send', label: 'To send', of: (n) => n.pending_up_bytes, short: shortBytes, long: bytes},
  {name: 'receive', label: 'To receive', of: (n) => n.pending_down_bytes, short: shortBytes,
    long: bytes},
  {name: 'sends', label: 'Sends', of: (n) => n.up_bytes_per_s, short: shortBytes, long: rate},
  {name: 'receives', label: 'Receives', of: (n) => n.down_bytes_per_s, short: shortBytes,
    long: rate},
];

/** Returns a node's state in a word for the style sheet, and in words for people. */
export function nodeState(node) {
  if (node.quarantined) {
    return ['kept-out', `kept out: ${node.quarantined}`];
  }
  if (!node.takes_part) {
    return ['absent', 'does not take part'];
  }
  if (known(node.last_heartbeat_s) && node.last_heartbeat_s > SILENT_S) {
    return ['silent', `silent for ${duration(node.last_heartbeat_s)}`];
  }
  return ['takes-part', 'takes part'];
}

const MARKS = {'kept-out': '✕', absent: '○', silent: '?', 'takes-part': ''};

export class NodeMap {
  constructor(parts) {
    this.parts = parts;
    this.nodes = [];
    this.measure = MEASURES[0];
    this.chosen = null;
    this.current = null;
    this.cells = new Map();
    this.table = new LongList(parts.table, parts.more, 'nodes', {
      key: (node) => node.uuid, make: () => tableRow(), update: fillRow});
    this.choices();
    parts.find.addEventListener('input', () => this.draw());
    parts.tableBox.addEventListener('toggle', () => this.drawTable());
    parts.heat.addEventListener('click', (event) => {
      const cell = event.target.closest('[role=option]');
      if (cell) {
        this.stand(cell, false);
        this.choose(cell.dataset.uuid);
      }
    });
    parts.heat.addEventListener('keydown', (event) => this.key(event));
  }

  choices() {
    for (const measure of MEASURES) {
      const input = el('input', {type: 'radio', name: 'measure', value: measure.name,
        checked: measure === this.measure});
      input.addEventListener('change', () => {
        this.measure = measure;
        this.draw();
      });
      this.parts.measure.append(el('label', {}, input, el('span', {text: measure.label})));
    }
  }

  show(nodes) {
    this.nodes = nodes;
    this.draw();
  }

  found() {
    const wanted = this.parts.find.value.trim().toLowerCase();
    return wanted === '' ? this.nodes : this.nodes.filter(
        (node) => `${node.node} ${node.rack || ''}`.toLowerCase().includes(wanted));
  }

  draw() {
    const {heat, none, hint} = this.parts;
    const nodes = this.found();
    put(none, this.nodes.length === 0 ? 'No DataNode is known yet.' : 'No node has this in its name or rack.');
    show(none, nodes.length === 0);
    show(heat, nodes.length > 0);
    show(hint, nodes.length > 0);
    this.top = Math.max(0, ...this.nodes.map(this.measure.of).filter(known));
    heat.classList.toggle('small', this.nodes.length > BIG_CELLS_MAX);
    const racks = new Map();
    for (const node of nodes) {
      const rack = node.rack || 'no rack';
      if (!racks.has(rack)) {
        racks.set(rack, []);
      }
      racks.get(rack).push(node);
    }
    const sorted = [...racks].sort(([a], [b]) => byName(a, b));
    this.cells.clear();
    keyed(heat, sorted, ([rack]) => rack, ([rack]) => rackGroup(rack), (group, [rack, members]) => {
      const [name, size] = group.firstElementChild.children;
      put(name, rack);
      put(size, plural(members.length, 'node', 'nodes'));
      members.sort((a, b) => byName(a.node, b.node));
      keyed(group.lastElementChild, members, (node) => node.uuid, newCell,
          (cell, node) => this.fill(cell, node));
    });
    this.legend();
    this.rove();
    this.detail();
    this.drawTable();
  }

  fill(cell, node) {
    const value = this.measure.of(node);
    const [state, words] = nodeState(node);
    const shade = !(value > 0) || !(this.top > 0) ? 0 : Math.max(1, Math.ceil(SHADES * value / this.top));
    attribute(cell, 'class', `cell shade-${shade} ${state}`);
    attribute(cell, 'aria-selected', String(node.uuid === this.chosen));
    const [name, number] = cell.children;
    put(name, shortNode(node.node));
    put(number, MARKS[state] || this.measure.short(value));
    const label = `${node.node}, ${this.measure.label.toLowerCase()} ${this.measure.long(value)}, ${words}`;
    attribute(cell, 'aria-label', label);
    attribute(cell, 'title', label);
    this.cells.set(node.uuid, cell);
  }

  legend() {
    const rows = [{key: '0', shade: 'cell shade-0', text: 'nothing'}];
    for (let i = 1; i <= SHADES && this.top > 0; i++) {
      rows.push({key: String(i), shade: `cell shade-${i}`,
        text: `${i === SHADES ? 'up to' : '≤'} ${this.measure.long(this.top * i / SHADES)}`});
    }
    const states = new Set(this.nodes.map((node) => nodeState(node)[0]));
    const words = {'kept-out': 'kept out', absent: 'does not take part', silent: 'silent'};
    for (const state of Object.keys(words)) {
      if (states.has(state)) {
        rows.push({key: state, shade: `cell ${state}`, mark: MARKS[state], text: words[state]});
      }
    }
    show(this.parts.legend, this.nodes.length > 0);
    keyed(this.parts.legend, rows, (row) => row.key,
        () => el('li', {}, el('span', {'aria-hidden': 'true'}), el('span')), (item, row) => {
          attribute(item.firstElementChild, 'class', `swatch ${row.shade}`);
          put(item.firstElementChild, row.mark || '');
          put(item.lastElementChild, row.text);
        });
  }

  /** Keeps exactly one cell within reach of the Tab key. */
  rove() {
    if (!this.cells.has(this.current)) {
      const first = this.parts.heat.querySelector('[role=option]');
      this.current = first ? first.dataset.uuid : null;
    }
    for (const [uuid, cell] of this.cells) {
      attribute(cell, 'tabindex', uuid === this.current ? '0' : '-1');
    }
  }

  stand(cell, focus) {
    const before = this.cells.get(this.current);
    if (before) {
      attribute(before, 'tabindex', '-1');
    }
    this.current = cell.dataset.uuid;
    attribute(cell, 'tabindex', '0');
    if (focus) {
      cell.focus();
    }
  }

  key(event) {
    const cell = event.target.closest('[role=option]');
    if (!cell || event.altKey || event.ctrlKey || event.metaKey) {
      return;
    }
    const all = [...this.parts.heat.querySelectorAll('[role=option]')];
    const here = all.indexOf(cell);
    let to = null;
    switch (event.key) {
      case 'ArrowRight': to = all[here + 1]; break;
      case 'ArrowLeft': to = all[here - 1]; break;
      case 'ArrowDown': to = below(all, here, 1); break;
      case 'ArrowUp': to = below(all, here, -1); break;
      case 'Home': to = all[0]; break;
      case 'End': to = all[all.length - 1]; break;
      case 'Enter':
      case ' ': this.choose(cell.dataset.uuid); break;
      default: return;
    }
    event.preventDefault();
    if (to) {
      this.stand(to, true);
    }
  }

  /** Opens a node's numbers, or closes them if they are open. */
  choose(uuid) {
    this.chosen = this.chosen === uuid ? null : uuid;
    for (const [name, cell] of this.cells) {
      attribute(cell, 'aria-selected', String(name === this.chosen));
    }
    this.detail();
  }

  detail() {
    const box = this.parts.detail;
    const node = this.nodes.find((one) => one.uuid === this.chosen);
    show(box, Boolean(node));
    if (!node) {
      return;
    }
    if (!box.firstElementChild) {
      box.append(el('h3'), el('dl', {class: 'facts'}), commandList([]));
    }
    const [title, list, orders] = box.children;
    put(title, node.node);
    facts(list, [
      ['State', nodeState(node)[1]],
      ['Rack', node.rack],
      ['Link busy with what is planned', duration(node.busy_s)],
      ['To send', bytes(node.pending_up_bytes)],
      ['To receive', bytes(node.pending_down_bytes)],
      ['Sends now', rate(node.up_bytes_per_s)],
      ['Receives now', rate(node.down_bytes_per_s)],
      ['Link', rate(node.link_bytes_per_s)],
      ['Helps in', plural(node.helping ?? 0, 'repair', 'repairs')],
      ['Writes for', plural(node.repairs_as_destination ?? 0, 'repair', 'repairs')],
      ['hdfs-ppr', node.software || (node.takes_part ? 'version unknown' : 'not there')],
      ['Kernel', node.kernel || UNKNOWN],
      ['Last heard', known(node.last_heartbeat_s) ? `${duration(node.last_heartbeat_s)} ago` : 'never'],
      ['DataNode id', node.uuid],
    ]);
    commands(orders, node.quarantined ? [`hdfs ppr -readmit ${node.node}`]
      : node.takes_part ? [] : ['hdfs ppr -doctor']);
  }

  drawTable() {
    if (this.parts.tableBox.open) {
      const by = this.measure.of;
      this.table.show([...this.found()].sort((a, b) => (by(b) ?? -1) - (by(a) ?? -1)
          || byName(a.node, b.node)));
    }
  }
}

function rackGroup(rack) {
  const id = `rack-${rack.replace(/[^A-Za-z0-9]/g, '_')}-${rackGroup.next++}`;
  return el('div', {class: 'rack', role: 'group', 'aria-labelledby': id},
      el('div', {class: 'rack-name', id, role: 'presentation'},
          el('span', {class: 'rack-id'}), ' ', el('span', {class: 'rack-size'})), el('div', {class: 'cells', role: 'presentation'}));
}
rackGroup.next = 0;

function newCell(node) {
  return el('div', {role: 'option', 'data-uuid': node.uuid},
      el('span', {class: 'cell-name'}), el('span', {class: 'cell-number'}));
}

/** Returns the cell nearest to the one at an index in the next line above or below. */
function below(cells, here, direction) {
  const from = cells[here].getBoundingClientRect();
  const middle = from.left + from.width / 2;
  let best = null;
  let line = null;
  for (let i = here + direction; i >= 0 && i < cells.length; i += direction) {
    const box = cells[i].getBoundingClientRect();
    if (Math.abs(box.top - from.top) < 2) {
      continue;
    }
    line = line === null ? box.top : line;
    if (Math.abs(box.top - line) >= 2) {
      break;
    }
    const away = Math.abs(box.left + box.width / 2 - middle);
    if (best === null || away < best.away) {
      best = {away, cell: cells[i]};
    }
  }
  return best && best.cell;
}

function tableRow() {
  const row = el('tr', {}, el('th', {scope: 'row'}));
  for (let i = 0; i < 13; i++) {
    row.append(el('td', {class: i >= 2 && i <= 9 || i === 12 ? 'n' : null}));
  }
  return el('tbody', {}, row);
}

function fillRow(body, node) {
  const [state, words] = nodeState(node);
  const values = [node.node, node.rack || UNKNOWN, words, duration(node.busy_s),
    bytes(node.pending_up_bytes), bytes(node.pending_down_bytes), rate(node.up_bytes_per_s),
    rate(node.down_bytes_per_s), rate(node.link_bytes_per_s), count(node.helping),
    count(node.repairs_as_destination), node.software || UNKNOWN, node.kernel || UNKNOWN,
    known(node.last_heartbeat_s) ? duration(node.last_heartbeat_s) : UNKNOWN];
  attribute(body, 'class', state);
  values.forEach((value, i) => put(body.firstElementChild.children[i], value));
}
