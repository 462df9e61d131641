import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WrongFlags } from '../api/start/parse-flags.ts';
import { type Figure, table } from './bench/figure.ts';
import { PrismMissing } from './bench/prism/install-prism.ts';
import { runScript } from './run-script.ts';

interface Part {
  readonly summary: string;
  /** Only measured when it is named. */
  readonly isExtra?: true;
  /** @param scale What the sizes are divided by. */
  readonly measure: (folder: string, scale: number) => Promise<readonly Figure[]>;
}

/** In the order in which they are measured. Their code is loaded then. */
const parts: ReadonlyMap<string, Part> = new Map(
  Object.entries<Part>({
    settlement: {
      summary: 'settlement runs and years of standing orders, beside a hand-written loop',
      measure: async (folder, scale) => {
        const { settlementFigures } = await import('./bench/settlement-figures.ts');
        const { ordersFigures } = await import('./bench/orders-figures.ts');
        const { figures, loop } = await settlementFigures(folder, scale);
        return [...figures, ...(await ordersFigures(folder, scale, loop))];
      },
    },
    waiting: {
      summary: 'an answer of another bank while a run settles',
      measure: async (folder, scale) => (await import('./bench/waiting-figures.ts')).waitingFigures(folder, scale),
    },
    'time-machine': {
      summary: 'restores and resets, a year with payments every day, many banks',
      measure: async (folder, scale) =>
        (await import('./bench/time-machine-figures.ts')).timeMachineFigures(folder, scale),
    },
    forecast: {
      summary: 'a forecast',
      measure: async (folder) => (await import('./bench/forecast-figures.ts')).forecastFigures(folder),
    },
    harness: {
      summary: 'opening a bank for a test',
      measure: async () => (await import('./bench/harness-figures.ts')).harnessFigures(),
    },
    initiation: {
      summary: 'signed initiations, beside a hand-written server',
      measure: async (folder, scale) =>
        (await import('./bench/initiation-figures.ts')).initiationFigures(folder, scale),
    },
    reading: {
      summary: 'signed reads of an account, beside a hand-written server',
      measure: async (folder, scale) => (await import('./bench/reading-figures.ts')).readingFigures(folder, scale),
    },
    refusals: {
      summary: 'accepted requests beside refused ones',
      measure: async (_, scale) => (await import('./bench/refusal-figures.ts')).refusalFigures(scale),
    },
    paging: {
      summary: 'a page of a large account, beside one of a small account',
      measure: async (folder, scale) => (await import('./bench/paging-figures.ts')).pagingFigures(folder, scale),
    },
    costs: {
      summary: 'source files and statements of three requests',
      measure: async () => (await import('./bench/request-costs.ts')).requestCosts(),
    },
    start: {
      summary: 'start, memory and commands, beside a hand-written server',
      measure: async (folder) => (await import('./bench/start-figures.ts')).startFigures(folder),
    },
    prism: {
      summary: "the same requests to Prism's mock of our API document; its first run fetches Prism",
      isExtra: true,
      measure: async (folder, scale) => (await import('./bench/prism/prism-figures.ts')).prismFigures(folder, scale),
    },
  }),
);

const usage = `npm run bench [-- PART...] [--quick]

Measures and prints a table; exit code 1 if a target is missed. --quick: a tenth of the sizes.
Without a part all but prism are measured.

Parts:
${[...parts].map(([name, { summary }]) => `  ${name.padEnd(14)}${summary}\n`).join('')}`;

const config = { options: { quick: { type: 'boolean', default: false } }, allowPositionals: true } as const;

await runScript(usage, config, ({ values, positionals }) => main(positionals, values.quick ? 10 : 1));

async function main(names: readonly string[], scale: number): Promise<void> {
  const unknown = names.find((name) => !parts.has(name));
  if (unknown !== undefined) throw new WrongFlags(`There is no part ${unknown}`);
  const folder = mkdtempSync(join(tmpdir(), 'sandbank-bench-'));
  const figures: Figure[] = [];
  try {
    for (const [name, { isExtra, measure }] of parts) {
      if (names.length === 0 ? isExtra !== true : names.includes(name)) figures.push(...(await measure(folder, scale)));
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
  if (figures.some(({ isMet }) => !isMet)) process.exitCode = 1;
}
