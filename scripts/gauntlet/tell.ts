import type { GauntletReport, GauntletTrial } from '../../api/harness/types/gauntlet.ts';
import { html } from '../../api/pages/html.ts';
import { counted } from '../cli/output.ts';

const signs = { survived: '✓', noticed: '✓', flaky: '?', broke: '✗', hangs: '✗', 'not noticed': '✗' } as const;

/** The lines of a trial that has run. */
export function trialLines(trial: GauntletTrial): readonly string[] {
  const { name, parts, verdict, tests, output, change, sentence, banks, docs, again } = trial;
  // The end names it, with the reason.
  if (verdict === 'not heard') return [];
  // The first of its sentences.
  const own = `${name.padEnd(22)} ${sentence.replace(/(?<=\.) .*/s, '').padEnd(56)}`;
  const head = `  ${signs[verdict]} ${parts === undefined ? own : `${parts.join(' + ')}   green alone, broken together;`}`;
  if (verdict === 'not noticed') return [`${head} not noticed: no test saw that the answer was forged`];
  const [first] = tests;
  if (!isFailed(trial)) return [`${head} ${verdict}`];
  const broken = first === undefined ? [] : [counted(tests.length, 'test breaks', 'tests break')];
  const hangs = verdict === 'hangs' || first === undefined ? [verdict] : [];
  const seen = banks.length === 0 ? '' : `seen at ${counted(banks.length, 'bank')}; `;
  const about = [
    first === undefined ? (output ?? '') : `"${first.name}" ${first.file}`,
    change === null ? (first?.message ?? '') : `${change.call}: ${changeText(change)}`,
    `${seen}${docs}; again: ${again}`,
  ];
  const lines = about.flatMap((text) => text.split('\n')).filter((line) => line.trim() !== '');
  return [`${head} ${[...hangs, ...broken].join(', ')}`, ...lines.map((line) => `      ${line.trimEnd()}`)];
}

function changeText({ path, before, after }: NonNullable<GauntletTrial['change']>): string {
  return path === 'trial'
    ? 'here the trial acts first'
    : `${path} had ${before ?? 'nothing'}, now ${after ?? 'nothing'}`;
}

/** The line before the trials. */
export function baselineLine({ tests, calls }: GauntletReport['baseline']): string {
  const passed = tests === null ? '' : `${counted(tests, 'test passes', 'tests pass')}, `;
  return `baseline: ${passed}${counted(calls, 'call')}`;
}

/** What is not heard and not met, and the count of survivals. */
export function endLines({ trials, notMet, together }: GauntletReport): readonly string[] {
  const unheard = trials.filter(({ verdict }) => verdict === 'not heard');
  const survived = trials.filter(isSurvived);
  const byReason = Map.groupBy(unheard, ({ notHeard = '' }) => notHeard);
  const reasons = [...byReason].map(([reason, all]) => `  - ${reason}: ${all.map(({ name }) => name).join(', ')}`);
  const lacking = Object.entries(notMet).map(([kind, all]) => `${all.length} ${kind}`);
  return [
    ...(unheard.length === 0 ? [] : ['not heard:', ...reasons]),
    `not met by any test: ${lacking.join(', ')}; --json FILE names them, each with a scenario that shows it`,
    `survived ${survived.length} of ${trials.length - unheard.length}; ${unheard.length} were not heard by any test`,
    together === null ? 'Nothing was tried together: --together does.' : stormLine(together),
  ];
}

function stormLine({ worlds, trials, pairs, notTried }: NonNullable<GauntletReport['together']>): string {
  const rest = notTried === 0 ? 'all were tried' : `${notTried} were not tried: --minutes gives more time`;
  return `together: ${counted(pairs, 'pair')} of ${counted(trials, 'trial')} in ${counted(worlds, 'world')}; ${rest}`;
}

/** The report in the XML of JUnit: a test case for each trial. */
export function junitOf({ trials }: GauntletReport): string {
  const failed = trials.filter(isFailed);
  const skipped = trials.filter(({ verdict }) => verdict === 'not heard');
  const cases = trials.map((trial) => {
    const { name, kind, seconds, sentence, verdict, notHeard = '' } = trial;
    const text = escaped(trialLines(trial).slice(1).join('\n'));
    const told = isFailed(trial)
      ? `<failure type="${verdict}" message="${escaped(sentence)}">${text}</failure>`
      : verdict === 'not heard' && `<skipped message="${escaped(notHeard)}"/>`;
    return `  <testcase classname="gauntlet.${kind}" name="${name}" time="${seconds}">${told || ''}</testcase>`;
  });
  const counts = `tests="${trials.length}" failures="${failed.length}" skipped="${skipped.length}"`;
  const head = `<?xml version="1.0" encoding="UTF-8"?>\n<testsuite name="gauntlet" ${counts}>`;
  return `${[head, ...cases].join('\n')}\n</testsuite>\n`;
}

/** Whether a trial makes the exit code 1. */
export function isFailed({ verdict }: Pick<GauntletTrial, 'verdict'>): boolean {
  return verdict === 'broke' || verdict === 'hangs' || verdict === 'not noticed';
}

/** Whether a trial was borne, or a forged answer seen. */
export function isSurvived({ verdict }: Pick<GauntletTrial, 'verdict'>): boolean {
  return verdict === 'survived' || verdict === 'noticed';
}

/**
 * A text in XML, which has no control characters but these two, no halves of characters and not these two ends of a
 * plane.
 */
function escaped(text: string): string {
  return html`${text.toWellFormed().replaceAll(/(?![\n\t])\p{Cc}|[\uFFFE\uFFFF]/gu, '?')}`.text;
}
