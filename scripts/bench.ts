import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Figure, isMet, table } from './bench/figure.ts';
import { PrismMissing } from './bench/prism/install-prism.ts';
import { runScript, WrongFlags } from './run-script.ts';

/** A part's module. It measures in a folder of its own; `scale` is what the sizes are divided by. */
interface Part {
  readonly figures: (folder: string, scale: number) => Promise<readonly Figure[]>;
}

/** In the order in which they are measured. Their code is loaded then. */
const parts: Readonly<Record<string, readonly [summary: string, load: () => Promise<Part>]>> = {
  settlement: [
    'settlement runs and standing orders, beside a hand-written loop',
    () => import('./bench/settlement.ts'),
  ],
  waiting: ['the wait of other requests while a run settles', () => import('./bench/waiting.ts')],
  'time-machine': ['resets and restores', () => import('./bench/time-machine.ts')],
  banks: ['many banks in one server', () => import('./bench/many-banks.ts')],
  initiation: ['signed initiations, beside a hand-written server', () => import('./bench/initiation.ts')],
  refusals: ['signed initiations beside refused ones', () => import('./bench/refusals.ts')],
  reading: ['signed reads of an account, beside a hand-written server', () => import('./bench/reading.ts')],
  costs: ['SQL statements of three requests, source files of one', () => import('./bench/request-costs.ts')],
  start: ['start, memory and createBank of the package', () => import('./bench/start.ts')],
  prism: ["the same requests to Prism's mock of our API document", () => import('./bench/prism/prism.ts')],
};

const summaries = Object.entries(parts).map(([name, [summary]]) => `  ${name.padEnd(14)}${summary}\n`);
const usage = `npm run bench [-- PART...] [--quick]

Measures and prints a table; exit code 1 if a target is missed. --quick: a tenth of the sizes.
Without a part all but prism are measured, which fetches Prism in its first run.

Parts:
${summaries.join('')}`;

const config = { options: { quick: { type: 'boolean', default: false } }, allowPositionals: true } as const;

await runScript(usage, config, ({ values, positionals }) => main(positionals, values.quick ? 10 : 1));

async function main(names: readonly string[], scale: number): Promise<void> {
  const unknown = names.find((name) => !Object.hasOwn(parts, name));
  if (unknown !== undefined) throw new WrongFlags(`There is no part ${unknown}`);
  const folder = mkdtempSync(join(tmpdir(), 'sandbank-bench-'));
  const figures: Figure[] = [];
  try {
    for (const [name, [, load]] of Object.entries(parts)) {
      if (names.length === 0 ? name === 'prism' : !names.includes(name)) continue;
      const part = await load();
      figures.push(...(await part.figures(folder, scale)));
    }
  } catch (error) {
    if (!(error instanceof PrismMissing)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  } finally {
    // Also what was measured before one of them failed.
    if (figures.length > 0) console.log(table(figures));
    rmSync(folder, { recursive: true });
  }
  if (!figures.every(isMet)) process.exitCode = 1;
}
