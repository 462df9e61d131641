import { join } from 'node:path';
import { listedPersona, personaNames } from '../../api/start/fixtures.ts';
import { readBank } from '../../engine/bank/bank-context.ts';
import type { Bank } from '../../engine/open-bank.ts';
import { beginLife } from '../../engine/life/begin-life.ts';
import { forecast } from '../../engine/runs/forecast.ts';
import { mostInForecast } from '../../engine/runs/list-runs.ts';
import { prepareRehearsal, rehearse } from '../../engine/runs/rehearse.ts';
import { addDuration } from '../../engine/values/duration.ts';
import { bookStatements, creditorsOfBook, transactionStatements } from '../lab/book.ts';
import { rowsIn } from '../lab/rows.ts';
import { carryOut, openBenchBank } from './bench-bank.ts';
import { figure, type Figure, inOwnProcess, inTurns, measured, type Measured, msOf, quantile } from './measure.ts';

const [lives, ahead] = [20, { months: 0, days: 45, seconds: 0 }];

/** Forecasts of 45 days: with 20 lives in a new bank and over a million entries, of many payments without lives, and asked for again. */
export async function figures(folder: string, scale: number): Promise<Figure[]> {
  const [booked, due, path] = [1_000_000 / scale, 20_000 / scale, join(folder, 'old.sqlite')];
  const young = await bankOf(':memory:', { accounts: lives, due: 0, lives });
  const busy = await bankOf(':memory:', { accounts: due / 10, due, lives: 0 });
  const ways = {
    young: () => rehearsed(young),
    busy: () => rehearsed(busy),
    again: () => forecast(busy, { by: ahead }),
  };
  const ms = await inTurns(ways, msOf, 11);
  const median = (name: keyof typeof ways): number => quantile(ms[name], 0.5);
  await Promise.all([young, busy].map((bank) => bank.close()));
  await inOwnProcess(import.meta.url, fillOld, { path, booked });
  const old = await inTurns({ old: path }, () => inOwnProcess(import.meta.url, forecastOld, path), 3, 1);
  const least = (part: 'seconds' | 'megabytes'): number => Math.min(...old.old.map((each) => each[part]));
  return [
    figure(`forecast 45 days of ${lives} lives`, median('young'), 'ms', { atMost: 150 }),
    figure(`the same over ${booked.toLocaleString('en')} entries`, least('seconds') * 1_000, 'ms', { atMost: 500 }),
    figure('its memory', least('megabytes'), 'MB', { atMost: 200 }),
    figure(`forecast ${due.toLocaleString('en')} payments without lives`, median('busy'), 'ms', { atMost: 800 }),
    figure('asked for again', median('again'), 'ms', { atMost: 10 }),
  ];
}

/** Makes a ledger with lives, due payments and a long history, and returns its path. */
export async function fillOld({ path, booked }: { readonly path: string; readonly booked: number }): Promise<string> {
  const bank = await bankOf(path, { accounts: booked / 100, due: booked / 1_000, lives });
  await carryOut(bank, transactionStatements(lives + 1, booked / 2, 300));
  await bank.close();
  return path;
}

/** Measures a forecast over a long history. Exported for the process that measures it. */
export async function forecastOld(path: string): Promise<Measured> {
  const bank = await openBenchBank(path);
  const { seconds, megabytes } = await measured(() => forecast(bank, { by: ahead }));
  await bank.close();
  return { seconds, megabytes };
}

/** A forecast that does not look for one that was kept. */
async function rehearsed(bank: Bank): Promise<void> {
  const copy = await readBank(bank, (reading) =>
    prepareRehearsal(reading, addDuration(reading.now, ahead), mostInForecast),
  );
  await rehearse(copy);
}

/** A bank with so many accounts, payments that are due, and lives with a year of past. */
async function bankOf(
  ledger: string,
  { accounts, due, lives: count }: { readonly accounts: number; readonly due: number; readonly lives: number },
): Promise<Bank> {
  const bank = await openBenchBank(ledger);
  await carryOut(bank, [...bookStatements({ accounts, due, history: 0 }), creditorsOfBook]);
  const numbers = await rowsIn(bank, `select bban from account where kind = 'customer' order by id limit ${count}`);
  const personas = await Promise.all(personaNames().map(listedPersona));
  for (const [index, { bban }] of numbers.entries()) {
    const persona = personas[index % personas.length];
    if (persona !== undefined) await beginLife(bank, String(bban), { persona, seed: 'bench', months: 12 });
  }
  return bank;
}
