import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { catalogue } from '../../api/catalogue/catalogue.ts';
import { runMain, type Ended } from '../support/recorded-terminal.ts';
import { startTestBank } from '../lab/server.ts';
import { testBank } from '../support/test-bank.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder();
const bank = testBank('2027-03-24T12:00:00+01:00');

const play = (...args: string[]): Promise<Ended> => runMain(['play', ...args], { env: { BANK: bank.address } });

async function banks(): Promise<readonly string[]> {
  const { body } = await bank.control('GET', '/sandbox/banks');
  return body.banks.map(({ name }: { name: string }) => name);
}

/** The scenario of docs/scenarios.md with changes, as a file. */
function file(change: (scenario: Mutable) => void, name = 'mine.json'): string {
  const [, text = ''] = /```json\n([^]*?)```/.exec(readFileSync('docs/scenarios.md', 'utf8')) ?? [];
  const scenario = JSON.parse(text) as Mutable;
  change(scenario);
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(scenario));
  return path;
}

interface Mutable {
  [member: string]: unknown;
  steps: { [member: string]: unknown; expect: { [member: string]: unknown } }[];
}

function first({ steps }: Mutable): Mutable['steps'][number] {
  const [step] = steps;
  if (step === undefined) throw new Error('no step');
  return step;
}

test('without a name it lists all, with their titles; first-payment is the first', async () => {
  const { code, lines } = await play();
  expect(code).toBe(0);
  expect(lines.map((line) => line.split(' ')[0])).toEqual(catalogue().map(({ name }) => name));
  expect(lines[0]).toMatch(/^first-payment +A first payment/);
  const listed = await play('--json');
  const { scenarios } = JSON.parse(listed.lines.join('\n')) as { scenarios: readonly object[] };
  expect(scenarios).toHaveLength(catalogue().length);
  expect(scenarios[0]).toEqual({ name: 'first-payment', title: expect.any(String) });
});

test('a story has its reason, each call as a curl line, its answer and why; its bank is gone afterwards', async () => {
  const { code, lines, errors } = await play('five-attempts');
  expect({ code, errors }).toEqual({ code: 0, errors: [] });
  expect(lines[0]).toContain(`${bank.address}/banks/five-attempts-1`);
  expect(lines.filter((line) => line.startsWith('curl '))).toHaveLength(7);
  expect(lines).toContain('   A rejected payment stays readable. psuMessage is a text for the PSU.');
  expect(lines).toContain('Five attempts, then RJCT.');
  expect(await banks()).toEqual(['default']);
});

test('--keep and --bank leave it there under its name', async () => {
  expect((await play('weekend', '--keep', '--bank', 'kept')).code).toBe(0);
  expect((await bank.control('GET', '/banks/kept/sandbox/clock')).body.now).toBe('2027-03-08T05:30:00.000+01:00');
  await bank.control('DELETE', '/sandbox/banks/kept');
});

test('demo is play first-payment', async () => {
  const demo = JSON.parse((await runMain(['demo', '--json'], { env: { BANK: bank.address } })).lines.join('\n'));
  const played = JSON.parse((await play('first-payment', '--json')).lines.join('\n'));
  expect(demo).toMatchObject({ name: 'first-payment', ends: played.ends });
  expect(demo.steps.map(({ says }: { says: string }) => says)).toEqual(
    played.steps.map(({ says }: { says: string }) => says),
  );
  await bank.control('DELETE', '/sandbox/banks/demo-1');
});

test('where no server runs it starts one, which ends with it', async () => {
  const { code, lines } = await runMain(['play', 'weekend'], { env: { PORT: '1' } });
  expect(code).toBe(0);
  await expect(fetch(`${/http:\/\/[\d.:]+/.exec(lines[0] ?? '')?.[0] ?? ''}/health`)).rejects.toThrow();
});

test.each([
  ['five-atempts', 'the nearest is five-attempts'],
  ['nothing-at-all', 'sandbank play lists them'],
  ['./nothing.json', './nothing.json cannot be read: there is no such file or folder'],
])('%s ends in 2', async (word, text) => {
  const { code, lines, errors } = await play(word);
  expect({ code, lines }).toEqual({ code: 2, lines: [] });
  expect(errors[0]).toContain(text);
});

