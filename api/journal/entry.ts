import type { Instant } from '../../engine/values/instant.ts';
import type { RequestFacts, Touched } from '../pipeline/request-log.ts';

/** How much of a request's and of an answer's body is kept, in bytes. */
export const bodyLimit = 64 * 1024;

/** Sizes of an entry and of a header without their texts, in bytes. */
const own = { entry: 1_024, header: 64, touched: 64 };

/** Bytes of a body as text, a character for each byte; cut at {@link bodyLimit}. */
export interface KeptBody {
  readonly latin1: string;
  /** Length of the whole body in bytes. */
  readonly length: number;
}

/** When a request came. */
export interface Arrival {
  readonly wall: Instant;
  /** By the bank clock. Null in an entry of another process that did not know it. */
  readonly at: Instant | null;
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
  /** The received part of a request that the HTTP parser refused. */
  readonly packet: KeptBody | null;
  /** It is null if no answer was sent. */
  readonly status: number | null;
  /** It is false if the client was gone before it had the whole answer. */
  readonly isDelivered: boolean;
  readonly answer: KeptBody | null;
  readonly facts: RequestFacts;
  readonly touched: readonly Touched[];
  /** It came before the last reset. */
  readonly beforeReset: boolean;
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

/** The size of an entry in memory, in bytes. Called for each request: plain loops. */
export function sizeOf(entry: Entry): number {
  const { key, method, target, rawHeaders, body, packet, answer, facts, touched } = entry;
  const { tpp = '', code = '', finding = '', paymentId = '', received = '' } = facts;
  let bytes = own.entry + key.length + method.length + target.length + tpp.length + code.length + finding.length;
  bytes += paymentId.length + received.length;
  bytes += (body?.latin1.length ?? 0) + (packet?.latin1.length ?? 0) + (answer?.latin1.length ?? 0);
  bytes += (rawHeaders.length * own.header) / 2;
  for (const text of rawHeaders) bytes += text.length;
  for (const { id } of touched) bytes += id.length + own.touched;
  return bytes;
}
