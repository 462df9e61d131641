import type { IncomingMessage } from 'node:http';
import { randomIds } from '../../engine/bank/ids.ts';
import { keepNewest } from '../../engine/values/lists.ts';
import { FormTokens } from '../pages/page-security.ts';
import { clientAddress } from '../pipeline/addresses.ts';
import { type Gate, tokenKey, type TokenVerdict } from '../pipeline/control-token.ts';

/** Maximum number of sessions that gave a token. A new one ends the oldest. */
const maxSessions = 1_000;

/**
 * Who uses the console of a bank. A session is a random id in a cookie. Without a control token every browser gets one, and nothing
 * is kept of it; with one a session is kept, in memory, once its browser has given the token. It ends with the process, and with its token.
 */
export class ConsoleSessions {
  /** Bound to the session of a browser. */
  readonly formTokens: FormTokens;
  /** What the login asks for; null: there is no login. */
  readonly gate: Gate | null;
  /** The keys of the tokens that began the sessions, by id, the oldest first. */
  readonly #admitted = new Map<string, string>();
  /** Of a named bank with a gate of its own: the sessions of the server, which open it too, and its path. */
  readonly #within: { readonly server: ConsoleSessions; readonly base: string } | null;

  constructor(gate: Gate | null, within: { readonly server: ConsoleSessions; readonly base: string } | null = null) {
    this.gate = gate;
    this.#within = within;
    this.formTokens = within?.server.formTokens ?? new FormTokens();
  }

  /** The session of a request; null: no session, or it has ended. */
  of(request: IncomingMessage): string | null {
    const { gate } = this;
    const isOpen = (id: string): boolean => {
      const key = this.#keyOf(id);
      return gate === null || (key !== undefined && gate.opens(key));
    };
    return cookiesIn(request.headers.cookie ?? '', cookieName(request)).find(isOpen) ?? null;
  }

  /** Whether the session of a request opens the consoles of the whole server, and not that of its bank alone. */
  isOfServer(request: IncomingMessage): boolean {
    return (this.#within?.server ?? this).of(request) !== null;
  }

  /** Begins a session with this token, or says why not. An empty text does not count as a guess. */
  begin(given: string, request: IncomingMessage): { readonly id: string } | Exclude<TokenVerdict, 'right'> {
    const verdict = given === '' ? 'wrong' : (this.gate?.judge(given, clientAddress(request)) ?? 'wrong');
    return verdict === 'right' ? { id: this.#admit(tokenKey(given)) } : verdict;
  }

  /** A new session, for a browser where no token is set. */
  open(): string {
    return randomIds.secret();
  }

  /**
   * The header that gives a browser its session. Scripts cannot read it, and no other site sends it. A session of a
   * bank's own token is sent to that bank alone.
   */
  cookie(request: IncomingMessage, id: string): string {
    const path = this.#within !== null && this.#admitted.has(id) ? this.#within.base : '/';
    return `${cookieName(request)}=${id}; Path=${path}; HttpOnly; SameSite=Strict`;
  }

  #keyOf(id: string): string | undefined {
    const key = this.#admitted.get(id);
    return key ?? (this.#within === null ? undefined : this.#within.server.#keyOf(id));
  }

  /** A session of the server if the token is the server's. */
  #admit(key: string): string {
    if (this.#within?.server.gate?.opens(key) === true) return this.#within.server.#admit(key);
    const id = randomIds.secret();
    keepNewest(this.#admitted, id, key, maxSessions);
    return id;
  }
}

/** Includes the port: browsers send a cookie to every port of a host, and each port may have another bank. */
function cookieName({ headers: { host = '' } }: IncomingMessage): string {
  return `sandbank-console${/:(\d{1,5})$/.exec(host)?.[1] ?? ''}`;
}

/** The ids in the cookies of this name: a browser sends the cookie of the bank and the cookie of its server. */
function cookiesIn(cookies: string, name: string): readonly string[] {
  return cookies.split(';').flatMap((cookie) => {
    const [, id] = cookie.trim().startsWith(`${name}=`) ? cookie.trim().split('=') : [];
    return id !== undefined && /^[\w-]{32}$/.test(id) ? [id] : [];
  });
}
