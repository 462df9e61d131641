import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseFlags } from '../api/start/parse-flags.ts';
import { type Figure, table } from './bench/figure.ts';
import { forecastFigures } from './bench/forecast-figures.ts';
import { harnessFigures } from './bench/harness-figures.ts';
import { initiationFigures } from './bench/initiation-figures.ts';
import { ordersFigures } from './bench/orders-figures.ts';
import { pagingFigures } from './bench/paging-figures.ts';
import { readingFigures } from './bench/reading-figures.ts';
import { refusalFigures } from './bench/refusal-figures.ts';
import { requestCosts } from './bench/request-costs.ts';
import { settlementFigures } from './bench/settlement-figures.ts';
import { startFigures } from './bench/start-figures.ts';
import { timeMachineFigures } from './bench/time-machine-figures.ts';
import { waitingFigures } from './bench/waiting-figures.ts';

/** `npm run bench [-- --quick]`: measures and prints a table; exit code 1 if a target is missed. --quick: a tenth of the sizes. */
async function main(): Promise<void> {
  const { values } = parseFlags({ options: { quick: { type: 'boolean', default: false } } });
  const scale = values.quick ? 10 : 1;
  const folder = mkdtempSync(join(tmpdir(), 'sandbank-bench-'));
  const figures: Figure[] = [];
  try {
    const settlement = await settlementFigures(folder, scale);
    figures.push(...settlement.figures);
    figures.push(...(await waitingFigures(folder, scale)));
    figures.push(...(await ordersFigures(folder, scale, settlement.loop)));
    figures.push(...(await timeMachineFigures(folder, scale)));
    figures.push(...(await forecastFigures(folder)));
    figures.push(...(await harnessFigures()));
    figures.push(...(await initiationFigures(folder, scale)));
    figures.push(...(await readingFigures(folder, scale)));
    figures.push(...(await refusalFigures(scale)));
    figures.push(...(await pagingFigures(folder, scale)));
    figures.push(...(await requestCosts()));
    figures.push(...(await startFigures(folder)));
  } finally {
    // Also what was measured before one of them failed.
    console.log(table(figures));
    rmSync(folder, { recursive: true });
  }
  if (figures.some(({ isMet }) => !isMet)) process.exitCode = 1;
}

await main();
