import { type HeaderDemand, headerRows } from '../../api/pipeline/request-headers.ts';
import { Mistake } from '../../engine/values/mistake.ts';
import { oneLine, quote } from '../../engine/values/text.ts';
import { type Exchange, exchangeOf, type Skipped } from './exchange.ts';
import { readHar } from './har.ts';

/** What a file holds to be judged. */
export interface Recording {
  /** How many entries the file has. */
  readonly entries: number;
  readonly exchanges: readonly Exchange[];
  readonly skipped: readonly Skipped[];
  /** Headers that nothing in the recording has: the tool left them out. As the interface writes them. */
  readonly notJudged: readonly string[];
  /** What wrote the file. */
  readonly creator: string;
}

/** Reads a recording. Throws a Mistake or a WrongUse of one line for a file that cannot be read, or that has nothing to judge. */
export function readRecording(file: string): Recording {
  const { creator, entries } = readHar(file);
  const recording = recordingOf(entries, creator);
  if (recording.exchanges.length > 0) return recording;
  throw new Mistake(`${quote(file, 200)} has nothing to judge: ${nothingIn(recording.skipped)}`);
}

/** The entries of a recording, whatever their form, as they are judged. */
export function recordingOf(entries: readonly unknown[], creator = ''): Recording {
  const read = entries.map((entry, at) => exchangeOf(entry, at + 1));
  const exchanges = read.filter((one) => 'endpoint' in one);
  const skipped = read.filter((one) => 'why' in one);
  return { entries: entries.length, exchanges, skipped, notJudged: missingHeaders(exchanges), creator };
}

/** Headers that the interface demands of a request or an answer, and that none of the recording has. The unsigned door adds them itself. */
function missingHeaders(exchanges: readonly Exchange[]): string[] {
  const asked = exchanges.filter(({ isOfDoor }) => !isOfDoor);
  const demands = asked.flatMap(({ endpoint }) => endpoint.requires);
  const nameOf = (one: HeaderDemand): string =>
    (typeof one === 'object' ? one.strictly : one).replace(/^psu$/, 'psu-id');
  const demanded = new Set(demands.map(nameOf)).add('x-request-id');
  const isMissing = (key: string): boolean =>
    // X-PSU-IDENTITY stands for PSU-ID.
    !asked.some(({ headers }) => headers.has(key) || (key === 'psu-id' && headers.has('x-psu-identity'))) ||
    (key === 'x-request-id' && !asked.some(({ answerHeaders }) => answerHeaders.has(key)));
  if (asked.length === 0) return [];
  return headerRows.filter(({ key }) => demanded.has(key) && isMissing(key)).map(({ name }) => name);
}

/** Why nothing is judged: up to five reasons. */
function nothingIn(skipped: readonly Skipped[]): string {
  const reasons = new Set(skipped.map(({ why }) => why));
  return oneLine([...reasons].slice(0, 5).join('; ') || 'it has no entries', 800);
}
