import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { formatted } from '../support/formatted.ts';
import { campaigns } from './list.ts';
import { keptFolder, keptIn, type KeptReport, pageOf } from './page.ts';

/**
 * Runs all campaigns and keeps their reports: each campaign in a process of its own, as many at a time as there are cores. `seconds`: for
 * each campaign; null: an hour, or 12 seconds if it is quick. The quick ones leave out the alarm, which waits for five minutes of the clock.
 * A campaign that fails, or finds a fault, sets the exit code 1.
 */
export async function runAll({
  isQuick,
  seconds,
}: {
  readonly isQuick: boolean;
  readonly seconds: number | null;
}): Promise<void> {
  const waiting = Object.keys(campaigns).filter((name) => !(isQuick && name === 'alarm'));
  const worker = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const kept = keptIn<KeptReport>(keptFolder, name);
      const report = `${keptFolder}/${name}.json`;
      rmSync(report, { force: true });
      const flags = ['--seconds', String(seconds ?? (isQuick ? 12 : 3600)), '--report', report];
      const child = spawn(process.execPath, ['tests/campaigns/run.ts', name, ...flags], { stdio: 'inherit' });
      const [code] = await once(child, 'exit');
      const fresh = keptIn<KeptReport>(keptFolder, name);
      if (code !== 0 || fresh === null) process.exitCode = 1;
      const isSound = kept?.violation === null && fresh?.violation === null;
      const isLess = fresh === null || (isQuick && isSound && kept.done > fresh.done);
      if (isLess && kept !== null) writeFileSync(report, `${JSON.stringify(kept, null, 2)}\n`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
}

/** Makes docs/how-we-know.md from the kept reports. */
export async function writePage(): Promise<void> {
  writeFileSync('docs/how-we-know.md', await formatted('how-we-know.md', pageOf(keptFolder)));
  console.log(`docs/how-we-know.md is made from ${keptFolder}.`);
}
