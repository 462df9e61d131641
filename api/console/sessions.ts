import type { IncomingMessage } from 'node:http';
import { randomIds } from '../../engine/bank/ids.ts';
import { FormTokens } from '../pages/form-tokens.ts';
import { clientAddress } from '../pipeline/client-address.ts';
import type { ControlToken, TokenVerdict } from '../pipeline/control-token.ts';

/** Maximum number of sessions that gave the control token. A new one ends the oldest. */
const maxSessions = 1_000;

/**
 * Who uses the console of a server. A session is a random id in a cookie. Without a control token every browser gets one, and nothing
 * is kept of it; with one a session is kept, in memory, once its browser has given the token. It ends with the process.
 */
export class ConsoleSessions {
  /** Bound to the session of a browser. */
  readonly formTokens = new FormTokens();
  readonly #token: ControlToken | null;
  /** Ids of those that gave the token, the oldest first. */
  readonly #admitted = new Set<string>();

  constructor(token: ControlToken | null) {
    this.#token = token;
  }

  get asksToken(): boolean {
    return this.#token !== null;
  }

  /** The session of a request; null: it has none, or one that has ended. */
  of(request: IncomingMessage): string | null {
    const id = cookieIn(request.headers.cookie ?? '', cookieName(request));
    if (id === null) return null;
    return this.#token === null || this.#admitted.has(id) ? id : null;
  }

  /** A new session for who gave this token, or why there is none. An empty text is no guess. */
  begin(given: string, request: IncomingMessage): { readonly id: string } | Exclude<TokenVerdict, 'right'> {
    const verdict = given === '' ? 'wrong' : (this.#token?.judge(given, clientAddress(request)) ?? 'wrong');
    return verdict === 'right' ? { id: this.open() } : verdict;
  }

  /** A new session, for a browser that has given the token where one is set. */
  open(): string {
    const id = randomIds.secret();
    if (this.#token !== null) this.#admitted.add(id);
    for (const oldest of this.#admitted) {
      if (this.#admitted.size <= maxSessions) break;
      this.#admitted.delete(oldest);
    }
    return id;
  }

  /** The header that gives a browser its session. Scripts cannot read it, and no other site sends it. */
  cookie(request: IncomingMessage, id: string): string {
    return `${cookieName(request)}=${id}; Path=/; HttpOnly; SameSite=Strict`;
  }
}

/** With the port: browsers give a cookie to every port of a host, and each may have a bank of its own. */
function cookieName({ headers: { host = '' } }: IncomingMessage): string {
  return `sandbank-console${/:(\d{1,5})$/.exec(host)?.[1] ?? ''}`;
}

function cookieIn(cookies: string, name: string): string | null {
  for (const cookie of cookies.split(';')) {
    const [, id] = cookie.trim().startsWith(`${name}=`) ? cookie.trim().split('=') : [];
    if (id !== undefined && /^[\w-]{32}$/.test(id)) return id;
  }
  return null;
}
