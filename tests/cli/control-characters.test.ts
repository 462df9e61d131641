import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type Ended, runMain } from '../support/recorded-terminal.ts';
import { oneOf } from '../support/sample.ts';
import { testBank } from '../support/test-bank.ts';
import { tempFolder } from '../support/temp-folder.ts';

/* C7: what a client, a scenario or a file says does not control the terminal of who reads it. */

const folder = tempFolder();
const bank = testBank('2027-03-24T12:00:00+01:00');

const codes = [
  ...Array.from({ length: 0x20 }, (_, code) => code),
  ...Array.from({ length: 0x21 }, (_, code) => 0x7f + code),
  ...[0x061c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069],
];
/** All of them, with what a terminal makes of some: a colour, a title, a line above. */
const nasty = `<${String.fromCharCode(...codes)}\u001b[31m\u001b]0;title\u0007\u001b[A>`;
const control = new RegExp(`[${codes.map((code) => `\\u${code.toString(16).padStart(4, '0')}`).join('')}]`);

const run = (args: readonly string[], more: object = {}): Promise<Ended> =>
  runMain(args, { env: { BANK: bank.address }, isInteractive: true, ...more });

/** No line has one of them. */
function expectClean({ lines, errors }: Ended): void {
  for (const line of [...lines, ...errors]) expect(control.exec(line)?.[0]).toBeUndefined();
}

interface Told {
  [member: string]: unknown;
  steps: { [member: string]: unknown; expect: { [member: string]: unknown } }[];
}

/** The scenario of docs/scenarios.md with changes, as a file. */
function scenario(change: (told: Told, first: Told['steps'][number]) => void): string {
  const [, text = ''] = /```json\n([^]*?)```/.exec(readFileSync('docs/scenarios.md', 'utf8')) ?? [];
  const told = JSON.parse(text) as Told;
  const [first] = told.steps;
  if (first === undefined) throw new Error('no step');
  change(told, first);
  const path = join(folder, 'mine.json');
  writeFileSync(path, JSON.stringify(told));
  return path;
}

const everywhere = (told: Told): void => {
  Object.assign(told, { title: nasty, about: nasty, ends: nasty });
  for (const step of told.steps) Object.assign(step, { says: nasty, why: nasty });
};

test('C7: play escapes what the scenario says, and --json has it as it is', async () => {
  const path = scenario(everywhere);
  const told = await run(['play', path]);
  expect(told.code).toBe(0);
  expectClean(told);
  expect(told.lines.join('\n')).toContain(String.raw`\u001b[31m\u001b]0;title\u0007`);
  // Each text is on the line where it was said.
  expect(told.lines.filter((line) => line.startsWith('>'))).toEqual([]);
  const json = await run(['play', path, '--json']);
  expectClean(json);
  const whole = JSON.parse(json.lines.join('\n')) as Told;
  expect([whole['ends'], whole.steps[0]?.['says']]).toEqual([nasty, nasty]);
});

test('C7: play escapes it where it goes wrong', async () => {
  const path = scenario((told, first) => {
    everywhere(told);
    first.expect['members'] = { [nasty]: nasty };
  });
  for (const json of [[], ['--json']]) {
    const told = await run(['play', path, ...json]);
    expect(told.code).toBe(1);
    expectClean(told);
  }
});

test('C7: requests, doctor and refusals escape what a client sent', async () => {
  const latin = nasty.replace(/[^\u0020-\u007e\u0080-\u00ff\t]/g, '');
  const headers = { 'x-request-id': 'nasty', 'tpp-session-id': latin, 'psu-user-agent': '\u009b31m' };
  const body = Buffer.from(JSON.stringify({ [nasty]: nasty, raw: '\u009b\u202e\u007f' }));
  await bank.raw('POST', `/v1/signing-baskets?x=${encodeURIComponent(nasty)}`, headers, body);
  await bank.signed('POST', '/v1/signing-baskets', { headers: { 'x-request-id': 'signed' }, body });
  expectClean(await run(['status']));
  for (const args of [['requests'], ['requests', 'nasty'], ['requests', 'signed']]) {
    expectClean(await run(args));
    const json = await run([...args, '--json']);
    expectClean(json);
    expect(JSON.stringify(JSON.parse(json.lines.join('\n')))).toContain('requests');
  }
  const file = join(folder, 'request.txt');
  writeFileSync(file, `POST /v1/signing-baskets HTTP/1.1\nHost: x\ndate: ${latin}\nsignature: ${latin}\n\n${nasty}`);
  for (const args of [
    ['doctor', file],
    ['doctor', file, '--json'],
  ])
    expectClean(await run(args));
});

test.each([
  [[nasty]],
  [['play', nasty]],
  [['play', `./${nasty}.json`]],
  [['requests', nasty]],
  [['requests', '--code', nasty]],
  [['requests', '--path', `/${nasty}`]],
  [['payments', '--account', nasty]],
  [['payment', nasty]],
  [['status', '--bank', nasty]],
  [['snapshot', 'save', nasty]],
  [['snapshot', 'restore', nasty]],
  [['bank', 'make', nasty]],
  [['bank', 'remove', nasty]],
  [['advance', nasty]],
  [['pay', '--to', nasty]],
  [['pay', '--amount', nasty]],
  [['next-dates', nasty]],
  [['certificate', '--name', nasty]],
  [['doctor', nasty]],
  [['open', nasty]],
  [['save', nasty]],
  [['sign', 'GET', nasty]],
  [['sign', 'GET', '/v1/users', '-H', `x: ${nasty}`]],
  [['sign', 'GET', `/v1/users?x=${encodeURIComponent(nasty)}`]],
  [['sign', 'POST', '/v1/signing-baskets', '--data', JSON.stringify({ x: nasty, y: '\u009b\u202e' }), '--print']],
  [['serve', '--fixtures', nasty]],
  [['serve', '--ledger', nasty]],
  [['proxy', nasty]],
  [['ready', '--host', nasty]],
])('C7: %j', async (args) => {
  for (const json of [[], ['--json']]) expectClean(await run([...args, ...json]));
});

test('C7: a signed request that goes to another program is passed on as it was signed', async () => {
  const data = JSON.stringify({ x: '\u009b\u202e' });
  const told = await run(['sign', 'POST', '/v1/signing-baskets', '--data', data, '--http'], { isInteractive: false });
  expect(told.lines.at(-1)).toBe(data);
});

describe('C7: a pattern that tries too many ways', () => {
  const endless = '^(.+)+\u0000$';

  test.each(
    oneOf<[where: string, change: object]>('endless patterns', [
      ['expected', { expect: { status: 200, matches: { now: endless } } }],
      ['kept', { expect: { status: 200 }, keep: { x: { at: 'now', match: endless } } }],
    ]),
  )('is given up after a second, in what is %s', async (_where, change) => {
    const path = scenario((told, first) => {
      told.steps = [
        Object.assign(
          first,
          { method: 'GET', path: '/sandbox/clock', body: undefined, keep: {}, shows: undefined, why: undefined },
          change,
        ),
      ];
      told['ends'] = 'x';
    });
    const told = await run(['play', path]);
    expect([told.code, told.errors.join()]).toEqual([1, expect.stringContaining('was given up after a second')]);
  });

  test('does not hold up the reading of the file', async () => {
    const path = scenario((_, first) => {
      first.expect['matches'] = { now: '(((((a?){99}){99}){99}){99}){99}' };
    });
    const told = await run(['play', path]);
    expect([told.code > 0, told.errors.join()]).toEqual([true, expect.stringContaining('expect.matches.now')]);
  });
});
