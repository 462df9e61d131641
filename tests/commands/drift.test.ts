import { truncateSync, writeFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type HarEntry, harText } from '../../scripts/drift/har.ts';
import { type BaseRecording, baseRecording, withPlanted } from '../drift/planted.ts';
import { type Ended, runMain } from '../support/recorded-terminal.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder();
const log = { version: '1.2', creator: { name: 'a test', version: '1' } };
let base: BaseRecording;

/** The first calls of the recording: enough for a command. */
const calls = 9;

beforeAll(async () => {
  base = shortened(await baseRecording());
});

function shortened({ entries, places }: BaseRecording): BaseRecording {
  return { entries: entries.slice(0, calls), places };
}

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

const planted = () =>
  withPlanted(base, [
    { at: 'accounts', change: (answer) => delete answer.accounts[0].product, tells: '' },
    {
      at: 'transaction',
      change: (answer) => (answer.transactionsDetails.mcc = '<script>alert(1)</script>'),
      tells: '',
    },
  ]);

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
      lines: [`No difference in ${calls} replayed requests.`],
      errors: [],
    });
    Socket.prototype.connect = connect;
    expect(connections).toBe(0);
  });

  test('a line for each kind, with its first place and a fact; exit code 1', async () => {
    const { code, lines } = await drift(planted());
    expect(code).toBe(1);
    expect(lines[0]).toBe(
      'absent accounts[].product: the bank leaves it out, the sandbox shows it; once, first in request 2, GET /v1/accounts?withBalance=true; this is new: no quirk has it.',
    );
    expect(lines[1]).toMatch(/^extra transactionsDetails\.mcc: the bank shows it, the sandbox leaves it out; once, /);
    const fact = JSON.parse(lines[2]?.replace('fact: ', '') ?? '') as object;
    expect(fact).toMatchObject({
      key: 'absent accounts[].product',
      source: 'a recording by a test 1',
      sourceDate: '2027-03-01',
      quality: 'seen in this recording',
      applied: false,
    });
    expect(lines.at(-1)).toBe(`2 kinds of difference in ${calls} replayed requests.`);
  });

  test('--json has the differences and what was skipped', async () => {
    const [first] = base.entries;
    const elsewhere = { ...first, request: { ...first?.request, url: 'https://bank.example/login' } };
    const { code, lines } = await drift([...planted(), elsewhere], '--json');
    const { differences, skipped } = JSON.parse(lines.join('\n')) as { differences: object[]; skipped: object };
    expect({ code, differences, skipped }).toEqual({
      code: 1,
      differences: [
        expect.objectContaining({
          kind: 'absent',
          path: 'accounts[].product',
          request: 'GET /v1/accounts?withBalance=true',
          recorded: null,
          expected: 'Brukskonto',
          count: 1,
        }),
        expect.objectContaining({ kind: 'extra', path: 'transactionsDetails.mcc' }),
      ],
      skipped: { 'not to the interface': 1 },
    });
  });

  test('--accept takes known differences away', async () => {
    const list = join(folder, 'accepted');
    writeFileSync(list, '# known\nabsent accounts[].product\n\n  extra transactionsDetails.mcc  \n');
    expect((await drift(planted(), '--accept', list)).code).toBe(0);
    writeFileSync(list, 'absent accounts[].product and more\n');
    const { code, errors } = await drift(planted(), '--accept', list);
    expect({ code, errors }).toEqual({ code: 2, errors: [expect.stringContaining('is no KIND PATH')] });
  });

  test('a quirk makes its differences go away', async () => {
    const { entries } = shortened(await baseRecording(['plain-json']));
    const { code, lines } = await drift(entries);
    expect(code).toBe(1);
    expect(lines[0]).toMatch(/^header content-type: .*; --quirks plain-json makes \d+ of these go away\.$/);
    expect((await drift(entries, '--quirks', 'plain-json')).code).toBe(0);
    const [first] = (await baseRecording(['plain-json', 'sca-query'])).entries;
    const profile = ['--profile', 'sparebank1-sor-norge-sr'];
    expect((await drift([first], ...profile)).code).toBe(0);
    expect((await drift([first], ...profile, '--quirks', '-plain-json')).lines[0]).toMatch(/^header content-type: /);
  });

  test('DW7: a recording that lacks a quirk of the profile says so, and taking the quirk away explains it', async () => {
    const { code, lines } = await drift(base.entries, '--profile', 'bien-sparebank');
    expect(code).toBe(1);
    expect(lines[0]).toMatch(
      /^form accounts\[\]\.resourceId: its form was "enc!!\S+", in the sandbox "an id of 49 characters that begins with enc!! and does not end with ="; \d+ times, first in request 2, GET \S+; the recording lacks the quirk id-lengths: --quirks -id-lengths makes \d+ of these go away\.$/,
    );
    expect(lines.filter((line) => line.startsWith('form '))).toEqual(
      lines.filter((line) => line.includes('the recording lacks the quirk id-lengths')),
    );
    const left = await drift(base.entries, '--profile', 'bien-sparebank', '--quirks', '-id-lengths');
    expect(left.lines.filter((line) => line.startsWith('form '))).toEqual([]);
  });

  test('requests in parallel are replayed in the order of their start, and that is said', async () => {
    const together = base.entries.map((entry, at) => (at === 3 ? { ...entry, time: 1_500 } : entry));
    const { code, lines } = await drift(together.toReversed());
    expect({ code, lines }).toEqual({
      code: 0,
      lines: [
        '1 entry began before an earlier answer was there; requests are replayed in the order of their start.',
        `No difference in ${calls} replayed requests.`,
      ],
    });
  });
});

