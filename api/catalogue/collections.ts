import { catalogue } from './catalogue.ts';
import { bankOf, type Json, type Scenario, type Step } from './scenario.ts';

/** One request of a story, for any client. `{{name}}` stands for a value that an earlier one kept. */
interface Call {
  readonly title: string;
  readonly method: Step['method'];
  /** Behind `{{baseUrl}}`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string | null;
  /** What is expected, and kept; without a status any is. */
  readonly check: Partial<Step['expect']> & Pick<Step, 'keep'>;
}

/**
 * Compares an answer with `step`, and keeps values of it. A client names `status`, `body`, `check`, `expect`, `get` and
 * `set` before.
 */
const judge = `const at = (path) => path.split('.').reduce((found, name) => (typeof found === 'object' && found !== null ? found[name] : undefined), body);
const fill = (value) => JSON.parse(JSON.stringify(value).replace(/\\{\\{(\\w+)\\}\\}/g, (_, name) => get(name)));
const { members = {}, matches = {}, absent = [], keep = {} } = step;
if (step.status !== undefined) check('status ' + step.status, () => expect(status).to.equal(step.status));
for (const [path, value] of Object.entries(members)) check(path, () => expect(at(path)).to.eql(fill(value)));
for (const [path, pattern] of Object.entries(matches)) check(path, () => expect(String(at(path))).to.match(new RegExp(pattern)));
for (const path of absent) check('no ' + path, () => expect(at(path)).to.equal(undefined));
for (const [name, { at: path, match }] of Object.entries(keep)) {
  const found = at(path);
  const text = typeof found === 'object' ? JSON.stringify(found) : String(found);
  set(name, match === undefined ? text : (new RegExp(match).exec(text) || [])[1]);
}`;

const ofPostman = `const status = pm.response.code;
let body;
try { body = pm.response.json(); } catch (error) { body = pm.response.text(); }
const check = pm.test, expect = pm.expect, { get, set } = { get: (name) => pm.collectionVariables.get(name), set: (name, value) => pm.collectionVariables.set(name, value) };`;
const ofBruno = `const status = res.getStatus(), body = res.getBody(), check = test;
const { get, set } = { get: (name) => bru.getVar(name), set: (name, value) => bru.setVar(name, value) };`;
const ofHttp = `const status = response.status, body = response.body, check = (name, run) => client.test(name, run);
const { get, set } = { get: (name) => client.global.get(name), set: (name, value) => client.global.set(name, value) };
const same = (one, other) => client.assert(JSON.stringify(one) === JSON.stringify(other));
const expect = (found) => ({ to: { equal: (one) => same(found, one), eql: (one) => same(found, one), match: (pattern) => client.assert(pattern.test(found)) } });`;

/**
 * The stories as collections of API clients, by path: `sandbank.postman_collection.json`, `sandbank.http`, and a folder
 * `bruno`. Each story is a folder, whose requests run from top to bottom in a bank of their own. `address` is that of
 * the server.
 */
export function collections(address: string): ReadonlyMap<string, string> {
  const stories = catalogue().map((scenario) => ({ scenario, calls: callsOf(scenario) }));
  const item = stories.map(({ scenario, calls }) => ({
    name: scenario.name,
    description: scenario.title,
    item: calls.map(postmanOf),
  }));
  const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
  const postman = { info: { name: 'Sandbank', schema }, variable: [{ key: 'baseUrl', value: address }], item };
  const http = stories.flatMap(({ scenario, calls }) => [
    `### ${scenario.name}: ${scenario.title}`,
    ...calls.map(httpOf),
  ]);
  return new Map([
    ['sandbank.postman_collection.json', JSON.stringify(postman, null, 1)],
    ['sandbank.http', [`@baseUrl = ${address}`, ...http].join('\n\n')],
    ['bruno/bruno.json', JSON.stringify({ version: '1', name: 'Sandbank', type: 'collection' })],
    ['bruno/collection.bru', block('vars:pre-request', `baseUrl: ${address}`)],
    ...stories.flatMap(({ scenario, calls }) =>
      calls.map(
        (call, at) => [`bruno/${scenario.name}/${String(at + 1).padStart(2, '0')}.bru`, brunoOf(call, at + 1)] as const,
      ),
    ),
  ]);
}

/** The calls of a story, in a bank that the first two make and the last removes. */
function callsOf(scenario: Scenario): readonly Call[] {
  const json = { 'content-type': 'application/json' };
  const name = `story-${scenario.name}`;
  const removed = { method: 'DELETE', path: `/sandbox/banks/${name}`, headers: {}, body: null } as const;
  const made = JSON.stringify({ name, ...bankOf(scenario) }, null, 2);
  return [
    { ...removed, title: 'What an earlier run left', check: {} },
    {
      title: 'A bank of its own',
      method: 'POST',
      path: '/sandbox/banks',
      headers: json,
      body: made,
      check: { status: 200 },
    },
    ...scenario.steps.map(
      ({ says, method, path, headers = {}, body, expect: { members = {}, ...expected }, keep = {} }): Call => ({
        title: says,
        method,
        path: `/banks/${name}${placed(path)}`,
        headers: { ...(body !== undefined && json), ...placedIn(headers) },
        body: body === undefined ? null : placed(JSON.stringify(body, null, 2)),
        check: { ...expected, members: placedIn(members), keep },
      }),
    ),
    { ...removed, title: 'The bank is removed', check: { status: 200 } },
  ];
}

const placed = (text: string): string => text.replaceAll(/\{(\w+)\}/g, '{{$1}}');
const placedIn = <Value extends Json>(value: Value): Value => JSON.parse(placed(JSON.stringify(value))) as Value;
const judged = (client: string, { check }: Call): string =>
  `const step = ${JSON.stringify(check)};\n${client}\n${judge}`;
const pairs = (headers: Call['headers']): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

function postmanOf(call: Call): object {
  const exec = judged(ofPostman, call).split('\n');
  return {
    name: call.title,
    event: [{ listen: 'test', script: { type: 'text/javascript', exec } }],
    protocolProfileBehavior: { followRedirects: false },
    request: {
      method: call.method,
      header: Object.entries(call.headers).map(([key, value]) => ({ key, value })),
      url: `{{baseUrl}}${call.path}`,
      ...(call.body !== null && { body: { mode: 'raw', raw: call.body } }),
    },
  };
}

function block(name: string, text: string): string {
  return `${name} {\n${text.replaceAll(/^/gm, '  ')}\n}\n`;
}

function brunoOf(call: Call, seq: number): string {
  const { method, path, headers, body } = call;
  return [
    block('meta', `name: ${call.title}\ntype: http\nseq: ${seq}`),
    block(method.toLowerCase(), `url: {{baseUrl}}${path}\nbody: ${body === null ? 'none' : 'json'}\nauth: none`),
    ...(Object.keys(headers).length === 0 ? [] : [block('headers', pairs(headers))]),
    ...(body === null ? [] : [block('body:json', body)]),
    block('tests', judged(ofBruno, call)),
    block('settings', 'encodeUrl: false\nfollowRedirects: false'),
  ].join('\n');
}

function httpOf(call: Call): string {
  const head = `${call.method} {{baseUrl}}${call.path}\n${pairs(call.headers)}`.trimEnd();
  return `### ${call.title}\n${head}${call.body === null ? '' : `\n\n${call.body}`}\n\n> {%\n${judged(ofHttp, call)}\n%}`;
}
