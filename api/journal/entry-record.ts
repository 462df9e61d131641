import * as Type from 'typebox';
import type { Instant } from '../../engine/values/instant.ts';
import { choice, closed, optional, type Static } from '../bodies/schema.ts';
import { orNull } from '../control/answers/forms.ts';
import { struckFault } from '../control/faults.ts';
import { headerPairs } from '../signing/signature/signing-string.ts';
import { type Mask, maskedHeaders, maskedLines, maskedValue } from '../pipeline/secrets.ts';
import { bodyLimit, type Entry, type KeptBody } from './entry.ts';

/** Longer than any text of a request but its body. */
const text = Type.String({ maxLength: bodyLimit });
const whole = Type.Integer({ minimum: 0, maximum: 2 ** 40 });
/** One character a byte. */
const keptBody = closed({
  latin1: Type.String({ maxLength: bodyLimit, pattern: '^[\\u0000-\\u00ff]*$' }),
  length: whole,
});
/** In ms, of the years that a text of it has four digits for. */
const instant = Type.Integer({ minimum: 0, maximum: 253_402_300_799_999 });

const facts = closed({
  tpp: optional(text),
  code: optional(text),
  status: optional(whole),
  finding: optional(text),
  entryKey: optional(text),
  fault: optional(struckFault),
  paymentId: optional(text),
  received: optional(text),
  notes: optional(Type.Array(text, { maxItems: 10 })),
});

/** An entry of the journal as JSON, as a bundle has it: all that {@link Entry} has, but no secret. Instants in ms. */
export const entryRecord = closed({
  key: Type.String({ pattern: '^[\\w-]{1,64}$' }),
  at: orNull(instant),
  wall: instant,
  method: text,
  target: text,
  /** Name, value, name, value: 2,000 headers at most, as Node reads them. */
  rawHeaders: Type.Array(text, { maxItems: 4_000 }),
  body: orNull(keptBody),
  packet: orNull(keptBody),
  status: orNull(Type.Integer({ minimum: 100, maximum: 599 })),
  isDelivered: Type.Boolean(),
  answer: orNull(keptBody),
  facts,
  touched: Type.Array(closed({ kind: choice('what it is', ['payment', 'consent']), id: text })),
  beforeReset: Type.Boolean(),
});

type EntryRecord = Static<typeof entryRecord>;

/**
 * The record of an entry, without the control token and the values of secret headers (docs/spec/control-plane.md C3).
 */
export function recordOf(entry: Entry, mask: Mask): EntryRecord {
  const { key, arrival, method, target, rawHeaders, body, packet, status, isDelivered, answer, facts, touched } = entry;
  const { beforeReset } = entry;
  const masked = (kept: KeptBody | null, hide = mask): KeptBody | null =>
    kept && { ...kept, latin1: hide(kept.latin1) };
  return {
    key,
    ...arrival,
    method: mask(method),
    target: mask(target),
    rawHeaders: maskedHeaders(headerPairs(rawHeaders), mask).flat(),
    body: masked(body),
    packet: masked(packet, (text) => maskedLines(text, mask).slice(0, bodyLimit)),
    status,
    isDelivered,
    answer: masked(answer),
    facts: maskedValue(facts, mask) as EntryRecord['facts'],
    touched: touched.map(({ kind, id }) => ({ kind, id })),
    beforeReset,
  };
}

/** The entry of a record, in the journal of another process. */
export function entryOf({ at, wall, ...record }: EntryRecord): Entry {
  return { ...record, arrival: { at: at as Instant | null, wall: wall as Instant } };
}
