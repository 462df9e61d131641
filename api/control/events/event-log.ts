import { randomIds } from '../../../engine/bank/ids.ts';
import type { Bank } from '../../../engine/open-bank.ts';
import type { BankEvent } from '../../../engine/bank/outlet.ts';
import { changesIds } from '../../../engine/bank/rules/quirk.ts';
import { formatInstant, type Instant } from '../../../engine/values/instant.ts';
import type { AnswerValue } from '../../bodies/written.ts';
import { eventText } from '../event-stream.ts';
import type { eventData } from './event-data.ts';
import { clearTimeout, setTimeout } from '../../../engine/time/clock.ts';

/** The kinds of the bank's own events. */
const bankKinds = ['payment', 'run', 'clock', 'sca', 'reset'] as const;

/** Shared by all banks, to save memory. */
const kinds = new Set([...bankKinds, 'left out'] as const);

/**
 * A request under /v1 that was answered, or broken off by its client. `at`: bank time of its arrival. `requestId`: key
 * of its journal entry (rules.md G11). `target`: without identity numbers; cut when it is long.
 */
export type RequestEvent = { readonly kind: 'request' } & AnswerValue<typeof eventData.request>;

/** The client missed events that are no longer kept, so its data of the bank may be old. */
interface MissedEvent {
  readonly kind: 'reset';
  readonly at: Instant | null;
  readonly cause: 'events missed';
}

/** An event of the stream. */
type StreamEvent = Extract<BankEvent, { readonly kind: (typeof bankKinds)[number] }> | RequestEvent | MissedEvent;

/** Maximum number of events that a client gets after it reconnects. */
export const kept = 1_000;
/** Maximum number of events that are kept for a client that reads slowly. */
const keptForReaders = 20_000;

/** How many events are sent in one turn of the event loop. */
const share = 100;
/** After this many ms without an event a comment is sent, so that proxies keep the connection. */
const usualSilence = 20_000;
/** When a client reconnects, in ms. */
const retry = 1_000;

interface Entry {
  readonly event: StreamEvent;
  /** Made at its first use, for all readers. */
  text: string | null;
}

/** One client of a log. A slow client costs no more than its place in the log. */
interface Reader {
  /** Ends it when it is aborted. */
  readonly stream: AbortController;
  /** Number of the last event that was sent. Null if the client has missed some. */
  after: number | null;
  /** Says that there are new events, or that it has ended. */
  wake(): void;
}

/**
 * The last 1,000 events of one bank, in memory. The log survives resets and suspension, and ends with the bank. Ids are
 * `{epoch}-{number}`; each log draws a new epoch, so that an id of an earlier process is not mistaken for one of this
 * process.
 */
export class EventLog {
  readonly #bank: Bank;
  readonly #epoch = randomIds.uuid().slice(0, 13).replace('-', '');
  /** By number, in order and without gaps. */
  readonly #entries = new Map<number, Entry>();
  readonly #readers = new Set<Reader>();
  /** Number of the last event; 0: none yet. */
  #last = 0;
  #isClosed = false;
  /** The id of a payment as the wire has it. Null if no quirk changes ids. */
  #wire: ((paymentId: string) => string | null) | null = null;

