import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import type { CampaignReport } from './campaign.ts';
import { type CampaignName, campaignNames, campaigns } from './list.ts';

/** Where the reports of the campaigns are kept, with the notes and the mutants. */
export const keptFolder = 'tests/campaigns/kept';

/** What `npm run campaigns` keeps of a campaign. */
export interface KeptReport extends CampaignReport {
  readonly campaign: CampaignName;
  readonly unit: string;
  /** Units that it was to do. */
  readonly asked: number;
  readonly seconds: number;
  /** Short hash of the commit that ran. */
  readonly commit: string;
}

interface Found {
  readonly fault: string;
  /** Short hash of the commit that mended it. Left out: the fault is older than the first page. */
  readonly commit?: string;
  /** The command that found it, or that would today. */
  readonly again: string;
}

/** The sentences of the page that no campaign can write; they hold no figures. */
export interface Notes {
  /** In the reader's order, with the campaigns that attack each. Each campaign attacks one. */
  readonly promises: readonly { readonly promise: string; readonly campaigns: readonly CampaignName[] }[];
  /** Faults of the bank that a campaign found and that are mended. */
  readonly found: Readonly<Partial<Record<CampaignName, readonly Found[]>>>;
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
  /** `auditor`, or the first test file that fails; null: nothing noticed it. */
  readonly by: string | null;
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

/** Whether all that a campaign runs is as it was in this commit. */
export function isCurrent(commit: string): boolean {
  const code = ['engine', 'api', 'scripts', 'fixtures', 'tests/lab', 'tests/campaigns/*.ts'];
  return spawnSync('git', ['diff', '--quiet', commit, '--', ...code]).status === 0;
}

/** docs/how-we-know.md, from the files of a folder. */
export function pageOf(folder: string): string {
  const reports = campaignNames.flatMap((name) => keptIn<KeptReport>(folder, name) ?? []);
  const notes = keptIn<Notes>(folder, 'notes');
  if (notes === null) throw new Error(`${folder} has no notes.json`);
  const { promises, found, notCovered, survivors } = notes;
  const sectionOf = ({ promise, campaigns: names }: Notes['promises'][number], index: number): string => {
    const attacks = names.map((name) =>
      attackOf(
        name,
        reports.find(({ campaign }) => campaign === name),
      ),
    );
    const faults = names.flatMap((name) => (found[name] ?? []).map((one) => faultOf(one)));
    return `## ${index + 1}. ${promise}\n\n${[...attacks, ...faults].join('\n')}`;
  };
  const ran = reports.reduce((sum, { seconds }) => sum + seconds, 0);
  return `# How we know

These are the ten promises of the bank, and the searches that try to break them. A campaign makes random moves from a seed and compares the bank with
what it promises. It stops at the first difference. The same seed makes the same moves, so each command here repeats a search.

\`npm run campaigns\` runs them all, years on all cores, and makes this page from their reports, which are in \`tests/campaigns/kept\`. ${reachedText(reports)}
One after another they took ${grouped(Math.round(ran / 60))} minutes. \`npm run campaigns -- --quick\` takes two minutes at most. The tests of each commit run the same small counts,
and prove that each campaign notices the harm that a test does to the bank. Every night all campaigns run with another seed.

${promises.map(sectionOf).join('\n\n')}

## The auditor

The auditor of the simulated years is a second bank, written from the rules in the plainest way. It shares no code with the first. It reads what a client
can read: the answers of the bank, and the entries of its books. It reads no table that the bank works with. \`npm test -- tests/full/campaigns/lies.test.ts\`
changes the books in twenty ways, one at a time, and the auditor sees each.

${mutantsSection(keptIn<readonly Mutants[]>(folder, 'mutants') ?? [], survivors)}## Not covered

${notCovered.map((line) => `- ${line}`).join('\n')}
`;
}

function reachedText(reports: readonly KeptReport[]): string {
  const short = reports.filter(({ done, campaign }) => done < campaigns[campaign].count);
  if (short.length === 0) return `All ${reports.length} campaigns reached their counts.`;
  return `${reports.length - short.length} of ${reports.length} campaigns reached their counts. These did not: ${short.map(({ campaign }) => campaign).join(', ')}.`;
}

function attackOf(name: CampaignName, report: KeptReport | undefined): string {
  const { tries, unit, count } = campaigns[name];
  if (report === undefined) return `- **${name}**: ${tries}. It has no report yet.`;
  const { done, violation, commit, seed } = report;
  const times = `${grouped(done)} ${done < count ? `of ${grouped(count)} ` : ''}${unit}`;
  const result = violation === null ? 'no violation' : `a violation: ${violation.slice(0, maxViolation)}`;
  return `- **${name}**: ${tries}. ${times}, ${result} (\`${commit}\`).\n  \`npm run campaigns -- ${name} --seed ${seed} --count ${done}\``;
}

/** How many characters of a violation the page shows. */
const maxViolation = 300;

function faultOf({ fault, commit, again }: Found): string {
  return `- It found: ${fault} ${commit === undefined ? '' : `Mended in \`${commit}\`. `}\`${again}\``;
}

/** A line by room, and the mutants that nothing noticed, with the reason why they change nothing. */
function mutantsSection(rooms: readonly Mutants[], reasons: Notes['survivors']): string {
  if (rooms.length === 0) return '';
  const all = rooms.flatMap(({ mutants }) => mutants);
  const lineOf = ({ room, mutants }: Pick<Mutants, 'room' | 'mutants'>): string => {
    const unseen = mutants.filter(({ by }) => by === null).length;
    const audited = mutants.filter(({ by }) => by === 'auditor').length;
    const tested = mutants.length - unseen - audited;
    return `- **${room}**: ${mutants.length} broken, ${audited} seen by the auditor, ${tested} by tests, ${unseen} by nothing.`;
  };
  const told = ({ file, line, was, broken }: Mutant): string =>
    `- \`${file}:${line}\`: ${code(was)} became ${code(broken)}. ${reasons[`${file}: ${broken}`] ?? ''}`.trimEnd();
  const survivors = all.filter(({ by }) => by === null).map(told);
  const [{ seed, commit, mutants } = { seed: 1, commit: '', mutants: all }] = rooms;
  return `## Broken lines

\`npm run mutants -- --seed ${seed} --count ${mutants.length}\` broke one line at a time (\`${commit}\`), in each room of rules. The auditor looked first, then the tests of
the room, the scenarios and properties, and the tests of other rooms.

${[...rooms, { room: 'all', mutants: all }].map(lineOf).join('\n')}

${survivors.length === 0 ? 'Something noticed each line.' : `Nothing noticed these:\n\n${survivors.join('\n')}`}

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
