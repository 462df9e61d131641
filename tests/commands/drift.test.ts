import { truncateSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type HarEntry, harText } from '../../scripts/drift/har-file.ts';
import type { Drift } from '../../scripts/drift/tell.ts';
import { type BaseRecording, baseRecording, header, withPlanted } from '../drift/planted.ts';
import { type Ended, runMain } from '../support/recorded-terminal.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder();
const log = { version: '1.2', creator: { name: 'a test', version: '1' } };
let base: BaseRecording;

beforeAll(async () => {
  base = await baseRecording();
});

let files = 0;

/** A file with this text, or a recording with these entries. */
function fileOf(content: string | readonly unknown[]): string {
  const file = join(folder, `${(files += 1)}.har`);
  writeFileSync(file, typeof content === 'string' ? content : harText(log, content as readonly HarEntry[]));
  return file;
}

function drift(content: string | readonly unknown[], ...flags: string[]): Promise<Ended> {
  return runMain(['drift', fileOf(content), ...flags]);
}

const entryAt = (name: string): number => (base.places.get(name) ?? -1) + 1;
const without = (from: BaseRecording = base) =>
  withPlanted(from, 'accounts', ({ answer }) => delete answer.accounts[0].name);
const planted = () =>
  withPlanted(
    { ...base, entries: without() },
    'balances',
    ({ answer }) => (answer.balances[0].risk = '<script>alert(1)</script>'),
  );
const lost = 'GET /v1/accounts accounts[].name lost';
const added = 'GET /v1/accounts/{accountId}/balances balances[].risk added';

describe('sandbank drift', () => {
  test('a recording without a difference: exit code 0, and no connection is opened', async () => {
    const { connect } = Socket.prototype;
    let connections = 0;
    Socket.prototype.connect = function count(...args: unknown[]) {
      connections += 1;
      return connect.apply(this, args as never);
    };
    const { code, lines, errors } = await drift(base.entries);
    expect({ code, lines, errors }).toEqual({
      code: 0,
      lines: [`No difference in ${base.entries.length} exchanges.`],
      errors: [],
    });
    Socket.prototype.connect = connect;
    expect(connections).toBe(0);
  });

  test('DW5: a line for each difference, with its first place; exit code 1', async () => {
    const { code, lines } = await drift(planted());
    expect(code).toBe(1);
    expect(lines.slice(0, 2)).toEqual([
      `${lost}: the document says always there, the bank has null; once, first in entry ${entryAt('accounts')}, https://bank.example/api-sandbox/v1/accounts?withBalance=true; clients break by it; /docs/interface/getAccounts#answer-200; new: no quirk explains it.`,
      expect.stringMatching(
        /^GET \S+ balances\[\]\.risk added: .*"<script>alert\(1\)<\/script>"; once, .*clients must tolerate it/,
      ),
    ]);
    expect(lines.at(-1)).toBe(`2 differences in ${base.entries.length} exchanges.`);
  });

  test('DW4, DW5: --json has the differences and what was skipped', async () => {
    const [first] = base.entries;
    const elsewhere = { ...first, request: { ...first?.request, url: 'https://bank.example/login' } };
    const { code, lines } = await drift([...planted(), elsewhere], '--json');
    expect({ code, told: JSON.parse(lines.join('\n')) as Drift }).toEqual({
      code: 1,
      told: {
        entries: base.entries.length + 1,
        notJudged: [],
        differences: [
          {
            ...{ operation: 'GET /v1/accounts', member: 'accounts[].name', kind: 'lost', count: 1 },
            first: { entry: entryAt('accounts'), url: 'https://bank.example/api-sandbox/v1/accounts?withBalance=true' },
            ...{
              document: 'always there',
              bank: null,
              docs: '/docs/interface/getAccounts#answer-200',
              breaks: true,
              quirk: null,
            },
          },
          expect.objectContaining({
            member: 'balances[].risk',
            kind: 'added',
            breaks: false,
            bank: '<script>alert(1)</script>',
          }),
        ],
        quirks: [],
        skipped: [{ entry: base.entries.length + 1, why: 'GET /login is no call of the interface' }],
      },
    });
  });

  test('DW5: --accept takes known differences away, as the text and --json name them', async () => {
    const list = join(folder, 'accepted');
    writeFileSync(list, `# known\n${lost}\n\n  ${added}  \n`);
    expect((await drift(planted(), '--accept', list)).code).toBe(0);
    writeFileSync(list, 'lost accounts[].name\n');
    const { code, errors } = await drift(planted(), '--accept', list);
    expect({ code, errors }).toEqual({ code: 2, errors: [expect.stringContaining('is no OPERATION MEMBER KIND')] });
  });

  test('DW4: a header that nothing in the recording has is not judged, and named once', async () => {
    const entries = structuredClone(base.entries) as HarEntry[];
    for (const { request, response } of entries) {
      header(request.headers as never, 'x-request-id');
      header(request.headers as never, 'psu-ip-address');
      header(response.headers as never, 'x-request-id');
    }
    const { code, lines } = await drift(entries);
    expect({ code, lines }).toEqual({
      code: 0,
      lines: [
        'Not judged, because the recording lacks them everywhere: X-Request-ID, PSU-IP-Address.',
        `No difference in ${entries.length} exchanges.`,
      ],
    });
  });
});

