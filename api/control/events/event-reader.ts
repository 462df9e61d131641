import { clearTimeout, setTimeout } from '../../../engine/time/clock.ts';
import type { EventLog } from './event-log.ts';

/** How many events are sent in one turn of the event loop. */
const share = 100;
/** After this many ms without an event a comment is sent, so that proxies keep the connection. */
export const usualSilence = 20_000;
/** When a client reconnects, in ms. */
const retry = 1_000;

/** One client of an event log, with the texts to send. A slow client costs no more than its place in the log. */
export class EventReader {
  readonly #log: EventLog;
  readonly #closed: () => void;
  /** Number of the last event that was sent; null: the client has missed some. */
  #after: number | null;
  #wake: (() => void) | null = null;
  readonly #silence: number;
  #isClosed = false;

  constructor(log: EventLog, after: number | null, closed: () => void, silence: number) {
    this.#log = log;
    this.#after = after;
    this.#closed = closed;
    this.#silence = silence;
  }

  /** Number of the last event that it no longer needs. */
  get position(): number {
    return this.#after ?? this.#log.last;
  }

  /** Says that there are new events. */
  wake(): void {
    this.#wake?.();
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#closed();
    this.wake();
  }

  /** The texts to send, until it is closed; each is made on request. */
  async *texts(): AsyncGenerator<string> {
    yield this.#opening();
    while (!this.#isClosed) {
      await this.#log.prepare();
      const texts = this.#after === null ? null : this.#log.textsAfter(this.#after, share);
      if (texts === null) {
        this.#after = null;
        const { number, text } = await this.#log.missed();
        this.#after = number;
        yield text;
      } else if (texts.length > 0) {
        this.#after = this.position + texts.length;
        yield texts.join('');
        this.#log.trim();
      } else if (!(await this.#news())) yield ':\n\n';
    }
  }

  /** No event: a client that is cut off before the first event reconnects with this id and misses none. */
  #opening(): string {
    const id = this.#after === null ? '' : `id: ${this.#log.idOf(this.#after)}\n`;
    return `retry: ${retry}\n${id}\n`;
  }

  /** Waits until it is woken; false: there was no event for `silence` ms. */
  #news(): Promise<boolean> {
    return new Promise((resolve) => {
      const over = (isWoken: boolean): void => {
        clearTimeout(timer);
        this.#wake = null;
        resolve(isWoken);
      };
      const timer = setTimeout(() => over(false), this.#silence).unref();
      this.#wake = () => over(true);
    });
  }
}
