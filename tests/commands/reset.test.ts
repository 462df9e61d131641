import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { loadKnownState } from '../../api/start/fixtures.ts';
import { runMain } from '../support/recorded-terminal.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { testBank } from '../support/test-bank.ts';

const token = 'a-secret-of-the-server';
const bank = testBank('2027-03-24', ['--control-token', token]);
const folder = tempFolder();

const given = { SANDBANK_CONTROL_TOKEN: token };
const run = (...words: string[]) => runMain(words, { env: { ...given, BANK: bank.address } });

async function dateOf(...words: string[]): Promise<string | undefined> {
  const { lines } = await run('status', ...words, '--json');
  return (JSON.parse(lines.join('\n')) as { date?: string }).date;
}

test('C6: the bank that is named goes back, and no other', async () => {
  for (const name of ['demo', 'other']) await run('bank', 'create', name);
  for (const name of ['demo', 'other', 'default']) await run('advance', 'P1D', '--bank', name);
  expect(await run('reset', '--bank', 'demo')).toMatchObject({
    code: 0,
    lines: [
      `The bank at ${bank.address}/banks/demo is back to its known state, at 2027-03-24T00:00:00.000+01:00 (frozen).`,
    ],
  });
  expect(await Promise.all(['demo', 'other', 'default'].map((name) => dateOf('--bank', name)))).toEqual([
    '2027-03-24',
    '2027-03-25',
    '2027-03-25',
  ]);
  const { port } = new URL(bank.address);
  expect(await runMain(['reset', '--port', port], { env: given })).toMatchObject({ code: 0, errors: [] });
  expect(await dateOf()).toBe('2027-03-24');
});

test('C5: --now, --mode and --fixtures hold for this reset and later ones', async () => {
  const seed = await loadKnownState('known-state');
  const [first, ...others] = seed.customers;
  const file = join(folder, 'seed.json');
  writeFileSync(file, JSON.stringify({ ...seed, customers: [{ ...first, name: 'Kari Ny' }, ...others] }));
  await run('bank', 'create', 'seeded');
  const words = ['--bank', 'seeded', '--now', '2028-01-01', '--mode', 'running', '--fixtures', file];
  expect((await run('reset', ...words)).lines).toEqual([
    expect.stringMatching(/at 2028-01-01T00:00:\S+ \(running\)\.$/),
  ]);
  await run('advance', 'P1D', '--bank', 'seeded');
  expect((await run('reset', '--bank', 'seeded')).lines).toEqual([
    expect.stringMatching(/at 2028-01-01T00:00:\S+ \(running\)/),
  ]);
  expect((await run('accounts', '--bank', 'seeded')).lines.join('\n')).toContain('Kari Ny');
  expect(await run('reset', '--bank', 'seeded', '--fixtures', 'nope')).toMatchObject({ code: 1, lines: [] });
});
