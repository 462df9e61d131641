import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseFlags } from '../api/start/parse-flags.ts';
import { table } from './bench/figure.ts';
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
  try {
    const settlement = await settlementFigures(folder, scale);
    const figures = [
      ...settlement.figures,
      ...(await waitingFigures(folder, scale)),
      ...(await ordersFigures(folder, scale, settlement.loop)),
      ...(await timeMachineFigures(folder, scale)),
      ...(await forecastFigures(folder)),
      ...(await harnessFigures()),
      ...(await initiationFigures(folder, scale)),
      ...(await readingFigures(folder, scale)),
      ...(await refusalFigures(scale)),
      ...(await pagingFigures(folder, scale)),
      ...(await requestCosts()),
      ...(await startFigures(folder)),
    ];
    console.log(table(figures));
    if (figures.some(({ isMet }) => !isMet)) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

await main();
