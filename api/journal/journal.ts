import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import type { Request, RequestHandler } from 'express';
import { clockAtHand } from '../../engine/bank/bank-context.ts';
import { randomIds } from '../../engine/bank/ids.ts';
import type { Bank } from '../../engine/bank.ts';
import { interfacePath } from '../pipeline/addresses.ts';
import { bytesOf } from '../pipeline/read-body.ts';
import { withoutIdentityNumbers } from '../pipeline/masking/identity-numbers.ts';
import { maskOf } from '../pipeline/masking/secrets.ts';
import { addFacts, notesOf, type RequestFacts } from '../pipeline/request-log.ts';
import { type Arrival, type Entry, keepBody, keepText, type Touched, sizeOf } from './entry.ts';

/** Maximum size of all journals of a process. */
const maxBytes = 16 * 1024 * 1024;
/** Maximum number of entries of one bank. */
export const maxEntries = 500;

/** Throws an Error for entries that the journal of one bank cannot hold. */
export function requireRoomFor(entries: readonly Entry[]): void {
  if (entries.length > maxEntries) throw new Error(`requests: ${maxEntries} at most`);
  const bytes = entries.reduce((sum, entry) => sum + sizeOf(entry), 0);
  if (bytes > maxBytes) throw new Error(`requests: they take ${bytes} bytes, and a journal ${maxBytes} at most`);
}

/** An entry in its place. */
interface Kept {
  entry: Entry;
  bytes: number;
  /** The entries of its bank. */
  readonly among: Set<Kept>;
}

/** The last 500 entries of one bank. */
export interface BankEntries {
  /** Adds an entry. Returns how to put a newer version in its place; nothing happens once it is gone. */
  add(entry: Entry): (newer: Entry) => void;
  /** The newest first. */
  list(): readonly Entry[];
  /** Drops all entries, and keeps none from now on. */
  close(): void;
}

/**
 * The memory of all journals of a process. Above 16 MB the oldest entry of the bank with the most goes: each of N banks keeps at least 1/N of it
 * (docs/spec/control-plane.md H Shares).
 */
export class Journals {
  /** The entries of each bank, and their size. */
  readonly #all = new Map<Set<Kept>, number>();
  #bytes = 0;

  /** Sum of the sizes of all entries; see {@link sizeOf}. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The entries of one bank. */
  open(): BankEntries {
    const own = new Set<Kept>();
    let isClosed = false;
    return {
      add: (entry) => {
        if (isClosed) return () => undefined;
        const kept: Kept = { entry, bytes: sizeOf(entry), among: own };
        own.add(kept);
        this.#grow(own, kept.bytes);
        const [oldest] = own;
        if (own.size > maxEntries && oldest !== undefined) this.#drop(oldest);
        return (newer) => {
          if (!own.has(kept)) return;
          const bytes = sizeOf(newer);
          const more = bytes - kept.bytes;
          Object.assign(kept, { entry: newer, bytes });
          this.#grow(own, more);
        };
      },
      list: () => [...own].reverse().map(({ entry }) => entry),
      close: () => {
        isClosed = true;
        for (const kept of own) this.#drop(kept);
      },
    };
  }

  #grow(own: Set<Kept>, by: number): void {
    this.#count(own, by);
    while (this.#bytes > maxBytes) {
      const [[largest] = []] = [...this.#all].sort(([, one], [, other]) => other - one);
      const [oldest] = largest ?? [];
      if (oldest === undefined) return;
      this.#drop(oldest);
    }
  }

  #count(own: Set<Kept>, by: number): void {
    this.#bytes += by;
    const bytes = (this.#all.get(own) ?? 0) + by;
    if (own.size > 0) this.#all.set(own, bytes);
    else this.#all.delete(own);
  }

  #drop(kept: Kept): void {
    if (kept.among.delete(kept)) this.#count(kept.among, -kept.bytes);
  }
}

/** Shared by all banks, to save memory. */
const kinds = new Set(['payment', 'consent'] as const);

/** A request that the HTTP parser refused, and its answer. */
interface UnreadableRequest {
  /** The last bytes received; left out: none. */
  readonly packet?: Uint8Array;
  readonly facts: RequestFacts & { readonly status: number };
  readonly answer: string;
}

/** Who follows a journal. */
interface JournalListener {
  /** The journal has kept an entry. */
  kept(entry: Entry): void;
  /** `kept` threw this. The journal keeps the request all the same. */
  failed(error: unknown): void;
  /** Those of the settings. No key of an entry contains one. */
  readonly secrets: readonly string[];
}

/**
 * The last 500 requests of one bank under /v1, in memory (docs/spec/control-plane.md). Resets and suspension keep them; they end with the
 * bank. The journal adds a request when its answer is sent or its client is gone.
 */
export class Journal {
  readonly #bank: Bank;
  readonly #entries: BankEntries;
  readonly #clock: ReturnType<typeof clockAtHand>;
  readonly #listener: JournalListener;
  readonly #touchedBy = new WeakMap<ServerResponse, Touched[]>();
  /** The resources that the request of this async context has touched so far. */
  readonly #touching = new AsyncLocalStorage<Touched[]>();

