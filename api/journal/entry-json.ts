import { jsonOr } from '../../engine/values/json-text.ts';
import { clip } from '../../engine/values/text.ts';
import type { AnswerValue } from '../bodies/written.ts';
import type { RequestEvent } from '../control/events/event-log.ts';
import { effectText, endsConnection } from '../pipeline/fault-effect.ts';
import { withoutIdentityNumbers } from '../pipeline/secrets.ts';
import { type Mask, maskedHeaders, maskedLines, maskOf } from '../pipeline/secrets.ts';
import { differenceOf } from '../signing/doctor/mismatch.ts';
import type { ReadSigning } from '../signing/leniencies.ts';
import { headerPairs } from '../signing/signature/signing-string.ts';
import { decodeUtf8OrLatin1 } from '../signing/name/encoded-text.ts';
import type { summaryAnswer, wholeAnswer } from './entry-answer.ts';
import { bodyLimit, type Entry, type KeptBody } from './entry.ts';
import type { Touched } from '../pipeline/request-log.ts';

type EntrySummary = AnswerValue<typeof summaryAnswer>;

/** The verdict of the signature check. A request that did not reach the check is refused. */
export function verdictOf({ facts }: Entry): EntrySummary['verdict'] {
  return facts.tpp === undefined ? 'refused' : 'accepted';
}

/** The id of the TPP that signed, else of the one that the certificate names, not masked. */
export function tppOf({ facts }: Entry, signing: ReadSigning): string | null {
  return facts.tpp ?? signing.tpp;
}

/** Maximum length of a target in an event, in characters. */
const maxTarget = 500;

/** The event of an entry, without headers and bodies. */
export function requestTold(entry: Entry, controlToken: string | null): RequestEvent {
  const { key, arrival, method, target, status, facts } = entry;
  const mask = masker(controlToken);
  return {
    kind: 'request',
    requestId: key,
    method: mask(method) || null,
    target: target === '' ? null : clip(mask(target), maxTarget),
    verdict: verdictOf(entry),
    status,
    code: facts.code ?? null,
    ...(facts.fault !== undefined && { fault: facts.fault }),
    at: arrival.at,
  };
}

/** One line of the journal. */
export function summaryJson(
  entry: Entry,
  { signing, notes = notesOf(entry, signing) }: { readonly signing: ReadSigning; readonly notes?: string[] },
  controlToken: string | null,
): EntrySummary {
  const { key, arrival, method, target, status, facts, beforeReset } = entry;
  const mask = masker(controlToken);
  const tpp = tppOf(entry, signing);
  return {
    requestId: key,
    ...arrival,
    method: mask(method) || null,
    target: target === '' ? null : mask(target),
    tpp: tpp === null ? null : mask(tpp),
    tppName: signing.tppName === null ? null : mask(signing.tppName),
    verdict: verdictOf(entry),
    status,
    code: facts.code ?? null,
    finding: facts.finding === undefined ? null : mask(facts.finding),
    reason: reasonOf(entry, mask),
    fault: facts.fault,
    notes,
    beforeReset,
  };
}

/**
 * The first text of a refusal (rules.md E1), without the address of the entry at its end (G11). Null if there is a
 * finding, or the answer was cut.
 */
function reasonOf(entry: Entry, mask: Mask): string | null {
  const { key, facts, answer } = entry;
  if (facts.code === undefined || facts.finding !== undefined || answer === null) return null;
  const { tppMessages } = Object(answerJson(bodyText(answer))) as { readonly tppMessages?: readonly unknown[] };
  const { text } = Object(tppMessages?.[0]) as { readonly text?: unknown };
  if (typeof text !== 'string') return null;
  const reason = text.endsWith(`/sandbox/requests/${key}`) ? withoutLastWord(text).replace(/\nSee$/, '') : text;
  return mask(reason);
}

/**
 * "Accepted, but" (rules.md G3b) of signature, headers and body, what an armed fault did (E6c), and whether the client
 * got the answer.
 */
export function notesOf(entry: Entry, signing: ReadSigning): string[] {
  const lenient = verdictOf(entry) === 'accepted' ? signing.leniencies() : [];
  const { fault, notes = [] } = entry.facts;
  const struck = fault === undefined ? [] : [effectText(fault)];
  const isGone = !entry.isDelivered && !endsConnection(fault);
  const gone = isGone ? ['the client was gone before it had the whole answer'] : [];
  return [...lenient.map(({ name, note }) => `accepted, but ${note} (${name})`), ...notes, ...struck, ...gone];
}

/** The whole entry. `base` is the address of the bank. */
export function wholeJson(
  entry: Entry,
  signing: ReadSigning,
  { base, controlToken }: { readonly base: string; readonly controlToken: string | null },
): AnswerValue<typeof wholeAnswer> {
  const { rawHeaders, body, answer, packet, facts } = entry;
  const mask = masker(controlToken);
  const shown = (kept: KeptBody | null): string | null => kept && mask(bodyText(kept));
  const lines = (text: string | null): string | null => text && maskedLines(text, mask);
  const [expected, received] = [lines(signing.expected()), lines(facts.received ?? null)];
  return {
    ...summaryJson(entry, { signing }, controlToken),
    headers: maskedHeaders(headerPairs(rawHeaders), mask),
    body: shown(body),
    bodyLength: body?.length ?? 0,
    ...(packet !== null && { packet: maskedLines(bodyText(packet), mask) }),
    answer: answerJson(shown(answer)),
    links: linksOf(entry).map(({ kind, id }) => linkJson(kind, id, base)),
    signing: {
      expected,
      received,
      difference: expected === null || received === null ? null : differenceOf(expected, received),
    },
  };
}

/** Masks the control token (docs/spec/control-plane.md C3) and identity numbers. */
function masker(controlToken: string | null): Mask {
  const hide = maskOf(controlToken);
  return (text) => withoutIdentityNumbers(hide(text));
}

/** A body as text. */
function bodyText({ latin1, length }: KeptBody): string {
  // A letter that was cut in two is left out.
  const whole = length <= bodyLimit ? latin1 : latin1.replace(/[\xc0-\xff][\x80-\xbf]{0,2}$/, '');
  return decodeUtf8OrLatin1(Buffer.from(whole, 'latin1'));
}

/** An answer as JSON. It stays text when it was cut, and when a number in it was masked. */
function answerJson(text: string | null): unknown {
  return text === null ? null : jsonOr(text, text);
}

function linksOf({ touched, facts: { paymentId } }: Entry): readonly Touched[] {
  const all = paymentId === undefined ? touched : [...touched, { kind: 'payment', id: paymentId } as const];
  return all.filter(({ kind, id }, at) => all.findIndex((one) => one.kind === kind && one.id === id) === at);
}

function linkJson(kind: Touched['kind'], id: string, base: string): AnswerValue<typeof wholeAnswer>['links'][number] {
  if (kind === 'consent') return { consentId: id, href: `${base}/sandbox/consents` };
  return { paymentId: id, href: `${base}/sandbox/payments/${encodeURIComponent(id)}` };
}

function withoutLastWord(text: string): string {
  return text.slice(0, text.lastIndexOf(' '));
}

/** Method and target of an entry, masked; empty if neither could be read. */
export function lineOf(entry: Entry, controlToken: string | null): string {
  return masker(controlToken)(clip(`${entry.method} ${entry.target}`.trim(), maxTarget));
}
