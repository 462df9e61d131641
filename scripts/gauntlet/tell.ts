import type { GauntletReport, GauntletTrial } from '../../api/harness/types/gauntlet.ts';
import { html } from '../../api/pages/html.ts';
import { counted } from '../cli/output.ts';

/** How many names of what was not met a line shows. */
const maxShown = 6;

/** The lines of a trial that has run. */
export function trialLines(trial: GauntletTrial): readonly string[] {
  const { name, verdict, tests, output, change, sentence, banks, docs, again } = trial;
  if (verdict === 'not heard') return [];
  if (verdict === 'survived') return [`  ✓ ${name.padEnd(24)} survived`];
  if (verdict === 'flaky') return [`  ? ${name.padEnd(24)} flaky: the suite failed though the trial did nothing`];
  const [first] = tests;
  const broken =
    tests.length === 0
      ? verdict
      : `${verdict === 'broke' ? '' : `${verdict}: `}${counted(tests.length, 'test')} ${tests.length === 1 ? 'breaks' : 'break'}`;
  return [
    `  ✗ ${name.padEnd(24)} ${broken}`,
    `      ${sentence}`,
    ...(first === undefined
      ? (output ?? '').split('\n').filter(Boolean)
      : [`"${first.name}" ${first.file}`.trim()]
    ).map((line) => `      ${line}`),
    ...(change === null
      ? []
      : change.path === 'trial'
        ? [`      ${change.call}: here the trial acts first`]
        : [`      ${change.call}: ${change.path} had ${change.before ?? 'nothing'}, now ${change.after ?? 'nothing'}`]),
    `      ${banks.length === 0 ? '' : `seen at ${counted(banks.length, 'bank')}; `}${docs}; again: ${again}`,
  ];
}

/** The line before the trials. */
export function baselineLine({ tests, calls }: GauntletReport['baseline'], heard: number, all: number): string {
  const passed = tests === null ? '' : `${counted(tests, 'test')} pass, `;
  return `baseline: ${passed}${counted(calls, 'call')}, ${heard} of ${counted(all, 'trial')} can be heard`;
}

/** What is not heard and not met, and the count of survivals. */
export function endLines({ trials, notMet }: GauntletReport): readonly string[] {
  const unheard = trials.filter(({ verdict }) => verdict === 'not heard');
  const ran = trials.filter(({ verdict }) => verdict !== 'not heard');
  const survived = ran.filter(({ verdict }) => verdict === 'survived');
  const lacking = Object.entries(notMet).filter(([, all]) => all.length > 0);
  return [
    ...(unheard.length === 0 ? [] : ['not heard:', ...unheardLines(unheard)]),
    ...(lacking.length === 0 ? [] : ['not met by any test:']),
    ...lacking.map(([kind, all]) => {
      const [first] = all.slice(0, maxShown).filter(({ scenario }) => scenario !== null);
      const shown = first === undefined ? '' : `; sandbank play ${first.scenario} shows ${first.name}`;
      const more = all.length > maxShown ? ` and ${all.length - maxShown} more (--json has them)` : '';
      const names = all.slice(0, maxShown).map(({ name }) => name);
      return `  ${kind}: ${names.join(', ')}${more}${shown}`;
    }),
    `survived ${survived.length} of ${ran.length}; ${unheard.length} were not heard by any test`,
  ];
}

/** The trials that nothing can hear, those of one reason in one line. */
function unheardLines(trials: readonly GauntletTrial[]): readonly string[] {
  const byReason = Map.groupBy(trials, ({ notHeard = '' }) => notHeard);
  return [...byReason].map(([reason, all]) => `  - ${reason}: ${all.map(({ name }) => name).join(', ')}`);
}

/** The report in the XML of JUnit: a test case for each trial. */
export function junitOf({ trials }: GauntletReport): string {
  const failed = trials.filter(isFailed);
  const skipped = trials.filter(({ verdict }) => verdict === 'not heard');
  const cases = trials.map((trial) => {
    const { name, kind, seconds, sentence, notHeard = '' } = trial;
    const head = `  <testcase classname="gauntlet.${kind}" name="${escaped(name)}" time="${seconds}"`;
    if (trial.verdict === 'not heard') return `${head}><skipped message="${escaped(notHeard)}"/></testcase>`;
    if (!isFailed(trial)) return `${head}/>`;
    const text = escaped(trialLines(trial).slice(1).join('\n'));
    return `${head}><failure type="${trial.verdict}" message="${escaped(sentence)}">${text}</failure></testcase>`;
  });
  const counts = `tests="${trials.length}" failures="${failed.length}" skipped="${skipped.length}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="gauntlet" ${counts}>`,
    ...cases,
    '</testsuite>',
    '',
  ].join('\n');
}

/** Whether a trial makes the exit code 1. */
export function isFailed({ verdict }: Pick<GauntletTrial, 'verdict'>): boolean {
  return verdict === 'broke' || verdict === 'hangs';
}

/** A text in XML, which has no control characters but these two. */
function escaped(text: string): string {
  return html`${text.replaceAll(/(?![\n\t])\p{Cc}/gu, '?')}`.text;
}
