import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import type { CampaignReport } from './campaign.ts';
import { campaigns } from './list.ts';

/** Where the reports of the campaigns are kept, with the notes and the mutants. */
export const keptFolder = 'tests/campaigns/kept';

/** What `npm run campaigns -- CAMPAIGN --report` writes. */
export interface KeptReport extends CampaignReport {
  readonly campaign: string;
  readonly unit: string;
  /** Units that it was to do. */
  readonly asked: number;
  readonly seconds: number;
  /** Short hash of the commit that ran. */
  readonly commit: string;
}

type FaultsByCampaign = Readonly<Record<string, readonly { readonly fault: string; readonly again: string }[]>>;

/** The sentences of the page that no campaign can write; they hold no figures. */
interface Notes {
  /** Faults that a campaign found and that are mended, by campaign, with the command that found each of them or that would today. */
  readonly found: FaultsByCampaign;
  /** The same of faults that are not mended yet. */
  readonly open: FaultsByCampaign;
  readonly notCovered: readonly string[];
  /** Why a broken line changes nothing, by `FILE: BROKEN LINE`. */
  readonly survivors: Readonly<Record<string, string>>;
}

/** A broken line, and what noticed it. */
export interface Mutant {
  readonly file: string;
  readonly line: number;
  readonly was: string;
  readonly broken: string;
  /** Whether the simulated banks have other money, dates or statuses with it, or stop. */
  readonly changesBooks: boolean;
  readonly byAuditor: boolean;
  /** The first test file that fails; null: all pass; left out: none ran, since the auditor noticed it or for lack of time. */
  readonly byTests?: string | null;
}

/** What `npm run mutants` wrote of a room. */
export interface Mutants {
  readonly room: string;
  readonly commit: string;
  readonly seed: number;
  readonly mutants: Mutant[];
}

/** What a file of the folder has; null: there is no such file. */
export function keptIn<Kept>(folder: string, name: string): Kept | null {
  const path = `${folder}/${name}.json`;
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Kept) : null;
}

/** The short hash of the commit that is checked out. */
export function headCommit(): string {
  return execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8' }).trim();
}

/** docs/how-we-know.md, from the files of a folder. */
export function pageOf(folder: string): string {
  const kept = <Kept>(name: string): Kept | null => keptIn(folder, name);
  const reports = Object.keys(campaigns).flatMap((name) => kept<KeptReport>(name) ?? []);
  return pageOfReports(
    reports,
    kept<readonly Mutants[]>('mutants') ?? [],
    kept<Notes>('notes') ?? { found: {}, open: {}, notCovered: [], survivors: {} },
  );
}

function pageOfReports(
  reports: readonly KeptReport[],
  mutants: readonly Mutants[],
  { found, open, notCovered, survivors }: Notes,
): string {
  const ended = reports.filter(({ done, asked }) => done < asked).length;
  return `# How we know

\`npm run campaigns\` makes this page from the output of the campaigns, which is in \`tests/campaigns/kept\`. A campaign makes random moves from a seed, and compares
the bank with what it promises. The same seed makes the same moves, so the command in the last column repeats a row. A whole run takes about
${Math.ceil(Object.keys(campaigns).length / 2)} hours on two cores; \`--quick\` takes five minutes.

${ended > 0 ? `**${ended} of ${reports.length} campaigns ended at their time limit, before their count.**\n` : ''}
| campaign | tried | how often | violations | commit | again |
|---|---|---|---|---|---|
${reports.map(rowOf).join('\n')}

## What each campaign did

The largest counts of each campaign; its file in \`tests/campaigns/kept\` has all of them.

${reports.map(detailsOf).join('\n')}

${mutants.length === 0 ? '' : mutantsSection(mutants, survivors)}## Found and mended

A command with a seed is the one that found the fault. The others run the test that would find it today.

${faultsTable(found)}

${Object.keys(open).length === 0 ? '' : `## Found and not mended yet\n\n${faultsTable(open)}\n\n`}## Not covered

${notCovered.map((line) => `- ${line}`).join('\n')}
`;
}

function faultsTable(faults: FaultsByCampaign): string {
  const rows = Object.entries(faults).flatMap(([name, all]) =>
    all.map(({ fault, again }) => `| ${name} | ${fault} | \`${again}\` |`),
  );
  return ['| campaign | fault | again |', '|---|---|---|', ...rows].join('\n');
}

