import { allTrials } from '../../api/gauntlet/trials.ts';
import type { Trial, TrialKind } from '../../api/gauntlet/trial.ts';

/** The kinds of trials in the order of docs/gauntlet.md, each with its heading and what they share. */
const kinds: Readonly<Record<Exclude<TrialKind, 'together' | 'profile'>, string>> = {
  quirk: `Habits\n\nEach quirk alone. A test that switches the quirk itself, on or off, keeps what it chose.`,
  wire: `The wire\n\nEach strikes one operation at a time: its first call that the bank would carry out, its second, its first call for a further page, or two in a row. After a reset of the bank they are counted anew. All operations are tried together, and each alone if a test breaks. \`gateway-second@GET/accounts\` names one. A gateway answers before the bank has done anything; 429 has \`Retry-After: 1\`. An answer is cut, or the connection closed, after it has. Calls that the harness makes itself, such as \`tpp.pay\` and the reads of \`tpp.consent\`, are spared. A client that sends the same call again, with the same X-Request-ID and body, survives all of them. With a new X-Request-ID it pays twice.`,
  tolerance: 'Tolerance\n\nWhat clients must tolerate although it is undocumented.',
  time: 'Time\n\nThe time at which a bank starts, where the test leaves `now` to the bank.',
  status: `SCA, status and money\n\nEach happens once in a bank, or once for a payment, and again after a reset. The signatures of \`tpp.pay\` and \`tpp.consent\` are spared: \`psu.approve\` and the SCA page are not.`,
  forged: `For noticing\n\nWhere the bank signs its answers, these are forged. A suite must fail under them. If it stays green, the report says _not noticed_.`,
};

/** The trials in docs/gauntlet.md. */
export async function trialSections(): Promise<string> {
  const all = await allTrials();
  const sections = Object.entries(kinds).flatMap(([kind, about]) => {
    const trials = all.filter((trial) => trial.kind === kind && (trial.does.quirk?.given ?? null) === null);
    return [`## ${about}`, ...trials.map((trial) => section(trial, all))];
  });
  return sections.join('\n\n');
}

function section({ name, sentence, mistake, banks, rule, docs, heard, does }: Trial, all: readonly Trial[]): string {
  const values = all.flatMap((trial) => (trial.name.startsWith(`${name}=`) ? [`\`${trial.name}\``] : []));
  const value = does.quirk?.tried ?? does.quirk?.value?.usual;
  const change = `--quirks ${name}${value === undefined ? '' : `=${value}`}`;
  const points = [
    does.quirk && `The change:** \`${change}\` (rules.md ${rule}).`,
    values.length > 0 && `Other trials:** ${values.join(', ')}.`,
    banks.length > 0 && `Seen:** ${banks.map((id) => `\`${id}\``).join(', ')}.`,
    `Noticed by:** a test that ${heard.by}.`,
    mistake !== '' && `The mistake:** ${mistake}`,
    !docs.startsWith('docs/gauntlet.md') && `More:** [${docs.slice(5)}](${docs.slice(5)}).`,
  ];
  const lines = points.flatMap((point) => (point ? [`- **${point}`] : []));
  return [`### ${name}`, sentence, lines.join('\n')].join('\n\n');
}
