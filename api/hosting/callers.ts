import { X509Certificate } from 'node:crypto';
import type { Request, Response } from 'express';
import type { WallClock } from '../../engine/time/clock.ts';
import { Refusal } from '../../engine/values/fault.ts';
import type { Instant } from '../../engine/values/instant.ts';
import { keepNewest } from '../../engine/values/lists.ts';
import { clientAddress } from '../pipeline/addresses.ts';
import { notOpenText } from '../pipeline/control-token.ts';
import { createCertificateReader } from '../signing/certificate/tpp-certificate.ts';
import { chainTo } from '../signing/certificate/certificate-check.ts';

/*
 * Who asks a bank of a server with a control token (docs/spec/control-plane.md H Rates). A request with a right token, a session, a signature
 * that checks or the id of an SCA counts to its bank. All others are of strangers, and count to their address.
 */

const second = 1_000;

interface Rate {
  /** Seconds until it takes a request again; 0: it takes one now. */
  wait(): number;
  /** Counts a request. */
  take(): void;
}

/** A rate of so many requests a second. An unused second is not saved up: after a pause it takes the requests of one second at once. */
function rateOf(perSecond: number, clock: Pick<WallClock, 'monotonic'>): Rate {
  /** When the requests that were taken are over at an even pace, by the monotonic clock. */
  let takenUntil = -Infinity;
  const next = (): number => Math.max(takenUntil, clock.monotonic()) + second / perSecond;
  return {
    // A rounding error of the sum is no request.
    wait: () => Math.max(0, Math.ceil((next() - clock.monotonic() - second - 1e-6) / second)),
    take: () => (takenUntil = next()),
  };
}

function tooOften(text: string, retryAfter: number): Refusal {
  const whole = `${text} Send it again after the seconds in Retry-After.`;
  return new Refusal({ code: 'ACCESS_EXCEEDED', text: whole, retryAfter });
}

/** Maximum number of addresses that are remembered; the oldest is forgotten first. */
const maxAddresses = 10_000;

/** The requests of strangers, by their address: each has the rate of a bank. */
export class Strangers {
  readonly #perSecond: number | null;
  readonly #clock: Pick<WallClock, 'monotonic'>;
  readonly #rates = new Map<string, Rate>();

  /** `perSecond` null: they have no rate. */
  constructor(perSecond: number | null, clock: Pick<WallClock, 'monotonic'>) {
    this.#perSecond = perSecond;
    this.#clock = clock;
  }

  /** Throws ACCESS_EXCEEDED if this caller has asked too often. Counts nothing. */
  ask(caller: string): void {
    const wait = this.#rates.get(caller)?.wait() ?? 0;
    if (wait > 0)
      throw tooOften(`This address sends more than ${this.#perSecond} requests a second without a right token.`, wait);
  }

