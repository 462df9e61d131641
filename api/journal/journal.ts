import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import type { Request } from 'express';
import { randomIds } from '../../engine/bank/ids.ts';
import type { Bank } from '../../engine/open-bank.ts';
import { interfacePath } from '../pipeline/addresses.ts';
import { bytesOf } from '../pipeline/read-body.ts';
import { maskOf, withoutIdentityNumbers } from '../pipeline/secrets.ts';
import { addFacts, logNotesOf, type RequestFacts, type Touched } from '../pipeline/request-log.ts';
import { type Arrival, type Entry, keepBody, keepText, sizeOf } from './entry.ts';
import { Mistake } from '../../engine/values/mistake.ts';

/** Maximum size of the journal of one bank, in bytes. */
const maxBytes = 16 * 1024 * 1024;
/** Maximum number of entries of one bank. */
export const maxEntries = 500;

/** Throws a Mistake for entries that the journal of one bank cannot hold. */
export function requireRoomFor(entries: readonly Entry[]): void {
  if (entries.length > maxEntries) throw new Mistake(`requests: ${maxEntries} at most`);
  const bytes = entries.reduce((sum, entry) => sum + sizeOf(entry), 0);
  if (bytes > maxBytes) throw new Mistake(`requests: they take ${bytes} bytes, and a journal ${maxBytes} at most`);
}

interface Kept {
  entry: Entry;
  bytes: number;
}

/** Shared by all banks, to save memory. */
const kinds = new Set(['payment', 'consent'] as const);

/** A request that the HTTP parser refused, and its answer. */
interface UnreadableRequest {
  /** The last bytes received, if any. */
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
  /** No key of an entry contains it. */
  readonly controlToken: string | null;
}

/**
 * The last 500 requests of one bank under /v1, at most 16 MB of them, in memory (docs/spec/control-plane.md). Resets
 * and suspension keep them; they end with the bank. The journal adds a request when its answer is sent or its client is
 * gone.
 */
export class Journal {
  readonly #bank: Bank;
  /** The oldest first. */
  readonly #kept = new Set<Kept>();
  #bytes = 0;
  readonly #listener: JournalListener;
  /** The resources that the request of this async context has touched so far. */
  readonly #touching = new AsyncLocalStorage<Touched[]>();

  constructor(bank: Bank, listener: JournalListener) {
    this.#bank = bank;
    this.#listener = listener;
    bank.listen({
      kinds,
      // A run changes any number of payments, and is no request.
      isListening: () => this.#touching.getStore() !== undefined,
      hear: (event) => {
        const touched = this.#touching.getStore();
        if (event.kind === 'payment') touched?.push({ kind: 'payment', id: event.paymentId });
        if (event.kind === 'consent') touched?.push({ kind: 'consent', id: event.consentId });
      },
      failed: () => undefined,
    });
  }

  /** Follows a request to its end, if it is under /v1. Called before anything that may refuse it. */
  follow(request: Request, response: ServerResponse): void {
    if (!interfacePath.test(request.path)) return;
    const key = this.keyOf(request.headers['x-request-id']);
    const followed = { key, arrival: this.#arrival(), touched: logNotesOf(response).touched };
    addFacts(response, { entryKey: key });
    // It comes once, and to take back each of several listeners costs more than to keep them.
    response.on('close', () => {
      const entry = entryOf(request, response, followed);
      const replace = this.#keep(entry);
      logNotesOf(response).changed = (facts) => replace({ ...entry, facts });
    });
  }

  /** Does the work of the followed request, and notes which payments and consents it changes. */
  noteChanges<Done>(response: ServerResponse, work: () => Done): Done {
    return this.#touching.run(logNotesOf(response).touched, work);
  }

  /** The payment that the followed request of this answer has changed. Null if there is none. */
  paymentOf(response: ServerResponse): string | null {
    return logNotesOf(response).touched.find(({ kind }) => kind === 'payment')?.id ?? null;
  }

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
      beforeReset: false,
    });
  }

  /** Adds the requests of another process, the oldest first. The listener does not get them. */
  takeOver(entries: readonly Entry[]): void {
    for (const entry of entries) this.#add(entry);
  }

  /** The bank is reset: what the journal has came before that. */
  mark(): void {
    for (const kept of this.#kept) kept.entry = { ...kept.entry, beforeReset: true };
  }

  /**
   * The key of a request (rules.md G11): its X-Request-ID if that has 1 to 64 of `[A-Za-z0-9_-]`, no identity number
   * and no control token. Else a random id.
   */
  keyOf(requestId: string | readonly string[] | undefined): string {
    if (typeof requestId !== 'string' || !/^[\w-]{1,64}$/.test(requestId)) return randomIds.uuid();
    const hide = maskOf(this.#listener.controlToken);
    return hide(withoutIdentityNumbers(requestId)) === requestId ? requestId : randomIds.uuid();
  }

  /** The newest first. */
  list(): readonly Entry[] {
    return [...this.#kept].reverse().map(({ entry }) => entry);
  }

  /** Frees its memory. */
  close(): void {
    this.#kept.clear();
    this.#bytes = 0;
  }

  #keep(entry: Entry): (newer: Entry) => void {
    const replace = this.#add(entry);
    // Nobody above catches: an error here would end the server.
    try {
      this.#listener.kept(entry);
    } catch (error) {
      this.#listener.failed(error);
    }
    return replace;
  }

  /** Adds an entry. Returns how to put a newer version in its place; nothing happens once it is gone. */
  #add(entry: Entry): (newer: Entry) => void {
    const kept: Kept = { entry, bytes: 0 };
    const put = (newer: Entry): void => {
      if (!this.#kept.has(kept)) return;
      const bytes = sizeOf(newer);
      this.#bytes += bytes - kept.bytes;
      Object.assign(kept, { entry: { ...newer, beforeReset: kept.entry.beforeReset }, bytes });
      this.#dropOldest();
    };
    this.#kept.add(kept);
    put(entry);
    return put;
  }

  #dropOldest(): void {
    for (const oldest of this.#kept) {
      if (this.#kept.size <= maxEntries && this.#bytes <= maxBytes) return;
      this.#kept.delete(oldest);
      this.#bytes -= oldest.bytes;
    }
  }

  #arrival(): Arrival {
    return { at: this.#bank.now(), wall: this.#bank.wall.now() };
  }
}

interface Followed {
  readonly key: string;
  readonly arrival: Arrival;
  readonly touched: readonly Touched[];
}

function entryOf(request: Request, response: ServerResponse, followed: Followed): Entry {
  const { facts, answer } = logNotesOf(response);
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
    beforeReset: false,
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
