import { quirkTexts } from '../../engine/bank/rules/quirk.ts';
import { formatInstant } from '../../engine/values/instant.ts';
import { oneLine, quote } from '../../engine/values/text.ts';
import { systemClock } from '../../engine/time/clock.ts';
import type { Arguments, Command } from '../cli/arguments.ts';
import { CommandFailed } from '../cli/command.ts';
import { readInput } from '../cli/file-input.ts';
import { counted, printAnswer } from '../cli/output.ts';
import { Mistake } from '../../engine/values/mistake.ts';

/** Compares a recording with what the sandbox answers, and tells the differences. */
export const drift: Command = {
  name: 'drift',
  usage: 'FILE [LATER-FILE] [--profile ID] [--quirks LIST]',
  summary: 'Compares a recording (HAR) of a bank with what the sandbox answers, by form and by rule.',
  words: [1, 2],
  flags: {
    '--accept <FILE>': 'A list of known differences, one KIND PATH a line; # begins a comment.',
    '--json': 'Prints {differences, quirks, skipped, entries} as JSON; with two files {begun, ended}.',
  },
  settings: ['SANDBANK_PROFILE', 'SANDBANK_QUIRKS'],
  notes: [
    'The command opens no connection. A bank in memory judges the form of the recorded requests. The rules of docs/spec/rules.md DW judge the answers.',
    'With two recordings of one bank, the command prints the changes between them: differences from the sandbox that began or ended.',
    'Each kind of difference takes one line: its first place, how often it occurs, and the quirk that removes it.',
    'Exit code: 0 without a difference, 1 with differences, 2 if the file cannot be replayed.',
  ],
  examples: [
    'sandbank drift recording.har',
    'sandbank drift last-week.har today.har',
    'sandbank drift recording.har --json',
  ],
  run: async (given, terminal) => {
    const [file = '', later] = given.words;
    const accepted = acceptedIn(given);
    const { profile, quirks } = await given.configOfProfile();
    // Loaded here only, so that the other commands start faster.
    const { countsOf, readRecording, remarksOn } = await import('../drift/recording.ts');
    const { changesBetween, changeLines } = await import('../drift/changes.ts');
    const { lineOf, tellDrift } = await import('../drift/tell.ts');
    const { quirksOf } = await import('../../api/start/profile.ts');
    const recording = readRecording(later ?? file);
    const named = given.text('profile') ?? given.variable('SANDBANK_PROFILE');
    const on = quirkTexts(quirks);
    // A quirk of the profile that `--quirks` switches off.
    const ofProfile = profile === null ? [] : quirkTexts(quirksOf(profile));
    const off = ofProfile
      .filter((text) => !on.some((one) => nameIn(one) === nameIn(text)))
      .map((text) => `-${nameIn(text)}`);
    const options = {
      quirks: [...on, ...off],
      ...(profile !== null && named !== undefined && { profile: named }),
      source: oneLine(`a recording by ${recording.creator || 'an unnamed program'}`, 100),
      today: formatInstant(systemClock.now()).slice(0, 10),
      accepted,
    };
    const { exchanges, skipped } = recording;
    const told = await tellDrift(exchanges, options);
    const first = later === undefined ? null : readRecording(file).exchanges;
    const changes =
      first && changesBetween({ exchanges: first, drift: await tellDrift(first, options) }, { exchanges, drift: told });
    const differences = changes === null ? told.differences : [...changes.begun, ...changes.ended];
    const remarks = remarksOn(recording);
    const answer = changes ?? {
      differences,
      quirks: told.quirks,
      skipped: Object.fromEntries(countsOf(skipped)),
      entries: skipped,
    };
    printAnswer({ given, terminal }, answer, () =>
      changes === null
        ? [
            ...differences.map((one) => lineOf(one, told.quirks)),
            ...differences.flatMap(({ fact }) => (fact === undefined ? [] : [`fact: ${JSON.stringify(fact)}`])),
            ...remarks,
            summaryOf(differences.length, told.replayed),
          ]
        : [
            ...changeLines(changes, quote(file, 100), told.quirks),
            ...remarks,
            differences.length === 0
              ? 'Nothing has changed.'
              : `${counted(differences.length, 'change')} between the recordings.`,
          ],
    );
    if (differences.length > 0) throw new CommandFailed();
  },
};

/** The lines of the list of known differences. */
function acceptedIn(args: Arguments): ReadonlySet<string> {
  const list = args.text('accept');
  if (list === undefined) return new Set();
  const lines = readInput(`--accept ${list}`, list)
    .toString('utf8')
    .split(/\r?\n/)
    .map((line) => line.trim());
  const wanted = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const wrong = wanted.find((line) => !/^[a-z]+(?: \S+)?$/.test(line));
  if (wrong !== undefined)
    throw new Mistake(`--accept ${list}: ${quote(wrong, 80)} is no KIND PATH, such as "form accounts[].resourceId"`);
  return new Set(wanted);
}

/** `reissued-ids` of `reissued-ids=P1D`. */
function nameIn(quirk: string): string {
  return quirk.split('=')[0] ?? '';
}

/** `3 kinds of difference in 40 replayed requests.` */
function summaryOf(kinds: number, replayed: number): string {
  const found = kinds === 0 ? 'No difference' : `${counted(kinds, 'kind')} of difference`;
  return `${found} in ${counted(replayed, 'replayed request')}.`;
}
