import { listedPersona, personaNames } from '../../api/start/fixtures.ts';
import type { Bank } from '../../engine/open-bank.ts';
import { hashLedger } from '../../engine/bank/change-state.ts';
import { beginLife } from '../../engine/life/begin-life.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { at, memoryBank } from '../lab/bank.ts';
import { people } from '../lab/payments.ts';
import { simulate, type SimulationOptions } from '../lab/simulation/simulate.ts';

const quirks = { 'own-accounts-at-once': true, 'same-bank-at-once': 'without-kid', 'weekend-values': true } as const;

/** Hashes of ledgers without the ids that a bank draws, by what happened in them. */
export const ledgers: Readonly<Record<string, () => Promise<string>>> = {
  '30 simulated days': () => simulated(11, 30),
  '60 simulated days under quirks of times and dates': () => simulated(12, 60, { quirks, firstDay: '2027-03-01' }),
  '45 simulated days under bien-sparebank': () => simulated(13, 45, { profile: 'bien-sparebank' }),
  'a year of five lives': lived,
};

/** At the beginning of the last day. */
async function simulated(seed: number, days: number, options: SimulationOptions = {}): Promise<string> {
  let hash = '';
  const eachDay = async (bank: Bank): Promise<void> => {
    hash = await hashLedger(bank, 'left-out');
  };
  const { problems } = await simulate(seed, days, { ...options, eachDay });
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return hash;
}

async function lived(): Promise<string> {
  const bank = await memoryBank('2027-01-04T10:00:00+01:00', { ids: { seed: 'lives' } });
  const numbers = [...[people.nora, people.even, people.kari, people.per].map(({ bban }) => bban), '70323119469'];
  for (const [index, name] of personaNames().entries())
    await beginLife(bank, numbers[index] ?? '', { persona: await listedPersona(name), months: 1 });
  await advanceClock(bank, at('2028-01-04T10:00:00+01:00'));
  const hash = await hashLedger(bank, 'left-out');
  await bank.close();
  return hash;
}
