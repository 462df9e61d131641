import { hash as hashOnce } from 'node:crypto';
import { receivedHeaders, type SignedRequest } from '../signature/signing-string.ts';
import { bodyVariants, bodyChanges, valueAxes } from './value-changes.ts';
import { type Axis, type Change, type Draft, textOf, nameAxis, orderAxis, stringAxes } from './changes.ts';
import type { HashName } from './signature-block.ts';

/** What the doctor looks for: the text that was signed, or the body that was digested. */
export type Question =
  | {
      readonly kind: 'signature';
      readonly hash: HashName;
      /** The hash of the text that was signed. */
      readonly digest: Uint8Array;
      readonly request: SignedRequest;
      /** Names of headers="...", as written. */
      readonly names: readonly string[];
    }
  | {
      readonly kind: 'digest';
      readonly hash: 'sha256' | 'sha512';
      readonly digest: Uint8Array;
      readonly body: Uint8Array;
    };

export interface Answer {
  /** What the TPP did, and what to do: one or two sentences. Empty: the bank's own text was signed. */
  readonly sentence: string;
  /** The signing string of the TPP, as latin1; null for a digest. */
  readonly received: string | null;
}

/** Maximum number of combined mistakes. */
const maxChanges = 3;
const maxCost = 4;
/** Candidates between two looks at the clock. */
const stride = 8;
/** No TPP signs more headers: with more, each candidate would take long. */
const maxNames = 100;

/** Searches for what gives the hash, likeliest first, until it is found, everything was tried, or `isOver`. Null: not found. */
export function search(question: Question, isOver: () => boolean): Answer | null {
  return question.kind === 'digest' ? searchBody(question, isOver) : searchString(question, isOver);
}

function searchBody({ hash, digest, body }: Question & { kind: 'digest' }, isOver: () => boolean): Answer | null {
  const wanted = Buffer.from(digest);
  for (const { what, bytes } of bodyVariants(body)) {
    if (hashOnce(hash, bytes, 'buffer').equals(wanted)) {
      return { sentence: `It is the digest of ${what}. Hash the exact bytes that are sent.`, received: null };
    }
    if (isOver()) return null;
  }
  return null;
}

function searchString(
  { hash, digest, request, names }: Question & { kind: 'signature' },
  isOver: () => boolean,
): Answer | null {
  if (names.length > maxNames) return null;
  const headers = new Map([...receivedHeaders(request.rawHeaders)].map(([name, values]) => [name, values.join(', ')]));
  const sent = request.rawHeaders.filter((_, at) => at % 2 === 0);
  const listed = names.map((name) => name.toLowerCase());
  const base: Draft = {
    names: listed,
    values: new Map([...headers, ['(request-target)', request.target]]),
    method: request.method.toLowerCase(),
    spell: (name) => name,
    separator: ': ',
    joint: '\n',
    ending: '',
    letters: (text) => text,
    encode: (text) => Buffer.from(text, 'latin1'),
    wrap: (bytes) => bytes,
  };
  const axes = [
    ...stringAxes(hash, names, sent),
    nameAxis(
      listed,
      sent.map((name) => name.toLowerCase()),
    ),
    ...valueAxes(listed, { target: request.target, headers, body: request.body }),
  ];
  const wanted = Buffer.from(digest).toString('hex');
  const fits = (draft: Draft): boolean => hashOnce(hash, draft.wrap(draft.encode(textOf(draft)))) === wanted;
  if (fits(base)) return { sentence: '', received: textOf(base) };
  let tried = 0;
  for (const changes of everything(axes, listed, request.body)) {
    tried += 1;
    if (tried % stride === 0 && isOver()) return null;
    const draft = changes.reduce((made, change) => change.apply(made), base);
    if (fits(draft)) return { sentence: sentenceOf(changes), received: textOf(draft) };
  }
  return null;
}

/** Every choice of one to three changes, no two of one axis, by rising cost. Other bodies come when likelier choices are tried. */
function* everything(axes: readonly Axis[], listed: readonly string[], body: Uint8Array): Generator<readonly Change[]> {
  for (const cost of [1, 2]) yield* combinations(axes, cost);
  const ofBody: Change[] = [];
  for (const change of listed.includes('digest') ? bodyChanges(body) : []) {
    yield [change];
    ofBody.push(change);
  }
  for (const change of ofBody) for (const rest of combinations(axes, 1)) yield [...rest, change];
  yield* combinations([orderAxis(listed)], 3);
  for (let cost = 3; cost <= maxCost; cost += 1) yield* combinations(axes, cost);
}

function* combinations(axes: readonly Axis[], cost: number): Generator<readonly Change[]> {
  for (let count = 1; count <= maxChanges; count += 1) yield* choices(axes, 0, count, cost);
}

function* choices(axes: readonly Axis[], from: number, count: number, cost: number): Generator<readonly Change[]> {
  if (count === 0) {
    if (cost === 0) yield [];
    return;
  }
  for (let at = from; at < axes.length; at += 1) {
    for (const change of axes[at] ?? []) {
      if (change.cost > cost - count + 1) continue;
      for (const rest of choices(axes, at + 1, count - 1, cost - change.cost)) yield [change, ...rest];
    }
  }
}

function sentenceOf(changes: readonly Change[]): string {
  const cures = [...new Set(changes.map(({ cure }) => `${cure}.`))];
  return `Your signing string ${changes.map(({ did }) => did).join(' and ')}. ${cures.join(' ')}`;
}