describe('DW11: two recordings of one bank', () => {
  const compare = async (before: readonly unknown[], after: readonly unknown[], ...flags: string[]) =>
    runMain(['drift', fileOf(before), fileOf(after), ...flags]);

  test('two of Sandbank have no difference, and what began and ended is told', async () => {
    const same = await compare(base.entries, base.entries.slice(0, 5));
    expect(same).toMatchObject({ code: 0, lines: ['Nothing has changed.'] });
    const begun = await compare(base.entries, planted());
    expect(begun.code).toBe(1);
    expect(begun.lines.map((line) => /^began after "[^"]*": (\w+ \S+):/.exec(line)?.[1])).toEqual([
      'absent accounts[].product',
      'extra transactionsDetails.mcc',
      undefined,
    ]);
    const ended = await compare(planted(), base.entries, '--json');
    expect(JSON.parse(ended.lines.join('\n'))).toMatchObject({ begun: [], ended: [{}, {}] });
    expect((await compare(planted(), planted())).code).toBe(0);
  });

  test('another form of the same quirk is a change', async () => {
    const [short, long] = ['transaction:69', 'transaction:241'].map((value) => baseRecording([`id-lengths=${value}`]));
    const { code, lines } = await compare(
      shortened(await (short ?? baseRecording())).entries,
      shortened(await (long ?? baseRecording())).entries,
    );
    expect({ code, first: lines[0] }).toEqual({
      code: 1,
      first: expect.stringMatching(/^began after .*form transactions/),
    });
  });
});

/** The first entry with other members of its answer, or of its request. */
function entryWith(changes: {
  readonly request?: object;
  readonly response?: object;
  readonly startedDateTime?: string;
  readonly _bankTime?: undefined;
}): object {
  const [entry] = base.entries;
  return {
    ...entry,
    ...changes,
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
    ['two lists', () => '{"log": {"entries": [], "entries": []}}', /it has two lists of entries$/],
    [
      'a list of that name elsewhere',
      () => '{"log": {"pages": [{"entries": []}], "entries": [{}]}}',
      /1 entry: no whole entry$/,
    ],
    ['no entries', () => [], /it has no entries$/],
    ['a cut file', () => harText(log, base.entries).slice(0, -500), /it is cut, or no JSON$/],
    ['a broken entry', () => '{"log": {"entries": [{"request": }]}}', /it is cut, or no JSON$/],
    ['no entries of HAR', () => [1, null, 'x', {}, []], /nothing to replay: 5 entries: no whole entry$/],
    ['no answers', () => [entryWith({ response: { status: 0 } })], /1 entry: no answer$/],
    ['no answers at all', () => [{ ...base.entries[0], response: null }], /1 entry: no answer$/],
    [
      'too large a request',
      () => [entryWith({ request: { headers: [{ name: 'x-long', value: 'x'.repeat(13_000) }] } })],
      /1 entry: a request larger than a bank takes$/,
    ],
    [
      'binary bodies',
      () => [
        entryWith({ response: { content: { size: 3, mimeType: 'image/png', text: '/9j/', encoding: 'base64' } } }),
      ],
      /1 entry: a body that is no text$/,
    ],
    [
      'another API',
      () => [entryWith({ request: { url: 'https://api.example/v1/charges' }, response: { content: { text: '{}' } } })],
      /1 entry: not to the interface$/,
    ],
  ];

  test.each(refused)('%s', async (_what, content, line) => {
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
  const entries = [
    entryWith({ response: { content: { text: deep } } }),
    entryWith({
      request: {
        headers: [
          { name: 'x\r\ny', value: hostile },
          { name: 'psu-id', value: hostile },
        ],
      },
    }),
    entryWith({ response: { content: { text: JSON.stringify({ [hostile]: hostile, __proto__: null }) } } }),
    entryWith({ request: { method: 'CONNECT' } }),
    entryWith({ request: { url: `https://bank.example/v1/accounts/${encodeURIComponent(hostile)}` } }),
    entryWith({ request: { url: 'https://bank.example/banks/x/v1/accounts/../../sandbox/reset', method: 'POST' } }),
  ];
  const { code, lines, errors } = await drift(entries);
  expect({ code, errors }).toEqual({ code: 1, errors: [] });
  expect(lines.join('')).not.toMatch(/\p{Cc}|\p{Cf}/u);
  expect(lines.join('\n')).toContain(
    '4 of 6 replayed; entry 4 (counted from 1): no whole entry, request.method is "CONNECT"',
  );
});
