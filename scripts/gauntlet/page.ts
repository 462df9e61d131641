import { allTrials } from '../../api/trials/trials.ts';
import type { Trial, TrialKind } from '../../api/trials/trial.ts';

/** The kinds of trials in the order of docs/gauntlet.md, each with its heading and what they share. */
const kinds: Readonly<Record<TrialKind, readonly [heading: string, about: string]>> = {
  quirk: ['Habits', 'Each quirk alone. A test that switches the quirk itself, on or off, keeps what it chose.'],
  wire: [
    'The wire',
    'Each strikes once for each operation and bank: the first call that the bank would carry out. Calls that the harness makes itself, such as `tpp.pay` and the reads of `tpp.consent`, are spared. A client that sends the same call again, with the same X-Request-ID and body, survives all of them.',
  ],
  tolerance: ['Tolerance', 'What clients must tolerate although it is undocumented.'],
  time: ['Time', 'The time at which a bank starts, where the test leaves `now` to the bank.'],
  status: [
    'SCA and status',
    'Each happens once in a bank. The signatures of `tpp.pay` and `tpp.consent` are spared: `psu.approve` and the SCA page are not.',
  ],
  profile: ['Banks', 'With `--profiles`: each bank of the platform, where the test names no profile.'],
};

/** The trials in docs/gauntlet.md. */
export async function trialSections(): Promise<string> {
  const all = Map.groupBy(await allTrials(), ({ kind }) => kind);
  return Object.entries(kinds)
    .map(([kind, [heading, about]]) => {
      const trials = all.get(kind as TrialKind) ?? [];
      const shown = kind === 'profile' ? [trials.map(bankLine).join('\n')] : trials.map(section);
      return [`## ${heading}`, about, ...shown].join('\n\n');
    })
    .join('\n\n');
}

function section({ name, sentence, mistake, banks, rule, docs, heard, does }: Trial): string {
  const ids = banks.map((id) => `\`${id}\``).join(', ');
  const value = 'quirk' in does && does.value !== true ? `${name}=${does.value}` : name;
  const points = [
    ...('quirk' in does
      ? [`- **The change:** \`--quirks ${value}\`${rule === null ? '' : ` (rules.md ${rule})`}.`]
      : []),
    ...(banks.length === 0 ? [] : [`- **Seen:** ${ids}.`]),
    `- **Heard:** if a test ${heard.by}.`,
    ...(mistake === '' ? [] : [`- **The mistake:** ${mistake}`]),
    ...(docs.startsWith('docs/gauntlet.md') ? [] : [`- **More:** [${docs.slice(5)}](${docs.slice(5)}).`]),
  ];
  return [`### ${name}`, sentence, points.join('\n')].join('\n\n');
}

function bankLine({ name, sentence, docs }: Trial): string {
  return `- [\`${name}\`](${docs.slice(5)}): ${sentence}`;
}
