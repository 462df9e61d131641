import { existsSync, readFileSync } from 'node:fs';
import { campaigns } from './list.ts';

/** What a run of a campaign wrote to docs/proof. */
export interface Proved {
  readonly campaign: string;
  readonly unit: string;
  readonly seed: number;
  readonly done: number;
  readonly seconds: number;
  /** Short hash of the commit that ran. */
  readonly commit: string;
  readonly isQuick: boolean;
  readonly tallies: Readonly<Record<string, number>>;
  /** Null if the bank kept every promise. */
  readonly violation: string | null;
}

/** The sentences of the page that no campaign can write; they hold no figures. */
interface ProofNotes {
  /** Faults that a campaign found and that are mended, by campaign. */
  readonly found: Readonly<Record<string, readonly string[]>>;
  readonly notCovered: readonly string[];
}

/** A broken line, and what noticed it. */
export interface Mutant {
  readonly room: string;
  readonly file: string;
  readonly line: number;
  readonly was: string;
  readonly broken: string;
  readonly byAuditor: boolean;
  readonly byTests: boolean;
}

/** What `npm run mutants` wrote. */
export interface Mutants {
  readonly commit: string;
  readonly seed: number;
  readonly mutants: readonly Mutant[];
}

/** docs/proof.md, from the files of a folder. */
export function proofPageOf(folder: string): string {
  const kept = <Kept>(name: string): Kept | null => {
    const path = `${folder}/${name}.json`;
    return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Kept) : null;
  };
  const proved = Object.keys(campaigns).flatMap((name) => kept<Proved>(name) ?? []);
  return proofPage(proved, kept<Mutants>('mutants'), kept<ProofNotes>('notes') ?? { found: {}, notCovered: [] });
}

/** `mutants` is null if no mutant was made yet. */
function proofPage(proved: readonly Proved[], mutants: Mutants | null, { found, notCovered }: ProofNotes): string {
  const quick = proved.filter(({ isQuick }) => isQuick).length;
  return `# How we know

\`npm run proof\` makes this page from the output of the campaigns, which is in \`docs/proof\`. A campaign makes random moves from a seed, and compares
the bank with what it promises. The same seed makes the same moves, so the command in the last column repeats a row.

${quick > 0 ? `**${quick} of ${proved.length} rows come from a quick run: each campaign ended after some seconds, or at its usual count.**\n` : ''}
| campaign | tried | how often | violations | commit | again |
|---|---|---|---|---|---|
${proved.map(rowOf).join('\n')}

## What each campaign did

The largest counts of each campaign; its file in \`docs/proof\` has all of them.

${proved.map(detailsOf).join('\n')}

${mutants === null ? '' : mutantsSection(mutants)}## Found and mended

${Object.entries(found)
  .map(([name, faults]) => `- **${name}**: ${faults.join(' ')}`)
  .join('\n')}

## Not covered

${notCovered.map((line) => `- ${line}`).join('\n')}
`;
}

function rowOf({ campaign, unit, seed, done, commit, violation, isQuick }: Proved): string {
  const again = `npm run soak -- ${campaign} --seed ${seed} --count ${done}`;
  const times = `${grouped(done)} ${unit}${isQuick ? ' (quick)' : ''}`;
  return `| ${campaign} | ${campaigns[campaign]} | ${times} | ${violation === null ? 'none' : 'one'} | \`${commit}\` | \`${again}\` |`;
}

/** How many counts of a campaign the page shows. */
const maxCounts = 6;

/** One line for a campaign: its largest counts. */
function detailsOf({ campaign, tallies, seconds, violation }: Proved): string {
  const largest = Object.entries(tallies).toSorted(([, one], [, other]) => other - one);
  const counts = largest.slice(0, maxCounts).map(([what, times]) => `${what} ${grouped(times)}`);
  if (largest.length > maxCounts) counts.push(`and ${largest.length - maxCounts} more counts`);
  const broken = violation === null ? '' : ` **Violation:** ${violation}`;
  return `- **${campaign}** (${grouped(seconds)} s): ${counts.join(', ') || 'no counts'}.${broken}`;
}

/** A table by room, and the mutants that nothing noticed. */
function mutantsSection({ commit, seed, mutants }: Mutants): string {
  const rooms = [...new Set(mutants.map(({ room }) => room))];
  const rows = rooms.map((room) => {
    const ofRoom = mutants.filter((one) => one.room === room);
    const number = (is: (one: Mutant) => boolean): number => ofRoom.filter(is).length;
    const noticed = number(({ byAuditor, byTests }) => byAuditor || byTests);
    return `| ${room} | ${ofRoom.length} | ${noticed} | ${number(({ byTests }) => byTests)} | ${number(({ byAuditor }) => byAuditor)} |`;
  });
  const survivors = mutants.filter(({ byAuditor, byTests }) => !byAuditor && !byTests);
  return `## Broken lines

\`npm run mutants -- --seed ${seed}\` broke one line at a time on commit \`${commit}\`. The auditor ran five simulated years against each broken line.

| room | broken | noticed | by tests | by the auditor |
|---|---|---|---|---|
${rows.join('\n')}

${survivors.length === 0 ? 'Each broken line was noticed.' : 'Nothing noticed these:'}

${survivors.map(({ file, line, was, broken }) => `- \`${file}:${line}\`: \`${was}\` became \`${broken}\``).join('\n')}

`;
}

/** \`12,345\`. */
function grouped(count: number): string {
  return count.toLocaleString('en-GB');
}
