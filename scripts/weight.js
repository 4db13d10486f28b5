// Measures the source: lines, tokens, sizes of files, interfaces, import cycles, and places that do what one place should.
//
//     node scripts/weight.js [folder of a checkout]
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'rolldown/utils';

const root = resolve(process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url)));
const source = join(root, 'src');
const paths = readdirSync(source, { recursive: true })
  .map((name) => join(source, String(name)))
  .filter((path) => path.endsWith('.ts'))
  .sort();
const files = paths.map((path) => {
  const text = readFileSync(path, 'utf8');
  const { program, comments } = parseSync(path, text);
  const nodes = [...nodesIn(program)];
  return { path, text, nodes, comments, lines: text.split('\n').length - 1 };
});

const sizes = files.map(({ lines }) => lines).sort((a, b) => a - b);
const imports = new Map(files.map((file) => [file.path, importsOf(file)]));
const fileCycles = cyclesOf(imports);
const interfaces = interfacesWithMethods();

printTable(
  ['Measure', 'Value'],
  [
    ['Files in `src`', files.length],
    ['Lines', sum(sizes)],
    ['Tokens, without comments and imports', sum(files.map(tokensOf))],
    ['Lines of the median file', sizes[Math.floor(sizes.length / 2)]],
    ['Lines of the longest file', sizes.at(-1)],
    ['Files of more than 460 lines', sizes.filter((lines) => lines > 460).length],
    ['Interfaces with methods', interfaces.size],
    ['Of those, with one implementation at most', [...interfaces.values()].filter((n) => n < 2).length],
    ['Cycles of files, through imports of types too', fileCycles.length],
    ['Files in the longest one', Math.max(0, ...fileCycles.map((cycle) => cycle.length))],
    ['Cycles of folders', cyclesOf(foldersOf(imports)).length],
    ['Files that call `chat.*`', files.filter(callsChat).length],
    ['Calls of `resolveAsker`', sum(files.map((file) => callsOf(file, 'resolveAsker')))],
  ],
);
const rooms = groupsOf(files, ({ path }) => relative(source, path).split('/')[0]);
printTable(
  ['Room', 'Files', 'Lines'],
  [...rooms].map(([room, inRoom]) => [`\`${room}\``, inRoom.length, sum(inRoom.map(({ lines }) => lines))]),
);

function printTable(names, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  const text = (cell) => (typeof cell === 'number' ? cell.toLocaleString('en') : cell);
  console.log(line(names));
  console.log(line(names.map((_, i) => (i === 0 ? '---' : '---:'))));
  for (const row of rows) console.log(line(row.map(text)));
  console.log();
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

function groupsOf(all, keyOf) {
  const groups = new Map();
  for (const each of all) groups.set(keyOf(each), [...(groups.get(keyOf(each)) ?? []), each]);
  return groups;
}

/** All nodes of a syntax tree, parents first. */
function* nodesIn(value) {
  if (Array.isArray(value)) for (const each of value) yield* nodesIn(each);
  else if (typeof value?.type === 'string') {
    yield value;
    for (const member of Object.values(value)) if (typeof member === 'object') yield* nodesIn(member);
  }
}

/** Words, numbers, texts and signs. What a template holds counts as one text. */
function tokensOf({ text, nodes, comments }) {
  const left = [...comments, ...nodes.filter(({ type }) => type === 'ImportDeclaration')];
  let code = text;
  const replace = ({ start, end }, text) => {
    code = code.slice(0, start) + text.padEnd(end - start) + code.slice(end);
  };
  for (const node of left) replace(node, '');
  // A quotation mark in a regular expression begins no text.
  for (const node of nodes) if (node.regex) replace(node, 'regex');
  const texts = /'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`(?:\\.|[^`\\])*`/y;
  const others = /[\w$]+|=>|\.\.\.|[-+*/%&|^<>=!?.:]+|[^\s\w]/y;
  let count = 0;
  for (let at = 0; at < code.length; ) {
    if (/\s/.test(code[at])) {
      at += 1;
      continue;
    }
    const pattern = /['"`]/.test(code[at]) ? texts : others;
    pattern.lastIndex = at;
    at += pattern.exec(code)?.[0].length ?? 1;
    count += 1;
  }
  return count;
}

/** The files of `src` from which a file imports or exports, also for types alone. */
function importsOf({ path, nodes }) {
  const sources = nodes.flatMap(({ type, source: from }) => {
    const isImport = /^(Import|Export(All|Named))Declaration$|^ImportExpression$|^TSImportType$/.test(type);
    return isImport && typeof from?.value === 'string' && from.value.startsWith('.') ? [from.value] : [];
  });
  const targets = sources.map((from) => resolve(dirname(path), from.replace(/\.js$/, '.ts')));
  return new Set(targets.filter((target) => paths.includes(target)));
}

/** The same graph between folders. */
function foldersOf(graph) {
  const folders = new Map();
  for (const [from, targets] of graph) {
    const folder = dirname(from);
    const others = [...targets].map((target) => dirname(target)).filter((other) => other !== folder);
    folders.set(folder, new Set([...(folders.get(folder) ?? []), ...others]));
  }
  return folders;
}

/** Groups of nodes that reach each other (strongly connected components, by Tarjan), of two nodes or more. */
function cyclesOf(graph) {
  const [index, low, stack, cycles] = [new Map(), new Map(), [], []];
  const visit = (node) => {
    index.set(node, index.size);
    low.set(node, index.get(node));
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!index.has(next)) visit(next);
      if (stack.includes(next)) low.set(node, Math.min(low.get(node), low.get(next)));
    }
    if (low.get(node) !== index.get(node)) return;
    const cycle = stack.splice(stack.indexOf(node));
    if (cycle.length > 1) cycles.push(cycle);
  };
  for (const node of graph.keys()) if (!index.has(node)) visit(node);
  return cycles;
}

/** Names of interfaces that have a method, with the number of places that declare to make one. */
function interfacesWithMethods() {
  const counts = new Map();
  const isMethod = ({ type, typeAnnotation }) =>
    type === 'TSMethodSignature' || typeAnnotation?.typeAnnotation?.type === 'TSFunctionType';
  const all = files.flatMap(({ nodes }) => nodes);
  for (const { type, id, body } of all)
    if (type === 'TSInterfaceDeclaration' && body.body.some(isMethod)) counts.set(id.name, 0);
  for (const { type, id, returnType, implements: of = [], init } of all) {
    const made = [];
    if (/Function/.test(type) && returnType) made.push(returnType);
    if (type === 'ClassDeclaration') made.push(...of);
    if (type === 'VariableDeclarator' && init?.type === 'ObjectExpression') made.push(id.typeAnnotation);
    const names = [...nodesIn(made)].flatMap(({ type: kind, name }) => (kind === 'Identifier' ? [name] : []));
    for (const name of new Set(names)) if (counts.has(name)) counts.set(name, counts.get(name) + 1);
  }
  return counts;
}

/** True for `client.chat.postMessage(...)` and its like. */
function callsChat({ nodes }) {
  return nodes.some(
    ({ type, object }) =>
      type === 'MemberExpression' && object.type === 'MemberExpression' && object.property.name === 'chat',
  );
}

function callsOf({ nodes }, name) {
  return nodes.filter(({ type, callee }) => type === 'CallExpression' && callee.name === name).length;
}
