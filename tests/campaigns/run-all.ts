import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { runScript, WrongFlags } from '../../scripts/run-script.ts';
import { campaigns } from './list.ts';
import { formatted } from '../support/formatted.ts';
import { keptIn, type Proved, proofPageOf, readmeLine } from './proof-page.ts';

const folder = 'docs/proof';

const usage = `npm run proof [-- [CAMPAIGN...] [--quick] [--seconds N] [--page]]

Runs the campaigns, writes what each of them did to ${folder}/CAMPAIGN.json, and makes docs/proof.md of these files.
Each campaign runs to its usual count or for --seconds (an hour), one campaign for each core at a time: about ten hours on two cores.
--quick gives each campaign 12 seconds, and the page says how far each came; a row that did more stays. It leaves out the alarm, which takes five minutes. --page makes the page alone, with the line of README.md that has two of its figures.`;

const config = {
  options: { quick: { type: 'boolean' }, page: { type: 'boolean' }, seconds: { type: 'string' } },
  allowPositionals: true,
} as const;

await runScript(usage, config, async ({ values: { quick = false, page = false, seconds }, positionals }) => {
  const unknown = positionals.find((name) => !Object.hasOwn(campaigns, name));
  if (unknown !== undefined) throw new WrongFlags(`There is no campaign ${unknown}`);
  mkdirSync(folder, { recursive: true });
  // The alarm waits for five minutes of the clock.
  const all = Object.keys(campaigns).filter((name) => !(quick && name === 'alarm'));
  const names = positionals.length > 0 ? positionals : all;
  if (!page) await proveAll(names, quick, seconds ?? (quick ? '12' : '3600'));
  writeFileSync('docs/proof.md', await formatted('proof.md', proofPageOf(folder)));
  const readme = readFileSync('README.md', 'utf8');
  writeFileSync('README.md', readme.replace(/^What proves it: .*$/m, readmeLine(folder)));
  console.log(
    `docs/proof.md is made of ${readdirSync(folder).length} files of ${folder}; README.md has its two figures.`,
  );
});

/** Runs the campaigns, each in a process of its own, as many at a time as there are cores. */
async function proveAll(names: readonly string[], isQuick: boolean, seconds: string): Promise<void> {
  const waiting = [...names];
  const worker = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const kept = keptIn<Proved>(folder, name);
      const report = `${folder}/${name}.json`;
      rmSync(report, { force: true });
      const flags = ['--seconds', seconds, '--report', report];
      const child = spawn(process.execPath, ['tests/campaigns/run.ts', name, ...flags], { stdio: 'inherit' });
      const [code] = await once(child, 'exit');
      const fresh = keptIn<Proved>(folder, name);
      if (code !== 0 || fresh === null) process.exitCode = 1;
      const isSound = kept?.violation === null && fresh?.violation === null;
      const isLess = fresh === null || (isQuick && isSound && kept.done > fresh.done);
      if (isLess && kept !== null) writeFileSync(report, `${JSON.stringify(kept, null, 2)}\n`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
}
