import { mkdirSync, mkdtempDisposableSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runScript } from '../../scripts/run-script.ts';
import { apiDocument } from './api-document.ts';
import { Place, ProgramFailed, type WideCheck } from './check.ts';
import { collections } from './collections.ts';
import { bench } from './bench.ts';
import { dockerImage } from './image.ts';
import { install } from './install.ts';
import { oneClock } from './one-clock.ts';
import { postman } from './postman.ts';
import { runners } from './runners.ts';
import { release } from './release.ts';
import { Mistake } from '../../engine/values/mistake.ts';

/** Every check, in the order in which they run. */
const checks: readonly WideCheck[] = [
  ...runners,
  apiDocument,
  postman,
  collections,
  install,
  oneClock,
  release,
  bench,
  dockerImage,
];

const usage = `npm run check:wide [-- NAME...]

Packs this clone and uses the package in empty folders, with packages of others that it fetches from the registry.
Without a name all checks run, one after the other. One that this machine lacks the programs for is left out and named; asked for by
its name it fails. Nothing is left behind but npm's cache and the built package.

Checks:
${checks.map(({ name, summary }) => `  ${name.padEnd(20)}${summary}\n`).join('')}`;

await runScript(usage, { options: {}, allowPositionals: true }, ({ positionals }) => main(positionals));

async function main(names: readonly string[]): Promise<void> {
  const unknown = names.find((name) => checks.every((check) => check.name !== name));
  if (unknown !== undefined) throw new Mistake(`There is no check ${unknown}`);
  const chosen = checks.filter(({ name }) => names.length === 0 || names.includes(name));
  using folder = mkdtempDisposableSync(join(tmpdir(), 'sandbank-wide-'));
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort());
  const counts = { passed: 0, failed: 0, leftOut: 0 };
  for (const check of chosen) {
    const missing = check.missing?.() ?? null;
    if (missing !== null) {
      console.log(`${check.name.padEnd(20)}not run: ${missing}`);
      counts.leftOut += 1;
      continue;
    }
    const at = join(folder.path, check.name);
    mkdirSync(at);
    const begun = performance.now();
    const problem = await problemOf(check, new Place(at, ending.signal));
    if (ending.signal.aborted) break;
    const seconds = ((performance.now() - begun) / 1000).toFixed(1).padStart(6);
    console.log(`${check.name.padEnd(20)}${seconds} s  ${problem === null ? 'passed' : 'FAILED'}`);
    if (problem !== null) console.error(problem);
    counts[problem === null ? 'passed' : 'failed'] += 1;
    rmSync(at, { recursive: true });
  }
  const left = chosen.length - counts.passed - counts.failed;
  console.log(`${counts.passed} passed, ${counts.failed} failed${left === 0 ? '' : `, ${left} not run`}`);
  const isEnough = counts.passed === chosen.length - (names.length === 0 ? counts.leftOut : 0);
  if (!isEnough) process.exitCode = 1;
}

/** Null if the check passes, else what it says. */
async function problemOf(check: WideCheck, place: Place): Promise<string | null> {
  try {
    await check.run(place);
    return null;
  } catch (error) {
    if (error instanceof ProgramFailed) return error.message;
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}
