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

// Small tools to change the document. Text from the server enters it as text, never as markup.

const SVG = 'http://www.w3.org/2000/svg';

export const byId = (id) => document.getElementById(id);

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (name === 'text') {
      node.textContent = value;
    } else if (value !== null && value !== undefined && value !== false) {
      node.setAttribute(name, value === true ? '' : value);
    }
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

/** Makes an HTML element. The attribute "text" is its text; children are nodes or strings. */
export function el(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** Makes an SVG element. */
export function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

/** Sets a text, and leaves the document alone if it is there already. */
export function put(node, text) {
  const string = String(text);
  if (node.textContent !== string) {
    node.textContent = string;
  }
}

export function attribute(node, name, value) {
  if (value === null || value === undefined) {
    node.removeAttribute(name);
  } else if (node.getAttribute(name) !== String(value)) {
    node.setAttribute(name, value);
  }
}

export function show(node, visible) {
  if (node.hidden === Boolean(visible)) {
    node.hidden = !visible;
  }
}

const kept = new WeakMap();

/**
 * Makes the children of an element follow a list. Nodes are kept for as long as their key is in the
 * list, so focus, opened rows and selected text survive. Children that were there before (a table's
 * caption and head) stay in front.
 *
 * @param {Element} parent holds one node for each item
 * @param {Array} items what to show, in order; keys are unique, later items of a key are left out
 * @param {function(Object): string} key names an item
 * @param {function(Object): Element} make makes the node of a new item
 * @param {function(Element, Object)} update brings a node up to date; called for new ones, too
 */
export function keyed(parent, items, key, make, update) {
  let nodes = kept.get(parent);
  if (!nodes) {
    nodes = {byKey: new Map(), last: parent.lastElementChild};
    kept.set(parent, nodes);
  }
  const wanted = new Map();
  for (const item of items) {
    const name = key(item);
    if (!wanted.has(name)) {
      wanted.set(name, item);
    }
  }
  for (const [name, node] of nodes.byKey) {
    if (!wanted.has(name)) {
      node.remove();
      nodes.byKey.delete(name);
    }
  }
  const focused = document.activeElement;
  let next = nodes.last ? nodes.last.nextElementSibling : parent.firstElementChild;
  for (const [name, item] of wanted) {
    let node = nodes.byKey.get(name);
    if (!node) {
      node = make(item);
      nodes.byKey.set(name, node);
    }
    update(node, item);
    if (node === next) {
      next = next.nextElementSibling;
    } else {
      parent.insertBefore(node, next);
    }
  }
  if (focused && focused !== document.activeElement && parent.contains(focused)) {
    focused.focus({preventScroll: true});
  }
}

/** Copies a text. Without TLS browsers have no clipboard API, and the old way is used. */
async function copy(text) {
  if (navigator.clipboard && window.isSecureContext) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const area = el('textarea', {class: 'unseen', readonly: true, 'aria-hidden': 'true'});
  area.value = text;
  document.body.append(area);
  const focused = document.activeElement;
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  focused.focus({preventScroll: true});
  if (!done) {
    throw new Error('the browser refused to copy');
  }
}

const COPIED_MS = 2000;

function commandItem(command) {
  const button = el('button', {type: 'button', class: 'copy', 'aria-label': `Copy ${command}`,
    text: 'Copy'});
  const item = el('li', {class: 'command'}, el('code', {text: command}), button);
  button.addEventListener('click', async () => {
    let answer = 'Copied';
    try {
      await copy(command);
    } catch (e) {
      answer = 'Select it by hand';
    }
    put(button, answer);
    say(answer);
    setTimeout(() => put(button, 'Copy'), COPIED_MS);
  });
  return item;
}

/** Shows commands to copy, in a list. */
export function commands(list, texts) {
  keyed(list, texts, (text) => text, commandItem, () => {});
  show(list, texts.length > 0);
}

/** Makes a list of commands. */
export function commandList(texts) {
  const list = el('ul', {class: 'commands', 'aria-label': 'Commands'});
  commands(list, texts);
  return list;
}

/** Has screen readers say a sentence. */
export function say(sentence) {
  put(byId('spoken'), sentence);
}

/** Shows names and values. A value is a text or a node; nulls are left out. */
export function facts(list, rows) {
  keyed(list, rows.filter(([, value]) => value !== null && value !== undefined), ([name]) => name,
      ([name]) => el('div', {}, el('dt', {text: name}), el('dd')),
      (node, [, value]) => put(node.lastElementChild, value));
}