  constructor(bank: Bank, journals: Journals, listener: JournalListener) {
    this.#bank = bank;
    this.#listener = listener;
    this.#entries = journals.open();
    this.#clock = clockAtHand(bank);
    bank.listen({
      kinds,
      // A run changes any number of payments, and is no request.
      isListening: () => this.#touching.getStore() !== undefined,
      hear: (happening) => {
        const touched = this.#touching.getStore();
        if (happening.kind === 'payment') touched?.push({ kind: 'payment', id: happening.paymentId });
        if (happening.kind === 'consent') touched?.push({ kind: 'consent', id: happening.consentId });
      },
      failed: () => undefined,
    });
  }

  /** Follows a request to its end, if it is under /v1. Called before anything that may refuse it. */
  follow(request: Request, response: ServerResponse): void {
    if (!interfacePath.test(request.path)) return;
    const key = this.keyOf(request.headers['x-request-id'], request.rawHeaders);
    const followed = { key, arrival: this.#arrival(), touched: [] };
    addFacts(response, { entryKey: key });
    this.#touchedBy.set(response, followed.touched);
    response.once('close', () => {
      const entry = entryOf(request, response, followed);
      const replace = this.#keep(entry);
      notesOf(response).changed = (facts) => replace({ ...entry, facts });
    });
  }

  /** Notes which payments and consents the followed request changes from here on. */
  readonly noteChanges: RequestHandler = (_request, response, next) => {
    this.#touching.run(this.#touchedBy.get(response) ?? [], next);
  };

  /** Keeps a request that the HTTP parser refused, under this key. */
  keepUnreadable(key: string, { packet, facts, answer }: UnreadableRequest): void {
    const { method, target, rawHeaders } = readPacket(packet);
    this.#keep({
      key,
      arrival: this.#arrival(),
      method,
      target,
      rawHeaders,
      body: null,
      packet: keepBody(packet ?? null),
      status: facts.status,
      isDelivered: true,
      answer: keepText(answer),
      facts,
      touched: [],
    });
  }

  /** Adds the requests of another process, the oldest first. The listener does not get them. */
  takeOver(entries: readonly Entry[]): void {
    for (const entry of entries) this.#entries.add(entry);
  }

  /**
   * The key of a request (rules.md G11): its X-Request-ID if that has 1 to 64 of `[A-Za-z0-9_-]`, no identity number and no secret. Else a
   * random id.
   */
  keyOf(requestId: string | readonly string[] | undefined, rawHeaders: readonly string[]): string {
    if (typeof requestId !== 'string' || !/^[\w-]{1,64}$/.test(requestId)) return randomIds.uuid();
    if (maskOf(this.#listener.secrets, rawHeaders)(requestId) !== requestId) return randomIds.uuid();
    return withoutIdentityNumbers(requestId) === requestId ? requestId : randomIds.uuid();
  }

  /** The newest first. */
  list(): readonly Entry[] {
    return this.#entries.list();
  }

  /** Frees its memory. */
  close(): void {
    this.#entries.close();
  }

  #keep(entry: Entry): (newer: Entry) => void {
    const replace = this.#entries.add(entry);
    // Nobody above catches: an error here would end the server.
    try {
      this.#listener.kept(entry);
    } catch (error) {
      this.#listener.failed(error);
    }
    return replace;
  }

  #arrival(): Arrival {
    return { wall: this.#bank.wall.now(), steady: this.#bank.steady.now(), clock: this.#clock() };
  }
}

interface Followed {
  readonly key: string;
  readonly arrival: Arrival;
  readonly touched: readonly Touched[];
}

function entryOf(request: Request, response: ServerResponse, followed: Followed): Entry {
  const { facts, answer } = notesOf(response);
  const { method, originalUrl, rawHeaders } = request;
  const isDelivered = response.writableFinished || facts.status !== undefined;
  // Bytes that are written after the client has broken off its request are no answer.
  const isAnswered = isDelivered || (response.headersSent && request.complete);
  return {
    ...followed,
    method,
    target: originalUrl,
    rawHeaders,
    body: keepBody(bytesOf(request)),
    packet: null,
    status: isAnswered ? (facts.status ?? response.statusCode) : null,
    isDelivered,
    answer: answer === null || !isAnswered ? null : keepText(answer),
    facts,
  };
}

/** The readable part of a request's packet. */
interface PacketHead {
  /** Empty when the packet does not begin with a request line. */
  readonly method: string;
  readonly target: string;
  /** Name, value, name, value: every line that looks like a header. */
  readonly rawHeaders: readonly string[];
}

/** Reads the head of a request that the HTTP parser refused, as far as it can be read. Never throws. */
export function readPacket(packet: Uint8Array = new Uint8Array()): PacketHead {
  const text = Buffer.from(packet).toString('latin1');
  const end = text.search(/\r?\n\r?\n/);
  const lines = (end < 0 ? text : text.slice(0, end)).split('\n');
  const [, method = '', target = ''] = /^([A-Z]{3,20}) (\S+)/.exec(lines[0] ?? '') ?? [];
  const rawHeaders = lines.flatMap((line) => {
    const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):(.*)$/.exec(line.trimEnd()) ?? [];
    return name === undefined || value === undefined ? [] : [name, value.trim()];
  });
  return { method, target, rawHeaders };
}
