import type { IncomingMessage } from 'node:http';
import { randomIds } from '../../engine/bank/ids.ts';
import { keepNewest } from '../../engine/values/lists.ts';
import { FormTokens } from '../pages/page-security.ts';
import type { ControlToken } from '../pipeline/control-token.ts';

/** Maximum number of sessions that gave the control token. A new one ends the oldest. */
const maxSessions = 1_000;

/**
 * Who uses the consoles of a server. A session is a random id in a cookie. Without a control token every browser gets
 * one, and nothing is kept of it; with one a session is kept, in memory, once its browser has given the token. It ends
 * with the process.
 */
export class ConsoleSessions {
  /** Bound to the session of a browser. */
  readonly formTokens = new FormTokens();
  readonly #token: ControlToken | null;
  readonly #isSecure: boolean;
  /** The ids of the sessions that gave the token, the oldest first. */
  readonly #admitted = new Map<string, true>();

  /** `token`: what the login asks for, if there is a login. `isSecure`: browsers reach the consoles by https alone. */
  constructor(token: ControlToken | null, isSecure = false) {
    this.#token = token;
    this.#isSecure = isSecure;
  }

  /** Whether a browser must give the control token first. */
  get haveLogin(): boolean {
    return this.#token !== null;
  }

  /** The session of a request, or null if it has none or it has ended. */
  of(request: IncomingMessage): string | null {
    const id = cookieIn(request.headers.cookie ?? '', cookieName(request));
    return id !== null && (this.#token === null || this.#admitted.has(id)) ? id : null;
  }

  /** Begins a session with the control token. Null if the token is another one. */
  begin(given: string): string | null {
    if (this.#token?.opens(given) !== true) return null;
    const id = this.open();
    keepNewest(this.#admitted, id, true, maxSessions);
    return id;
  }

  /** A new session, for a browser where no token is set. */
  open(): string {
    return randomIds.secret();
  }

  /** The header that gives a browser its session. Scripts cannot read it, and no other site sends it. */
  cookie(request: IncomingMessage, id: string): string {
    return `${cookieName(request)}=${id}; Path=/; HttpOnly; SameSite=Strict${this.#isSecure ? '; Secure' : ''}`;
  }
}

/** Includes the port: browsers send a cookie to every port of a host, and each port may have another bank. */
function cookieName({ headers: { host = '' } }: IncomingMessage): string {
  return `sandbank-console${/:(\d{1,5})$/.exec(host)?.[1] ?? ''}`;
}

function cookieIn(cookies: string, name: string): string | null {
  const found = cookies.split(';').find((cookie) => cookie.trim().startsWith(`${name}=`));
  const [, id = ''] = found?.trim().split('=') ?? [];
  return /^[\w-]{32}$/.test(id) ? id : null;
}
