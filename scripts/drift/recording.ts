import { headerRows } from '../../api/pipeline/request-headers.ts';
import { madeByDoor, ofSignature } from '../../api/openapi/interface-document.ts';
import { listed, memberOf } from '../../api/bodies/rule.ts';
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
}

/**
 * Reads a recording. Throws a Mistake or a WrongUse of one line for a file that cannot be read, or that has nothing to
 * judge.
 */
export function readRecording(file: string): Recording {
  const recording = recordingOf(readHar(file));
  if (recording.exchanges.length > 0) return recording;
  const reasons = [...new Set(recording.skipped.map(({ why }) => why))].slice(0, 5).join('; ') || 'it has no entries';
  throw new Mistake(`${quote(file, 200)} has nothing to judge: ${oneLine(reasons, 800)}`);
}

/** The entries of a recording, whatever their form, as they are judged. */
export function recordingOf(entries: readonly unknown[]): Recording {
  const read = entries.map((entry, at) => exchangeOf(entry, at + 1));
  const exchanges = read.filter((one) => 'endpoint' in one);
  const skipped = read.filter((one) => 'why' in one);
  return { entries: entries.length, exchanges, skipped, notJudged: missingHeaders(exchanges) };
}

/** Headers that are judged, as the interface writes them. */
export const headerNames: readonly string[] = [
  ...[...headerRows, ...ofSignature].map(({ name }) => name),
  ...['Accept', 'Content-Type'],
];

/** Stands for the header of answers beside those of requests. */
export const typeOfAnswers = 'Content-Type of answers';

/**
 * Headers that the interface demands of a request or an answer, or the bank of a request, and that none of the
 * recording has.
 */
function missingHeaders(exchanges: readonly Exchange[]): readonly string[] {
  const demanded = new Set(exchanges.flatMap(demandsOf));
  const isThere = (key: string): boolean =>
    // X-PSU-IDENTITY stands for PSU-ID.
    exchanges.some(({ headers }) => headers.has(key) || (key === 'psu-id' && headers.has('x-psu-identity'))) &&
    (key !== 'x-request-id' || exchanges.some(({ answerHeaders }) => answerHeaders.has(key)));
  const missing = headerNames.filter((name) => demanded.has(name.toLowerCase()) && !isThere(name.toLowerCase()));
  const hasTypes = exchanges.some(({ answerHeaders }) => answerHeaders.has('content-type'));
  return [...missing, ...(hasTypes || exchanges.length === 0 ? [] : [typeOfAnswers])];
}

/**
 * Names in small letters. Only a body needs Digest, and only X-PSU-IDENTITY PSU-Context. The unsigned door adds some
 * itself.
 */
function demandsOf({ endpoint: { requires, body }, headers, answer, isOfDoor }: Exchange): readonly string[] {
  const own = requires.map((one) => (typeof one === 'object' ? one.strictly : one === 'psu' ? 'psu-id' : one));
  const signed = ['date', 'signature', 'tpp-signature-certificate', ...(body === null ? [] : ['digest'])];
  const ofContext = headers.has('x-psu-identity') ? ['psu-context'] : [];
  const named = listed(memberOf(answer, 'tppMessages')).map(({ path }) => nameOf(String(path)));
  const all = ['x-request-id', ...own, ...ofContext, ...(isOfDoor ? [] : signed)];
  return [...all.filter((key) => !isOfDoor || !madeByDoor.includes(key)), ...named];
}

/** Names of headers come in any case, and X-PSU-IDENTITY stands for PSU-ID. */
export function nameOf(path: string): string {
  return path.toLowerCase().replace('x-psu-identity', 'psu-id');
}