function rowOf({ campaign, unit, seed, done, asked, commit, violation }: KeptReport): string {
  const again = `npm run campaigns -- ${campaign} --seed ${seed} --count ${done}`;
  const times = `${grouped(done)} ${done < asked ? `of ${grouped(asked)} ` : ''}${unit}`;
  return `| ${campaign} | ${campaigns[campaign]} | ${times} | ${violation === null ? 'none' : 'one'} | \`${commit}\` | \`${again}\` |`;
}

/** How many counts of a campaign the page shows, and how many characters of a violation. */
const [maxCounts, maxViolation] = [6, 300];

/** One line for a campaign: its largest counts. */
function detailsOf({ campaign, tallies, seconds, violation }: KeptReport): string {
  const largest = Object.entries(tallies).toSorted(([, one], [, other]) => other - one);
  const counts = largest.slice(0, maxCounts).map(([what, times]) => `${what} ${grouped(times)}`);
  if (largest.length > maxCounts) counts.push(`and ${largest.length - maxCounts} more counts`);
  const broken = violation === null ? '' : ` **Violation:** ${violation.slice(0, maxViolation)}`;
  return `- **${campaign}** (${grouped(seconds)} s): ${counts.join(', ') || 'no counts'}.${broken}`;
}

/** A table by room, and the mutants that nothing noticed, with the reason why they change nothing. */
function mutantsSection(rooms: readonly Mutants[], reasons: Notes['survivors']): string {
  const rowOf = (name: string, some: readonly Mutant[]): string => {
    const number = (is: (one: Mutant) => boolean): number => some.filter(is).length;
    const counts = [
      number(({ changesBooks }) => changesBooks),
      number(({ byAuditor }) => byAuditor),
      number(({ byTests }) => typeof byTests === 'string'),
      number(({ byTests }) => byTests === null),
      number(({ byAuditor, byTests }) => !byAuditor && byTests === undefined),
    ];
    return `| ${[name, some.length, ...counts].join(' | ')} |`;
  };
  const all = rooms.flatMap(({ mutants }) => mutants);
  const survivors = all.filter(({ byTests }) => byTests === null);
  const unseen = all.filter(({ changesBooks, byAuditor }) => changesBooks && !byAuditor);
  const told = ({ file, line, was, broken }: Mutant): string => {
    const reason = reasons[`${file}: ${broken}`] ?? '';
    return `- \`${file}:${line}\`: ${code(was)} became ${code(broken)}. ${reason}`.trimEnd();
  };
  const seeds = [...new Set(rooms.map(({ seed }) => seed))].join(', ');
  const commits = [...new Set(rooms.map(({ commit }) => `\`${commit}\``))].join(', ');
  const count = Math.max(...rooms.map(({ mutants }) => mutants.length));
  return `## Broken lines

\`npm run mutants -- --seed ${seeds} --count ${count}\` broke one line at a time (commit ${commits}). First the auditor compared simulated banks with its own
calculation. Where it saw nothing, tests ran: those of the room, the scenarios and the properties, and those of other rooms. The third column counts the
broken lines that changed money, dates or statuses of these banks, or ended them.

| room | broken | changed the books | seen by the auditor | else by tests | by nothing | not tested yet |
|---|---|---|---|---|---|---|
${[...rooms.map(({ room, mutants }) => rowOf(room, mutants)), rowOf('all', all)].join('\n')}

${unseen.length === 0 ? '' : `Changes of the books that the auditor did not see:\n\n${unseen.map(told).join('\n')}\n\n`}${survivors.length === 0 ? 'Each line that was tested was noticed.' : `Nothing of this noticed these:\n\n${survivors.map(told).join('\n')}`}

`;
}

/** A line of code that may have backticks. */
function code(line: string): string {
  return line.includes('`') ? `\`\` ${line} \`\`` : `\`${line}\``;
}

/** `12,345`. */
function grouped(count: number): string {
  return count.toLocaleString('en-GB');
}
