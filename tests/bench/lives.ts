import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { listedPersona, personaNames } from '../../api/start/fixtures.ts';
import type { Bank } from '../../engine/open-bank.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import type { Persona } from '../../engine/life/rules/persona.ts';
import { at, memoryBank } from '../lab/bank.ts';
import { accountOf, holder, residing } from '../lab/lived-bank.ts';
import { figure, type Figure, inOwnProcess, inTurns, measured, type Measured, msOf, quantile } from './measure.ts';
import { builtPackage, here, timesInOwnProcess } from './servers.ts';

const now = '2026-11-23T10:00:00+01:00';

/** Pasts and years of lives (rules.md L10): the listed fixtures in the built package, many accounts in a file, and a family that lives on. */
export async function figures(folder: string, scale: number): Promise<Figure[]> {
  const { harness } = await builtPackage();
  const kept = here('../../node_modules/.cache/sandbank/pasts');
  rmSync(kept, { recursive: true, force: true });
  const open = () => timesInOwnProcess({ harness, options: { now, fixtures: 'a-year-of-life' }, count: 6 });
  const [first = 0] = await open();
  const { all } = await inTurns({ all: harness }, open);
  const second = Math.min(...all.map(([ofProcess = 0]) => ofProcess));
  const later = Math.min(...all.map(([, ...each]) => quantile(each, 0.5)));
  const accounts = 1_000 / scale;
  const made = await inOwnProcess(import.meta.url, makePasts, { ledger: join(folder, 'pasts.sqlite'), accounts });
  const years = await inOwnProcess(import.meta.url, livedYears, {});
  return [
    figure('createBank of a-year-of-life, the first', first, 'ms', { atMost: 1_500 }),
    figure('createBank of it in the next process', second, 'ms', { atMost: 150 }),
    figure('createBank of it, a later one', later, 'ms', { atMost: 150 }),
    figure(`${accounts.toLocaleString('en')} accounts with a year`, made.seconds, 's', { atMost: 20 / scale }),
    figure('their memory', made.megabytes, 'MB', { atMost: 250 }),
    // The least: other load only adds.
    figure('a year with a family', Math.min(...years), 'ms', { atMost: 50 }),
  ];
}

/** Opens a bank in which accounts of all personas have a year of past. */
export async function makePasts({ ledger, accounts }: { ledger: string; accounts: number }): Promise<Measured> {
  const personas = await Promise.all(personaNames().map(listedPersona));
  await (await openLived(':memory:', personas.length, personas)).close();
  const { result: bank, ...figures } = await measured(() => openLived(ledger, accounts, personas));
  await bank.close();
  return figures;
}

/** Times in ms of years that a family lives, in a bank that has nobody else. */
export async function livedYears(): Promise<number[]> {
  const bank = await openLived(':memory:', 1, [await listedPersona('family')]);
  const times: number[] = [];
  for (let year = 2027; year < 2034; year += 1)
    times.push(await msOf(() => advanceClock(bank, at(`${year}-11-23T10:00:00+01:00`))));
  await bank.close();
  return times.slice(2);
}

/** A frozen bank with so many accounts, on which these personas live in turn. */
function openLived(ledger: string, count: number, personas: readonly Persona[]): Promise<Bank> {
  const accounts = residing(personas, count).map(({ number, persona }) => {
    return { ...accountOf(number), balance: '60000.00', persona };
  });
  const knownState = { customers: [{ ...holder, accounts }], agreements: [] };
  return memoryBank(now, { ledger, preparedLedger: null, knownState });
}
