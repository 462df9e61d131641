import { readBankClock, type BankClock } from '../../engine/time/rules/bank-clock.ts';
import type { Instant } from '../../engine/values/instant.ts';
import type { RequestFacts } from '../pipeline/request-log.ts';

/** How much of a request's and of an answer's body is kept, in bytes. */
export const bodyLimit = 64 * 1024;

/** What an entry and a header take beside their texts, in bytes. */
const own = { entry: 1_024, header: 64, touched: 64 };

/** Bytes of a body as text, a character for each byte; cut at {@link bodyLimit}. */
export interface KeptBody {
  readonly latin1: string;
  /** Length of the whole body in bytes. */
  readonly length: number;
}

/** A resource that a request changed or named. */
export interface Touched {
  readonly kind: 'payment' | 'consent';
  readonly id: string;
}

/** When a request came. */
export interface Arrival {
  readonly wall: Instant;
  readonly steady: Instant;
  /** The bank clock at that time; null when the ledger could not be read. */
  readonly clock: Promise<BankClock | null>;
}

/** One request of the journal, by reference to what was received: its texts are made when somebody asks. */
export interface Entry {
  readonly key: string;
  readonly arrival: Arrival;
  /** Empty when it could not be read. */
  readonly method: string;
  /** As received; empty when it could not be read. */
  readonly target: string;
  /** Name, value, name, value. */
  readonly rawHeaders: readonly string[];
  readonly body: KeptBody | null;
  /** What the HTTP parser refused, as far as it was received. */
  readonly packet: KeptBody | null;
  /** Null: no answer was sent. */
  readonly status: number | null;
  /** False: the client was gone before it had the whole answer. */
  readonly isDelivered: boolean;
  readonly answer: KeptBody | null;
  readonly facts: Omit<RequestFacts, 'answer'>;
  readonly touched: readonly Touched[];
}

/** A body as kept; null when there is none. */
export function keepBody(body: Uint8Array | null): KeptBody | null {
  if (body === null || body.length === 0) return null;
  const bytes = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, bodyLimit));
  return { latin1: bytes.toString('latin1'), length: body.length };
}

/** An answer as kept. A text of ASCII is kept as it is, without a copy. */
export function keepText(text: string): KeptBody {
  const length = Buffer.byteLength(text);
  if (length === text.length && length <= bodyLimit) return { latin1: text, length };
  return keepBody(Buffer.from(text)) ?? { latin1: '', length: 0 };
}

/** What an entry takes, in bytes. */
export function sizeOf({ key, method, target, rawHeaders, body, packet, answer, facts, touched }: Entry): number {
  const kept = [body, packet, answer].map((one) => one?.latin1.length ?? 0);
  const { tpp = '', code = '', finding = '', paymentId = '', signed } = facts;
  const texts = [key, method, target, tpp, code, finding, paymentId, signed?.received ?? '', signed?.difference ?? ''];
  const found = texts.reduce((sum, text) => sum + text.length, 0);
  const headers = rawHeaders.reduce((sum, text) => sum + text.length + own.header / 2, 0);
  const links = touched.reduce((sum, { id }) => sum + id.length + own.touched, 0);
  return own.entry + found + headers + links + kept.reduce((sum, length) => sum + length, 0);
}

/** Bank time of the arrival; null when the ledger could not be read. */
export async function bankTimeOf({ clock, steady }: Arrival): Promise<Instant | null> {
  const read = await clock;
  return read === null ? null : readBankClock(read, steady);
}