  /** `failed` gets errors of events. */
  constructor(bank: Bank, failed: (error: unknown) => void) {
    this.#bank = bank;
    // Without a reader only the kept events are needed.
    const maxPayments = (): number => (this.#readers.size > 0 ? Infinity : kept);
    bank.listen({ kinds, maxPayments, hear: (event) => this.#hear(event), failed });
  }

  /** Adds an event and wakes the readers. */
  add(event: StreamEvent): void {
    if (this.#isClosed) return;
    this.#last += 1;
    this.#entries.set(this.#last, { event, text: null });
    this.trim();
    for (const reader of this.#readers) reader.wake();
  }

  get last(): number {
    return this.#last;
  }

  /** How many clients read. */
  get readers(): number {
    return this.#readers.size;
  }

  idOf(number: number): string {
    return `${this.#epoch}-${number}`;
  }

  /** The number in the id of one of the last 1,000 events; null for any other text. */
  numberOf(id: string): number | null {
    const [, epoch, digits = ''] = /^([0-9a-f]+)-(0|[1-9]\d{0,14})$/.exec(id) ?? [];
    const number = Number(digits);
    return epoch === this.#epoch && number >= this.#last - kept && number <= this.#last ? number : null;
  }

  /** The texts of at most `most` events after this one, or null if some are no longer kept. */
  textsAfter(number: number, most: number): readonly string[] | null {
    const texts: string[] = [];
    for (let next = number + 1; next <= this.#last && texts.length < most; next += 1) {
      const entry = this.#entries.get(next);
      if (entry === undefined) return null;
      entry.text ??= this.#eventTextOf(entry.event, next);
      texts.push(entry.text);
    }
    return texts;
  }

  /** Reads what the texts of events need. Under a quirk that changes ids they have both (rules.md Q3). */
  async prepare(): Promise<void> {
    if (!changesIds(this.#bank.quirks)) {
      this.#wire = null;
      return;
    }
    const [{ wirePaymentId }, { wireIdsOf }] = await Promise.all([
      import('../wire-ids.ts'),
      import('../../quirks/encrypted-ids.ts'),
    ]);
    const wire = await wireIdsOf(this.#bank);
    this.#wire = (paymentId) => wirePaymentId(wire, paymentId);
  }

  /** The event that replaces all events that a client has missed. */
  missed(): { readonly number: number; readonly text: string } {
    const number = this.#last;
    return { number, text: this.#eventTextOf({ kind: 'reset', at: this.#bank.now(), cause: 'events missed' }, number) };
  }

  /**
   * The texts for a new client that continues after this event; `after` is null if it has missed some. Each text is
   * made on request. They end with `stream`, which the log aborts when it ends all streams, or when a text fails.
   * `silence`: ms until a comment.
   */
  read(after: number | null, stream: AbortController, silence = usualSilence): AsyncGenerator<string> {
    if (this.#isClosed) stream.abort();
    const reader: Reader = { stream, after, wake: () => undefined };
    // An aborted signal calls no new listener: a client that is gone by now would keep its place.
    if (!stream.signal.aborted) this.#readers.add(reader);
    const ended = (): void => {
      this.#readers.delete(reader);
      this.trim();
      reader.wake();
    };
    stream.signal.addEventListener('abort', ended, { once: true });
    return this.#texts(reader, silence);
  }

  async *#texts(reader: Reader, silence: number): AsyncGenerator<string> {
    try {
      // No event: a client that is cut off before the first event reconnects with this id and misses none.
      yield `retry: ${retry}\n${reader.after === null ? '' : `id: ${this.idOf(reader.after)}\n`}\n`;
      for (;;) {
        await this.prepare();
        if (reader.stream.signal.aborted) return;
        const texts = reader.after === null ? null : this.textsAfter(reader.after, share);
        if (texts === null) {
          reader.after = null;
          const { number, text } = this.missed();
          reader.after = number;
          yield text;
        } else if (texts.length > 0) {
          reader.after = this.#placeOf(reader) + texts.length;
          yield texts.join('');
          this.trim();
        } else if (!(await news(reader, silence))) yield ':\n\n';
      }
    } finally {
      reader.stream.abort();
    }
  }

  /** Number of the last event that a client no longer needs. */
  #placeOf({ after }: Reader): number {
    return after ?? this.#last;
  }

  /** Forgets old events that all readers have read. */
  trim(): void {
    let most = kept;
    for (const reader of this.#readers) most = Math.max(most, this.#last - this.#placeOf(reader));
    most = Math.min(most, keptForReaders);
    for (let oldest = this.#last - this.#entries.size + 1; oldest <= this.#last - most; oldest += 1) {
      this.#entries.delete(oldest);
    }
  }

  /** Ends all streams. Their clients may open new ones. */
  endStreams(): void {
    for (const { stream } of [...this.#readers]) stream.abort();
  }

  /** Ends all streams and frees the memory: the bank is gone. */
  close(): void {
    this.#isClosed = true;
    this.endStreams();
    this.#entries.clear();
  }

  #hear(event: BankEvent): void {
    if (event.kind === 'left out') this.#leaveOut(event.count);
    else if (isStreamEvent(event)) this.add(event);
  }

  /** Counts events that are not kept and forgets the earlier ones: a client that knows no later one has missed some. */
  #leaveOut(count: number): void {
    this.#last += count;
    this.#entries.clear();
  }

  #eventTextOf({ kind, at, ...members }: StreamEvent, number: number): string {
    const paymentId = 'paymentId' in members ? members.paymentId : null;
    const wirePaymentId = paymentId === null ? null : (this.#wire?.(paymentId) ?? null);
    const ids = wirePaymentId === null ? {} : { wirePaymentId };
    const data = { ...members, ...ids, at: at === null ? null : formatInstant(at) };
    return eventText(kind, data, this.idOf(number));
  }
}

/** The log listens to no other kind, see {@link bankKinds}. */
function isStreamEvent(event: BankEvent): event is StreamEvent & BankEvent {
  return bankKinds.some((kind) => kind === event.kind);
}

/** Waits until a client is woken, or false if there was no event for `silence` ms. */
async function news(reader: Reader, silence: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), silence).unref();
  reader.wake = () => resolve(true);
  const isWoken = await promise;
  clearTimeout(timer);
  reader.wake = () => undefined;
  return isWoken;
}
