import { clockAtHand } from '../../../engine/bank/bank-context.ts';
import { randomIds } from '../../../engine/bank/ids.ts';
import type { Bank } from '../../../engine/bank.ts';
import type { Happening } from '../../../engine/bank/outlet.ts';
import { formatInstant } from '../../../engine/values/instant.ts';
import { readBankClock } from '../../../engine/time/rules/bank-clock.ts';
import { eventText } from '../event-stream.ts';
import { EventReader, usualSilence } from './event-reader.ts';
import { bankKinds, type ToldEvent } from './told-event.ts';

/** How many events a client that comes back gets, at most. */
export const kept = 1_000;
/** How many are kept while a client that reads the stream is behind. */
const keptForReaders = 20_000;

interface Entry {
  readonly told: ToldEvent;
  /** Made when it is first sent; the same for every reader. */
  text: string | null;
}

/**
 * What happened in one bank, the last 1,000 events, in memory: it outlives resets and suspension, and ends with the bank. Ids are
 * `{epoch}-{number}`; the epoch is drawn anew for each log, so that no id of an earlier process is taken for one of this.
 */
export class EventLog {
  readonly #bank: Bank;
  readonly #clock: ReturnType<typeof clockAtHand>;
  readonly #epoch = randomIds.uuid().slice(0, 13).replace('-', '');
  /** By number, in order and without gaps. */
  readonly #entries = new Map<number, Entry>();
  readonly #readers = new Set<EventReader>();
  /** Number of the last event; 0: none yet. */
  #last = 0;
  #isClosed = false;

  /** `failed`: called with what went wrong with an event. */
  constructor(bank: Bank, failed: (error: unknown) => void) {
    this.#bank = bank;
    this.#clock = clockAtHand(bank);
    // Without a reader only what is kept is wanted.
    const maxPayments = (): number => (this.#readers.size > 0 ? Infinity : kept);
    bank.listen({ kinds: new Set([...bankKinds, 'left out']), maxPayments, hear: (told) => this.#hear(told), failed });
  }

  /** Tells an event to the readers. */
  add(told: ToldEvent): void {
    if (this.#isClosed) return;
    this.#last += 1;
    this.#entries.set(this.#last, { told, text: null });
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

  /** The number of an id that one of the last 1,000 events follows, or of the last one; null for any other text. */
  numberOf(id: string): number | null {
    const [, epoch, digits = ''] = /^([0-9a-f]+)-(0|[1-9]\d{0,14})$/.exec(id) ?? [];
    const number = Number(digits);
    return epoch === this.#epoch && number >= this.#last - kept && number <= this.#last ? number : null;
  }

  /** The texts of at most so many events after this one; null: some are no longer kept. */
  textsAfter(number: number, most: number): readonly string[] | null {
    const texts: string[] = [];
    for (let next = number + 1; next <= this.#last && texts.length < most; next += 1) {
      const entry = this.#entries.get(next);
      if (entry === undefined) return null;
      entry.text ??= this.#textOf(entry.told, next);
      texts.push(entry.text);
    }
    return texts;
  }

  /** The event that stands for all that a client has missed, up to the last one. */
  async missed(): Promise<{ readonly number: number; readonly text: string }> {
    const clock = await this.#clock();
    const at = clock === null ? null : readBankClock(clock, this.#bank.steady.now());
    const number = this.#last;
    return { number, text: this.#textOf({ kind: 'reset', at, cause: 'events missed' }, number) };
  }

  /** A new reader, which goes on after this event; null: it has missed some. `over`: called when it is closed. `silence`: ms until a comment. */
  read(after: number | null, over: () => void, silence = usualSilence): EventReader {
    const closed = (): void => {
      this.#readers.delete(reader);
      this.trim();
      over();
    };
    const reader = new EventReader(this, after, closed, silence);
    this.#readers.add(reader);
    if (this.#isClosed) reader.close();
    return reader;
  }

  /** Forgets what is old and was read. */
  trim(): void {
    let most = kept;
    for (const { position } of this.#readers) most = Math.max(most, this.#last - position);
    most = Math.min(most, keptForReaders);
    for (let oldest = this.#last - this.#entries.size + 1; oldest <= this.#last - most; oldest += 1) {
      this.#entries.delete(oldest);
    }
  }

  /** Ends all streams and frees the memory: the bank is gone. */
  close(): void {
    this.#isClosed = true;
    for (const reader of [...this.#readers]) reader.close();
    this.#entries.clear();
  }

  #hear(told: Happening): void {
    if (told.kind === 'left out') this.#leaveOut(told.count);
    else if (isTold(told)) this.add(told);
  }

  /** Counts events that are not kept, and those before them with them: a client that knows none after them has missed some. */
  #leaveOut(count: number): void {
    this.#last += count;
    this.#entries.clear();
  }

  #textOf({ kind, at, ...members }: ToldEvent, number: number): string {
    return eventText(kind, { ...members, at: at === null ? null : formatInstant(at) }, this.idOf(number));
  }
}

/** The log hears of no other kind, see {@link bankKinds}. */
function isTold(happening: Happening): happening is ToldEvent & Happening {
  return bankKinds.some((kind) => kind === happening.kind);
}
