import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Figure, isMet, table } from './measure.ts';
import { parts } from './parts.ts';
import { runScript } from '../../scripts/run-script.ts';
import { Mistake } from '../../engine/values/mistake.ts';

/** `NAME.ts`. It measures in a folder of its own; `scale` is what the sizes are divided by. */
interface Part {
  readonly figures: (folder: string, scale: number) => Promise<readonly Figure[]>;
}

const summaries = Object.entries(parts).map(([name, summary]) => `  ${name.padEnd(14)}${summary}\n`);
const usage = `npm run bench [-- PART...] [--quick]

Measures, prints a table when a part ends, and at the end how many figures miss their target; exit code 1 if one does. Standard
error tells what is being measured. --quick: a tenth of the sizes. Without a part all are measured.

Parts:
${summaries.join('')}`;

const config = { options: { quick: { type: 'boolean', default: false } }, allowPositionals: true } as const;

await runScript(usage, config, ({ values, positionals }) => main(positionals, values.quick ? 10 : 1));

async function main(names: readonly string[], scale: number): Promise<void> {
  const unknown = names.find((name) => !Object.hasOwn(parts, name));
  if (unknown !== undefined) throw new Mistake(`There is no part ${unknown}`);
  const all: Figure[] = [];
  for (const name of Object.keys(parts)) {
    if (names.length > 0 && !names.includes(name)) continue;
    console.error(`${name}: ${parts[name]}`);
    const { figures } = (await import(`./${name}.ts`)) as Part;
    using folder = mkdtempDisposableSync(join(tmpdir(), 'sandbank-bench-'));
    const measured = await figures(folder.path, scale);
    console.log(`${table(measured)}\n`);
    all.push(...measured);
  }
  const missed = all.filter((figure) => !isMet(figure)).length;
  console.log(`${all.length} figures, ${missed} missed`);
  if (missed > 0) process.exitCode = 1;
}
