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

// The tree of a repair, drawn like a map of railway lines: the node that writes is on top, a chain
// is one straight line, and each branch has a column of its own. Sums travel upwards.

import {el, svg} from './dom.js';

const ROW = 30;
const COLUMN = 26;
const EDGE = 14;
const LETTER = 7.3;

const unitWords = (units) => (units.length === 1 ? `unit ${units[0]}` : `units ${units.join(', ')}`);

/** Returns the nodes in the order in which they are drawn, each with its row, column, parent. */
export function layOut(tree) {
  const rows = [];
  const visit = (node, column, parent) => {
    const place = {node, column, parent, row: rows.length};
    rows.push(place);
    const children = node.children || [];
    for (const child of children) {
      visit(child, children.length === 1 ? column : column + 1, place);
    }
  };
  visit(tree, 0, null);
  return rows;
}

/** Says what a tree does, a sentence for each node that receives sums. */
export function treeInWords(tree, written) {
  const sentences = [];
  for (const {node, parent} of layOut(tree)) {
    const from = (node.children || []).map((child) => child.node);
    const own = (node.units || []).length ? ` and adds its own ${unitWords(node.units)}` : '';
    if (!parent) {
      sentences.push(`${node.node} writes ${unitWords(written)}`
          + (from.length ? ` from what ${from.join(' and ')} send.` : '.'));
    } else if (from.length) {
      sentences.push(`${node.node} receives from ${from.join(' and ')}${own}.`);
    } else {
      sentences.push(`${node.node} sends its ${unitWords(node.units || [])}.`);
    }
  }
  return sentences.join(' ');
}

function label({node, parent}, written) {
  if (!parent) {
    return `writes ${unitWords(written)}`;
  }
  return (node.units || []).length ? `adds ${unitWords(node.units)}` : 'adds up';
}

/**
 * Draws a tree.
 *
 * @param {Object} tree node, units, children
 * @param {Array<number>} written the units that the root writes
 * @return {Element} the drawing, with its words for those who do not see it
 */
export function drawTree(tree, written) {
  const rows = layOut(tree);
  const columns = Math.max(...rows.map((place) => place.column)) + 1;
  const x = (place) => EDGE + place.column * COLUMN;
  const y = (place) => EDGE + place.row * ROW;
  const lines = svg('g', {class: 'rails'});
  const dots = svg('g', {class: 'stations'});
  const texts = svg('g', {class: 'signs'});
  let width = 0;
  for (const place of rows) {
    const {parent, node} = place;
    if (parent) {
      lines.append(svg('path', {d: parent.column === place.column
        ? `M${x(place)} ${y(place)}V${y(parent)}`
        : `M${x(place)} ${y(place)}H${x(parent) + 8}Q${x(parent)} ${y(place)} ${x(parent)} `
          + `${y(place) - 8}V${y(parent)}`}));
      // An arrow says which way the sums go.
      const tip = parent.column === place.column ? [x(parent), (y(place) + y(parent)) / 2 - 3]
        : [x(parent), y(place) - 15];
      lines.append(svg('path', {class: 'arrow',
        d: `M${tip[0] - 4} ${tip[1] + 5}L${tip[0]} ${tip[1]}L${tip[0] + 4} ${tip[1] + 5}`}));
    }
    dots.append(parent ? svg('circle', {cx: x(place), cy: y(place), r: 5})
      : svg('rect', {x: x(place) - 6, y: y(place) - 6, width: 12, height: 12, rx: 2}));
    const words = label(place, written);
    texts.append(svg('text', {x: x(place) + 14, y: y(place) + 4},
        svg('tspan', {class: 'name', text: node.node}),
        svg('tspan', {class: 'does', dx: 8, text: words})));
    width = Math.max(width, x(place) + 30 + (String(node.node).length + words.length) * LETTER);
  }
  const height = 2 * EDGE + (rows.length - 1) * ROW;
  const picture = svg('svg', {width: Math.ceil(width), height, 'aria-hidden': 'true',
    focusable: 'false', class: 'tree', 'data-columns': columns}, lines, dots, texts);
  return el('figure', {class: 'tree-box'},
      el('div', {class: 'scroll', tabindex: '0', role: 'group',
        'aria-label': `The tree to ${tree.node}`}, picture,
          el('p', {class: 'unseen', text: treeInWords(tree, written)})),
      el('figcaption', {text: 'Sums travel upwards. Each node adds its own unit to what it receives.'}));
}
