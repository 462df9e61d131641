import { expect, test } from '@jest/globals';
import type { Bank } from '../../../engine/bank.ts';
import type { Quirk } from '../../../engine/bank/rules/quirk.ts';
import { rowsOf } from '../../lab/rows.ts';
import { runCampaign } from '../../campaigns/campaign.ts';
import { quirks } from '../../campaigns/quirks.ts';

const seed = 30;
/** One that shapes ids, one that shapes texts, one that the engine asks for. `npm run campaigns -- quirks` takes all. */
const names: readonly Quirk[] = ['reissued-ids', 'text-forms', 'status-lag'];

test('Q1, Q2: a random bank under a quirk does what its forecast tells, proves, and is restored; its ledger is that without it', async () => {
  const { violation, done, tallies } = await runCampaign(quirks, { seed, count: 1, change: { names } });
  expect({ seed, violation, done }).toEqual({ seed, violation: null, done: 1 });
  for (const name of names)
    for (const what of ['attempts', 'answers of its own']) {
      expect(tallies[`${name}: ${what}`]).toBeGreaterThan(0);
    }
}, 60_000);

test.each([
  ['books an øre more', 'update account set balance_minor = balance_minor + 1', /the proof fails/],
  ['has another ledger', "update account set name = name || '!'", /the ledger is another than without it/],
])(
  'the campaign finds a bank that %s under a quirk',
  async (_, statement, found) => {
    const eachBank = (bank: Bank) => bank.ledger.write((tx) => rowsOf(tx, statement));
    const { violation } = await runCampaign(quirks, { seed, count: 1, change: { names: ['plain-json'], eachBank } });
    expect(violation).toMatch(found);
  },
  60_000,
);
