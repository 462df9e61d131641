import { quote } from '../../engine/values/text.ts';
import type { Arguments, Command } from '../cli/arguments.ts';
import { CommandFailed } from '../cli/command.ts';
import { readInput } from '../cli/file-input.ts';
import { printAnswer } from '../cli/output.ts';
import { Mistake } from '../../engine/values/mistake.ts';

/** Judges a recording by the API document of a bank, and tells the differences. */
export const drift: Command = {
  name: 'drift',
  usage: 'FILE [--profile ID] [--quirks LIST]',
  summary: 'Compares the bank of a recording (HAR) with the sandbox.',
  words: [1, 1],
  flags: {
    '--accept <FILE>': 'A file of known differences: OPERATION MEMBER KIND on each line; # begins a comment.',
    '--json': 'Prints {entries, notJudged, differences, quirks, skipped} as JSON.',
  },
  settings: ['SANDBANK_PROFILE', 'SANDBANK_QUIRKS'],
  notes: [
    'The command opens no connection. It holds each request and each answer against the API document that a bank with the profile and the quirks serves. It judges neither amounts nor dates nor money.',
    'Each difference takes one line: its first place, how often it occurs, whether clients break by it, and the quirk that explains it.',
    'Exit code: 0 without a difference, 1 with differences, 2 if nothing in the file can be judged.',
  ],
  examples: ['sandbank drift recording.har', 'sandbank drift recording.har --json'],
  run: async (given, terminal) => {
    const [file = ''] = given.words;
    const accepted = acceptedIn(given);
    const { quirks } = await given.configOfProfile();
    // Loaded here only, so that the other commands start faster.
    const { readRecording } = await import('../drift/recording.ts');
    const recording = readRecording(file);
    const { linesOf, tellDrift } = await import('../drift/tell.ts');
    const told = await tellDrift(recording, { quirks, accepted });
    printAnswer({ given, terminal }, told, linesOf);
    if (told.differences.length > 0) throw new CommandFailed();
  },
};

/** The lines of the list of known differences. */
function acceptedIn(args: Arguments): ReadonlySet<string> {
  const list = args.text('accept');
  if (list === undefined) return new Set();
  const lines = readInput(`--accept ${list}`, list).toString('utf8').split('\n');
  const wanted = lines.map((line) => line.trim()).filter((line) => !/^(?:#|$)/.test(line));
  const wrong = wanted.find((line) => !/^[A-Z]+ \/\S+ .+ [a-z]+$/.test(line));
  if (wrong !== undefined)
    throw new Mistake(
      `--accept ${list}: ${quote(wrong, 80)} is no OPERATION MEMBER KIND, such as "GET /v1/accounts accounts[].riskScore added"`,
    );
  return new Set(wanted);
}