describe('a file of your own', () => {
  test('plays', async () => {
    const { code, lines, errors } = await play(file(() => undefined));
    expect({ code, errors }).toEqual({ code: 0, errors: [] });
    expect(lines).toContainEqual(expect.stringMatching(/^The payment enc!!\S+ waits for Monday\.$/));
  });

  test.each<[string, (scenario: Mutable) => void, string]>([
    ['a status', (one) => (first(one).expect['status'] = 200), 'the status is 201, expected 200'],
    [
      'a member',
      (one) => (first(one).expect['members'] = { transactionStatus: 'ACSC' }),
      'transactionStatus is "RCVD", expected "ACSC"',
    ],
    [
      'a member that is not there',
      (one) => (first(one).expect['members'] = { colour: 'red' }),
      'colour is not there, expected "red"',
    ],
    [
      'a pattern',
      (one) => (first(one).expect['matches'] = { transactionStatus: '^A' }),
      'transactionStatus is "RCVD", expected "a text like /^A/"',
    ],
    [
      'a member that should not be there',
      (one) => (first(one).expect['absent'] = ['transactionStatus']),
      'transactionStatus is "RCVD", expected "nothing there"',
    ],
    [
      'a value to keep',
      (one) => (first(one)['keep'] = { payment: { at: 'nothing' }, sca: { at: 'paymentId' } }),
      'nothing is not there, expected "a value"',
    ],
  ])('%s that is otherwise ends in 1, with the step and both; no bank is left', async (_what, change, text) => {
    const path = file(change);
    const { code, errors } = await play(path);
    expect([code, errors[0]]).toEqual([1, `step 1 went otherwise: ${text}`]);
    expect(errors[1]).toBe('POST /sandbox/as/shop/v1/payments/norwegian-domestic-credit-transfers (The TPP pays.)');
    expect(errors[2]).toMatch(/^answered: /);
    const json = await play(path, '--json');
    expect(JSON.parse(json.errors.join('\n'))).toMatchObject({
      detail: `step 1 went otherwise: ${text}`,
      step: 1,
      answer: { transactionStatus: 'RCVD' },
    });
    expect(json.lines).toEqual([]);
    expect(await banks()).toEqual(['default']);
  });

  test('with --keep its bank is left after a failure too', async () => {
    const { code } = await play(
      file((one) => (first(one).expect['status'] = 200)),
      '--keep',
    );
    expect([code, await banks()]).toEqual([1, ['default', 'mine-1']]);
    await bank.control('DELETE', '/sandbox/banks/mine-1');
  });

  test.each<[string, (scenario: Mutable) => void, string]>([
    ['no steps', (one) => (one.steps = []), 'steps: It is empty: expected a list of steps.'],
    ['no title', (one) => delete one['title'], 'title: title is missing.'],
    ['another member', (one) => (one['colour'] = 'red'), 'colour: "colour" is no member here.'],
    ['a misspelled method', (one) => (first(one)['method'] = 'Post'), 'steps[0].method: "Post" is refused'],
    ['no status', (one) => delete first(one).expect['status'], 'steps[0].expect.status: status is missing.'],
    ['a path without a slash', (one) => (first(one)['path'] = 'v1'), 'steps[0].path: "v1"'],
    [
      'a path out of its bank',
      (one) => (first(one)['path'] = '/../../sandbox/reset'),
      'steps[0].path: "/../../sandbox',
    ],
    [
      'an encoded one',
      (one) => (first(one)['path'] = '/v1/%2E./x'),
      'steps[0].path: "/v1/%2E./x" has a segment . or ..',
    ],
    ['one with a backslash', (one) => (first(one)['path'] = '/v1\\..'), 'has a segment . or ..'],
    ['one with a tab', (one) => (first(one)['path'] = '/.\t./x?y'), 'has a segment . or ..'],
    [
      'a name to keep that is no name of a place',
      (one) => (first(one)['keep'] = { 'my-name': { at: 'paymentId' } }),
      'steps[0].keep: "my-name" is no name here: 1 to 40 letters, digits and _.',
    ],
    [
      'a long name to keep',
      (one) => (first(one)['keep'] = { ['x'.repeat(41)]: { at: 'paymentId' } }),
      `steps[0].keep: "${'x'.repeat(41)}" is no name here`,
    ],
    ['a header that is a number', (one) => (first(one)['headers'] = { a: 1 }), 'steps[0].headers.a: 1 is a number'],
    ['a name in capitals', (one) => (one['name'] = 'Mine'), 'name: "Mine"'],
    [
      'a broken pattern',
      (one) => (first(one).expect['matches'] = { paymentId: '(' }),
      'steps[0].expect.matches.paymentId: Invalid regular expression',
    ],
    [
      'a pattern without a group',
      (one) => (first(one)['keep'] = { payment: { at: 'paymentId', match: 'enc' }, sca: { at: 'paymentId' } }),
      'steps[0].keep.payment.match: The pattern has no group to keep',
    ],
    [
      'a value that nothing keeps',
      (one) => (one['ends'] = '{paymnt}'),
      'ends: No step before keeps {paymnt}; kept are payment, sca.',
    ],
  ])('%s is refused before anything is called', async (_what, change, text) => {
    const path = file(change);
    const { code, lines, errors } = await play(path);
    expect({ code, lines }).toEqual({ code: 1, lines: [] });
    expect(errors[0]).toBe(`${path} is no scenario:`);
    expect(errors[1]).toContain(text);
  });

  test('dots in a name, in the query and in a kept name with _ are nothing special', async () => {
    const path = file((one) => {
      one['ends'] = 'Done: {a_1}.';
      one.steps = [
        {
          says: 'One.',
          method: 'GET',
          path: '/sandbox/requests?path=/../..',
          expect: { status: 200 },
          keep: { a_1: { at: 'requests.length' } },
        },
        { says: 'Two.', method: 'GET', path: '/v1/..x/...', expect: { status: 404 } },
      ];
    });
    const { code, lines, errors } = await play(path);
    expect({ code, errors }).toEqual({ code: 0, errors: [] });
    expect(lines).toContain('Done: 0.');
  });

  test('a kept value does not lead out of its bank', async () => {
    const path = file((one) => {
      one['ends'] = 'Never.';
      one.steps = [
        {
          says: 'One.',
          method: 'GET',
          path: '/sandbox/banks',
          expect: { status: 404 },
          keep: { up: { at: 'detail', match: '(\\.)' } },
        },
        { says: 'Two.', method: 'POST', path: '/{up}{up}/{up}{up}/sandbox/reset', expect: { status: 200 } },
      ];
    });
    const { code, errors } = await play(path);
    expect([code, errors[0]]).toEqual([
      1,
      `POST /{up}{up}/{up}{up}/sandbox/reset leads out of the bank at ${bank.address}/banks/mine-1: to ${bank.address}/sandbox/reset`,
    ]);
  });

  test('what is no JSON says where it is none', async () => {
    const path = join(folder, 'broken.json');
    writeFileSync(path, '{"name": }');
    const { code, errors } = await play(path);
    expect([code, errors]).toEqual([1, [`${path} is no scenario:`, expect.stringContaining('It is not JSON: ')]]);
  });

  test('a file is read as other JSON files are: with a byte order mark, and each member once', async () => {
    const path = join(folder, 'marked.json');
    writeFileSync(path, '\uFEFF{}');
    expect((await play(path)).errors.join()).toContain('name is missing');
    writeFileSync(path, '{"name": "mine", "name": "yours"}');
    expect((await play(path)).errors.join()).toMatch(/name.*(twice|more than once|repeat)/);
  });

  test('a bank that cannot be made says why', async () => {
    const { code, errors } = await play(file((one) => (one['bank'] = { now: '2027-03-07', quirks: ['december'] })));
    expect([code, errors[0]]).toEqual([1, 'refused (400): There is no quirk december; the nearest is december-month.']);
  });
});

test('a server that goes away in the middle is told', async () => {
  const other = await startTestBank('2027-03-24T12:00:00+01:00');
  const playing = runMain(['play', 'refusals-at-will'], { env: { BANK: other.address } });
  let made = false;
  while (!made) made = (await other.control('GET', '/sandbox/banks')).body.banks.length > 1;
  await other.stop();
  const { code, errors } = await playing;
  expect([code, errors[0]]).toEqual([1, expect.stringMatching(/went away|nothing answers|refused/)]);
});
