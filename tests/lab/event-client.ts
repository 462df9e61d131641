import { EventEmitter, once } from 'node:events';

/** An event as the HTML standard has a client read it. */
export interface Received {
  /** The last id that the stream gave, this event's own or an earlier one. */
  readonly id: string;
  readonly event: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read members of events whose shape they assert
  readonly data: any;
}

/** A client of `GET /sandbox/events`, over a connection of its own. */
export class EventClient {
  readonly answer: Response;
  readonly events: Received[] = [];
  /** Comments, such as those of a quiet stream. */
  readonly comments: string[] = [];
  /** What the client would send as Last-Event-ID. */
  lastId = '';
  retry: number | null = null;
  isOver = false;
  readonly #abort: AbortController;
  readonly #told = new EventEmitter();

  private constructor(answer: Response, abort: AbortController) {
    this.answer = answer;
    this.#abort = abort;
    void this.#read().catch(() => undefined);
  }

  /** Resolves when the stream is open: what happens from then on is received. */
  static async open(address: string, lastId?: string, headers: Record<string, string> = {}): Promise<EventClient> {
    const abort = new AbortController();
    const own = lastId === undefined ? {} : { 'last-event-id': lastId };
    const url = `${address}/sandbox/events`;
    const answer = await fetch(url, { headers: { ...own, ...headers }, signal: abort.signal });
    const client = new EventClient(answer, abort);
    await client.until(() => client.retry !== null || answer.status !== 200);
    return client;
  }

  /** Waits until the condition holds, which is looked at when something was received; at most 10 s. */
  async until(holds: (events: readonly Received[]) => boolean): Promise<readonly Received[]> {
    const signal = AbortSignal.timeout(10_000);
    while (!holds(this.events)) {
      await once(this.#told, 'more', { signal }).catch(() => {
        throw new Error(`not within 10 s; received ${JSON.stringify(this.events.slice(-5))}`);
      });
    }
    return this.events;
  }

  close(): void {
    this.#abort.abort();
  }

  async #read(): Promise<void> {
    let rest = '';
    try {
      const decoder = new TextDecoder();
      for await (const bytes of this.answer.body ?? []) {
        const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) this.#take(line);
        this.#told.emit('more');
      }
    } finally {
      this.isOver = true;
      this.#told.emit('more');
    }
  }

  #event = '';
  #data: string[] = [];

  #take(line: string): void {
    if (line === '') {
      const data = this.#data.join('\n');
      if (data !== '') this.events.push({ id: this.lastId, event: this.#event, data: JSON.parse(data) });
      this.#event = '';
      this.#data = [];
      return;
    }
    const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/.exec(line) ?? [];
    if (field === '') this.comments.push(value);
    if (field === 'id') this.lastId = value;
    if (field === 'event') this.#event = value;
    if (field === 'data') this.#data.push(value);
    if (field === 'retry') this.retry = Number(value);
  }
}