  /** Counts a request of a caller. Throws ACCESS_EXCEEDED for one too many. */
  count(caller: string): void {
    if (this.#perSecond === null) return;
    this.ask(caller);
    const rate = this.#rates.get(caller) ?? rateOf(this.#perSecond, this.#clock);
    rate.take();
    keepNewest(this.#rates, caller, rate, maxAddresses);
  }
}

/** Who a stranger is: its address. */
export function strangerOf(request: Request): string {
  return clientAddress(request) ?? '';
}

/** The certificate in the header of a request; null: it has none that can be read. */
export type Issued = (request: Request) => { readonly isOwn: boolean; readonly fingerprint: string } | null;

/** Maximum number of certificates whose issuer is remembered. */
const maxKnown = 1_000;

/**
 * Tells certificates that one of these CAs (PEM) has issued. It remembers them by their fingerprints, because one certificate can be written in
 * many ways: a CA of a bank stays.
 */
export function issuedBy(cas: () => readonly string[]): Issued {
  const known = new Map<string, true>();
  const read = createCertificateReader();
  return ({ headers }) => {
    const header = headers['tpp-signature-certificate'];
    if (typeof header !== 'string' || header === '') return null;
    try {
      const { x509, validFrom } = read(header);
      const { fingerprint256: fingerprint } = x509;
      if (!known.has(fingerprint)) {
        const authorities = cas().map((pem) => new X509Certificate(pem));
        if (chainTo(authorities, x509, validFrom) === 'unknown') return { isOwn: false, fingerprint };
      }
      keepNewest(known, fingerprint, true, maxKnown);
      return { isOwn: true, fingerprint };
    } catch (error) {
      if (error instanceof Refusal) return null;
      throw error;
    }
  };
}

interface VisitsOptions {
  /** Requests a second; null: any number. */
  readonly perSecond: number | null;
  readonly clock: Pick<WallClock, 'monotonic' | 'now'>;
  /** Null: the server has no control token, and every request counts to its bank. */
  readonly strangers: Strangers | null;
  readonly issued: Issued;
}

/** Maximum number of addresses of a bank that are counted. */
const maxClients = 100;

/** The requests of one bank. */
export class Visits {
  readonly #options: VisitsOptions;
  readonly #rate: Rate | null;
  /** Who sent each request that proved its sender; all other requests are of strangers. */
  readonly #of = new WeakMap<Request, 'bank' | 'bank, one too many' | 'host'>();
  readonly #clients = new Set<string>();
  /** The last use of the bank, by the wall clock; null: none since the start. */
  used: Instant | null = null;
  readonly #counted = { requests: 0, refusals: 0, tooMany: 0, strangers: 0, strangersTooMany: 0 };

  constructor(options: VisitsOptions) {
    this.#options = options;
    this.#rate = options.perSecond === null ? null : rateOf(options.perSecond, options.clock);
  }

  /** Counts a request to the bank, once. Throws ACCESS_EXCEEDED for one too many. */
  take(request: Request): void {
    if (this.#of.has(request)) return;
    const wait = this.#rate?.wait() ?? 0;
    if (wait > 0) {
      this.#of.set(request, 'bank, one too many');
      throw tooOften(`This bank takes ${this.#options.perSecond} requests a second.`, wait);
    }
    this.#rate?.take();
    this.#of.set(request, 'bank');
    this.#counted.requests += 1;
    if (this.#clients.size < maxClients) this.#clients.add(strangerOf(request));
    this.use();
  }

  /** The bank is used. */
  use(): void {
    this.used = this.#options.clock.now();
  }

  /** Leaves a request of the host uncounted. */
  free(request: Request): void {
    this.#of.set(request, 'host');
  }

  /** Counts the answer to a request that names the bank. */
  watch(request: Request, response: Response): void {
    response.once('close', () => {
      const { statusCode: status } = response;
      const by = this.#of.get(request);
      if (by === 'bank' && status >= 400) this.#counted.refusals += 1;
      else if (by === 'bank, one too many') this.#counted.tooMany += 1;
      else if (by === undefined) this.#counted.strangers += 1;
      if (by === undefined && status === 429) this.#counted.strangersTooMany += 1;
    });
  }

  /** What was counted since the start. */
  get counted() {
    return { ...this.#counted, clients: this.#clients.size };
  }

  /**
   * Checks the signature of a request, and counts it to the bank if it is right, else to its address; a certificate of the bank has a count
   * of its own there. Throws ACCESS_EXCEEDED, what `check` throws, and in its place for a certificate that is not of the bank what `hidden`
   * makes, if it makes something.
   */
  async signed<Result>(request: Request, check: () => Promise<Result>, hidden: () => Error | null): Promise<Result> {
    const { strangers, issued } = this.#options;
    if (strangers === null || this.#of.has(request)) return check();
    const certificate = issued(request);
    const isOwn = certificate?.isOwn === true;
    const caller = `${strangerOf(request)}${isOwn ? ` ${certificate.fingerprint}` : ''}`;
    strangers.ask(caller);
    let result: Result;
    try {
      result = await check();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      strangers.count(caller);
      throw (isOwn ? null : hidden()) ?? error;
    }
    this.take(request);
    return result;
  }
}

/** The one answer for who has no token of a bank, whether there is such a bank or not (docs/spec/control-plane.md H One answer). */
export function notOpen(): Refusal {
  return new Refusal({ code: 'CERTIFICATE_INVALID', text: notOpenText });
}
