import { hash as hashOnce } from 'node:crypto';
import { receivedHeaders, type SignedRequest } from '../signature/signing-string.ts';
import { bodyVariants } from './body-variants.ts';
import { type Change, type Draft, formChanges, nameChanges, pairs, draftText } from './changes.ts';
import type { HashName } from './signature-block.ts';
import { valueChanges } from './value-changes.ts';

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
  /** What the TPP did, and what to do: one or two sentences. It is empty if the bank's own text was signed. */
  readonly sentence: string;
  /** The signing string of the TPP, as latin1; null for a digest. */
  readonly received: string | null;
}

/** No TPP signs more headers: with more, the doctor knows nothing. */
const maxNames = 20;

/**
 * Tries each known mistake alone, and the two pairs that clients make together (rules.md G12b). Takes a few ms. Returns
 * null if none of them gives the hash.
 */
export function diagnose(question: Question): Answer | null {
  return question.kind === 'digest' ? bodyDigested(question) : textSigned(question);
}

function bodyDigested({ hash, digest, body }: Question & { kind: 'digest' }): Answer | null {
  for (const { what, bytes } of bodyVariants(body)) {
    if (hashOnce(hash, bytes, 'buffer').equals(digest))
      return { sentence: `It is the digest of ${what}. Hash the exact bytes that are sent.`, received: null };
  }
  return null;
}

function textSigned({ hash, digest, request, names }: Question & { kind: 'signature' }): Answer | null {
  if (names.length > maxNames) return null;
  const headers = [...receivedHeaders(request.rawHeaders)].map(([name, values]) => [name, values.join(', ')] as const);
  const right: Draft = {
    names: names.map((name) => name.toLowerCase()),
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
  const wanted = Buffer.from(digest).toString('hex');
  const fits = (draft: Draft): boolean => hashOnce(hash, draft.wrap(draft.encode(draftText(draft)))) === wanted;
  if (fits(right)) return { sentence: '', received: draftText(right) };
  for (const { did, cure, to } of mistakes(right, hash, request, names)) {
    const draft = { ...right, ...to };
    if (fits(draft)) return { sentence: `Your signing string ${did}. ${cure}.`, received: draftText(draft) };
  }
  return null;
}

/** Likeliest first: of two mistakes that give one text, the first is told. */
function* mistakes(
  right: Draft,
  hash: HashName,
  request: SignedRequest,
  written: readonly string[],
): Generator<Change> {
  const sent = request.rawHeaders.filter((_, at) => at % 2 === 0);
  yield* formChanges(hash, written, sent);
  yield* pairs(written, sent);
  yield* valueChanges(right, request);
  yield* nameChanges(
    right.names,
    sent.map((name) => name.toLowerCase()),
  );
}
