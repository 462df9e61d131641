import * as Type from 'typebox';
import type { Instant } from '../../engine/values/instant.ts';
import { choice, closed, type Static } from '../bodies/schema.ts';
import { orNull } from '../control/answers.ts';
import { headerPairs } from '../signing/signature/received-headers.ts';
import { bankTimeOf, type Entry, type KeptBody } from './entry.ts';

const text = Type.String();
const whole = Type.Integer();
const keptBody = closed({ latin1: text, length: whole });
const numbers = Type.Array(whole);
/** In ms, of the years that a text of it has four digits for. */
const instant = Type.Integer({ minimum: 0, maximum: 253_402_300_799_999 });

const facts = closed({
  tpp: Type.Optional(text),
  code: Type.Optional(text),
  status: Type.Optional(whole),
  finding: Type.Optional(text),
  entryKey: Type.Optional(text),
  codes: Type.Optional(Type.Array(text)),
  operation: Type.Optional(text),
  product: Type.Optional(text),
  isRepeat: Type.Optional(Type.Boolean()),
  isProvoked: Type.Optional(Type.Boolean()),
  listed: Type.Optional(closed({ account: text, booked: numbers, pending: numbers })),
  paymentId: Type.Optional(text),
  signed: Type.Optional(
    closed({
      received: orNull(text),
      difference: orNull(closed({ line: whole, column: whole, expected: text, received: text })),
    }),
  ),
});

/** An entry of the journal as JSON, as a bundle has it: all that {@link Entry} has, but no secret. Instants in ms. */
export const entryRecord = closed({
  key: text,
  at: orNull(instant),
  wall: instant,
  method: text,
  target: text,
  rawHeaders: Type.Array(text),
  body: orNull(keptBody),
  packet: orNull(keptBody),
  status: orNull(whole),
  isDelivered: Type.Boolean(),
  answer: orNull(keptBody),
  facts,
  touched: Type.Array(closed({ kind: choice('what it is', ['payment', 'consent']), id: text })),
});

export type EntryRecord = Static<typeof entryRecord>;

/** The record of an entry. `controlToken` is masked wherever it stands, as are private keys and the headers that hold a secret. */
export async function recordOf(entry: Entry, controlToken: string | null): Promise<EntryRecord> {
  const { key, arrival, method, target, rawHeaders, body, packet, status, isDelivered, answer, facts, touched } = entry;
  const at = await bankTimeOf(arrival);
  const mask = maskOf([...headerSecrets(rawHeaders), ...(controlToken === null ? [] : [controlToken])]);
  const masked = (kept: KeptBody | null): KeptBody | null => kept && { ...kept, latin1: mask(kept.latin1) };
  return {
    key,
    at,
    wall: arrival.wall,
    method,
    target: mask(target),
    rawHeaders: headerPairs(rawHeaders).flatMap(([name, value]) => [
      name,
      secretHeader.test(name) ? hidden : mask(value),
    ]),
    body: masked(body),
    packet: packet && { ...packet, latin1: mask(packet.latin1.replace(secretLine, `$1 ${hidden}`)) },
    status,
    isDelivered,
    answer: masked(answer),
    // Texts of facts are short; JSON leaves out what is undefined.
    facts: JSON.parse(mask(JSON.stringify(facts))) as EntryRecord['facts'],
    touched: touched.map(({ kind, id }) => ({ kind, id })),
  };
}

/** The entry of a record, in the journal of another process. */
export function entryOf({ at, wall, ...record }: EntryRecord): Entry {
  const since = wall as Instant;
  const clock = at === null ? null : ({ mode: 'frozen', value: at, rate: 1, since } as const);
  return { ...record, arrival: { wall: since, steady: since, clock: Promise.resolve(clock) } };
}

const hidden = '***';
const secretHeader = /^(?:proxy-authorization|authorization|cookie|sandbank-control-token)$/i;
const secretLine = /^((?:proxy-authorization|authorization|cookie|sandbank-control-token):)[^\r\n]*/gim;
const privateKey = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^]*?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$)/g;
/** A shorter text is no secret, and may stand anywhere. */
const shortestSecret = 8;

/** The values of headers that hold a secret, without their scheme: a client may send them elsewhere too. */
function headerSecrets(rawHeaders: readonly string[]): string[] {
  return headerPairs(rawHeaders)
    .filter(([name]) => secretHeader.test(name))
    .map(([, value]) => value.replace(/^\S{1,20} /, '').trim());
}

function maskOf(secrets: readonly string[]): (text: string) => string {
  const long = secrets.filter((secret) => secret.length >= shortestSecret);
  return (text) => long.reduce((left, secret) => left.replaceAll(secret, hidden), text.replace(privateKey, hidden));
}
