import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bankServer } from '../../api/harness/bank-server.ts';
import { createBank, type Bank } from '../../api/harness/index.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { ledgerBytes } from '../../engine/bank/snapshots.ts';
import { beforeHistory, bookStatements, eveningBefore } from '../lab/book.ts';
import { carryOut } from './bench-bank.ts';
import { figure, type Figure, inOwnProcess, quantile } from './measure.ts';

const now = '2026-11-23T10:00:00+01:00';
const lived = ['09232911044', '74712699947', '34300000012', '34400000036', '34500000017'];

/** Copies of saved banks (control-plane.md B10): processor time of each after the first of a process, and memory of 200 that are open. */
export async function figures(folder: string, scale: number): Promise<Figure[]> {
  const entries = 10_000 / scale;
  const files = await inOwnProcess(import.meta.url, savedBanks, { folder, entries });
  const all: Figure[] = [];
  for (const [what, file, atMost] of [
    ['the known state', files.known, 6],
    [`${entries.toLocaleString('en')} entries`, files.entries, 15],
    ['a year of five lives', files.lives, 25],
  ] as const) {
    const times = await inOwnProcess(import.meta.url, timesOfCopies, { file });
    all.push(figure(`copy of ${what}, processor time`, quantile(times, 0.5), 'ms', { atMost }));
  }
  for (const [what, file, image] of [
    ['the known state', files.known, files.knownImage],
    ['a year of five lives', files.lives, files.livesImage],
  ] as const) {
    const each = await inOwnProcess(import.meta.url, memoryOfCopies, { file, copies: 200 / scale });
    all.push(figure(`memory of an open copy of ${what}, above its image`, each - image, 'MB', { atMost: 1.5 }));
  }
  return all;
}

const megabyte = 1024 * 1024;

/** Saves the banks of which copies are measured; the images are in MB. */
export async function savedBanks({ folder, entries }: { folder: string; entries: number }) {
  const save = async (name: string, bank: Bank): Promise<string> => {
    const file = join(folder, `${name}.sandbank`);
    await bank.save(file);
    return file;
  };
  await using known = await createBank({ now });
  const filled = await bankServer({ now: new Date(beforeHistory), fixtures: { customers: [], agreements: [] } });
  await carryOut(filled.bank, bookStatements({ accounts: 100, due: 0, history: entries / 2 }));
  // Each payment gives two entries.
  await advanceClock(filled.bank, Date.parse(eveningBefore) as Instant);
  const file = join(folder, 'entries.sandbank');
  writeFileSync(file, await filled.bundle());
  const life = Object.fromEntries(lived.map((number) => [number, 'family']));
  const ofLives = await bankServer({ now, life });
  const livesFile = join(folder, 'lives.sandbank');
  writeFileSync(livesFile, await ofLives.bundle());
  const ofKnown = await bankServer({ from: known });
  return {
    known: await save('known', known),
    knownImage: (await ledgerBytes(ofKnown.bank)) / megabyte,
    entries: file,
    lives: livesFile,
    livesImage: (await ledgerBytes(ofLives.bank)) / megabyte,
  };
}

/** Processor time in ms of copies of a file, after the first. */
export async function timesOfCopies({ file }: { file: string }): Promise<number[]> {
  await (await createBank({ from: file })).close();
  const times: number[] = [];
  while (times.length < 60) {
    const before = process.cpuUsage();
    const bank = await createBank({ from: file });
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1_000);
    await bank.close();
  }
  return times.slice(20);
}

/** Resident memory in MB of each of so many open copies. */
export async function memoryOfCopies({ file, copies }: { file: string; copies: number }): Promise<number> {
  const open = async (count: number): Promise<Bank[]> => {
    const banks: Bank[] = [];
    while (banks.length < count) banks.push(await createBank({ from: file }));
    return banks;
  };
  const first = await open(20);
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  const others = await open(copies);
  globalThis.gc?.();
  const each = (process.memoryUsage.rss() - before) / copies / megabyte;
  for (const bank of [...first, ...others]) await bank.close();
  return each;
}