/** The first entry with other members of its answer, or of its request. */
function entryWith(changes: { readonly request?: object; readonly response?: object }): object {
  const [entry] = base.entries;
  return {
    ...entry,
    request: { ...entry?.request, ...changes.request },
    response: { ...entry?.response, ...changes.response },
  };
}

describe('what is no recording is refused in one line, exit code 2', () => {
  const refused: readonly (readonly [what: string, content: () => string | readonly unknown[], line: RegExp])[] = [
    ['nothing', () => '', /it is empty$/],
    ['text', () => 'GET / HTTP/1.1', /it is no JSON object$/],
    ['other JSON', () => '{"openapi": "3.1.0"}', /it has no log\.entries, as HAR 1\.2 has them$/],
    ['entries elsewhere', () => '{"log": {"pages": [{"entries": []}]}}', /it has no log\.entries/],
    ['no entries', () => [], /it has no entries$/],
    ['a cut file', () => harText(log, base.entries).slice(0, -500), /it is cut, or no JSON$/],
    ['a broken entry', () => '{"log": {"entries": [{"request": }]}}', /it is cut, or no JSON$/],
    ['no entries of HAR', () => [1, null, 'x', {}, []], /nothing to judge: it has no request\.method$/],
    ['no answers', () => [entryWith({ response: { status: 0 } })], /nothing to judge: it has no answer$/],
    [
      'a tool that leaves out the bodies',
      () =>
        base.entries.slice(0, 3).map((entry) => ({ ...entry, response: { ...entry.response, content: { size: 7 } } })),
      /nothing to judge: the body of its answer was not recorded$/,
    ],
    [
      'another API',
      () => [entryWith({ request: { url: 'https://api.example/v1/charges' } })],
      /nothing to judge: GET \/v1\/charges is no call of the interface$/,
    ],
  ];

  test.each(refused)('DW4: %s', async (_what, content, line) => {
    const { code, lines, errors } = await drift(content());
    expect({ code, lines, errors }).toEqual({ code: 2, lines: [], errors: [expect.stringMatching(line)] });
  });

  test('a folder, no file, and more than 256 MB', async () => {
    const large = join(folder, 'large.har');
    writeFileSync(large, '{');
    truncateSync(large, 257 * 1024 * 1024);
    const ends = await Promise.all([folder, join(folder, 'none'), large].map((file) => runMain(['drift', file])));
    expect(ends.map(({ code }) => code)).toEqual([2, 2, 2]);
    expect(ends.map(({ errors }) => errors)).toEqual([
      [expect.stringContaining('cannot be read: it is a folder')],
      [expect.stringContaining('there is no such file or folder')],
      [expect.stringContaining('it has more than 256 MB')],
    ]);
  });
});

test('hostile texts are shown as text, and break nothing', async () => {
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  const hostile = '\u001b[31m\u202e"><img src=x onerror=alert(1)>';
  const named = [
    { name: 'x\r\ny', value: hostile },
    { name: 'psu-id', value: hostile },
  ];
  const entries = [
    entryWith({ response: { content: { text: deep } } }),
    entryWith({ request: { headers: named } }),
    entryWith({
      response: {
        content: { text: `{"__proto__":1,"__proto__":{},${JSON.stringify(hostile)}:${JSON.stringify(hostile)}}` },
      },
    }),
    entryWith({ request: { method: 'CONNECT' } }),
    entryWith({ request: { url: `https://bank.example/v1/accounts/${encodeURIComponent(hostile)}` } }),
    entryWith({ request: { url: `https://bank.example/v1/accounts/%E0%A4%A/${hostile}` } }),
    entryWith({ request: { url: 'https://bank.example/banks/x/v1/accounts/../../sandbox/reset', method: 'POST' } }),
  ];
  const { code, lines, errors } = await drift(entries);
  expect({ code, errors }).toEqual({ code: 1, errors: [] });
  expect(lines.join('')).not.toMatch(/\p{Cc}|\p{Cf}/u);
  expect(lines.join('\n')).toContain('3 of 7 skipped (counted from 1): entry 4: CONNECT ');
});
