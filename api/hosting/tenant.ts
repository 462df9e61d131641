import type { WallClock } from '../../engine/time/clock.ts';
import { once } from '../../engine/values/once.ts';
import { ConsoleSessions } from '../console/sessions.ts';
import { type ControlToken, type Gate, newBankToken, tokenKey } from '../pipeline/control-token.ts';
import { issueAuthority } from '../signing/certificate-kit.ts';
import { ThrowAwayTpps } from '../signing/test-tpp.ts';
import type { SandboxCa } from '../start/trusted-cas.ts';
import type { BankStore } from './bank-files.ts';
import type { KeptCredentials } from './bank-store.ts';
import { type Issued, issuedBy, type Visits } from './callers.ts';

/** The credentials and sessions of a named bank on a server with a control token. */
export interface Tenant {
  /** Null: there is no such bank, and nobody has them. */
  readonly credentials: BankCredentials | null;
  readonly token: Gate;
  readonly sessions: ConsoleSessions;
  /** Whether a request has a certificate that the bank trusts; none where there is no bank. */
  readonly issued: Issued;
  /** The CAs that the bank trusts now if it does not trust everybody, PEM: its own and those of SANDBANK_TPP_CAS. */
  readonly cas: () => readonly string[];
}

/**
 * The credentials of a named bank on a server with a control token (docs/spec/control-plane.md H): the key of its token, its CA and its
 * throw-away TPPs. They are no part of the bank: its ledger, snapshots and bundles do not have them, and a reset leaves them. A bank that
 * was made before has none until its first token is issued.
 */
export class BankCredentials {
  readonly #name: string;
  readonly #server: Pick<Server, 'store' | 'wall'>;
  #kept: KeptCredentials | null;
  /** Whether the bank was closed for good: a new one may have its name. */
  #isOver = false;
  /** Counts the requests that name the bank. */
  visits: Visits | null = null;
  /** The TPPs of its unsigned door. */
  readonly tpps = new ThrowAwayTpps(() => this.ca());

  /** `kept`: as the store has them. */
  constructor(name: string, kept: KeptCredentials | null, server: Pick<Server, 'store' | 'wall'>) {
    this.#name = name;
    this.#kept = kept;
    this.#server = server;
  }

  /** Whether the bank has credentials of its own. */
  get areOwn(): boolean {
    return this.#kept !== null;
  }

  /** The key of its token; null: it has none. */
  get tokenKey(): string | null {
    return this.#kept?.tokenKey ?? null;
  }

  /** The certificate of its CA; null: it was not needed yet. */
  get caCertificate(): string | null {
    return this.#kept?.ca?.certificatePem ?? null;
  }

  /** Issues a token in place of the one before, and returns it; only its key is kept. Throws LedgerUnavailable, and nothing is changed. */
  issueToken(): string {
    const token = newBankToken();
    this.#keep({ tokenKey: tokenKey(token), ca: this.#kept?.ca ?? null });
    return token;
  }

  /** Makes the token of the bank invalid; its CA stays. Throws LedgerUnavailable, and nothing is changed. */
  revokeToken(): void {
    if (this.#kept !== null) this.#keep({ ...this.#kept, tokenKey: null });
  }

  /** Its CA, made at its first use for ten years. Rejects with LedgerUnavailable; the next call tries again. */
  ca(): Promise<SandboxCa> {
    return this.#kept?.ca ? Promise.resolve(this.#kept.ca) : this.#newCa();
  }

  readonly #newCa = once(async () => {
    // A name in a certificate has at most 64 characters.
    const ca = await issueAuthority(`Sandbank CA ${this.#name.slice(0, 52)}`, this.#server.wall.now());
    this.#keep({ tokenKey: this.tokenKey, ca });
    return ca;
  });

  /** Nothing is kept any more: the bank is gone. */
  end(): void {
    this.#isOver = true;
  }

  #keep(kept: KeptCredentials): void {
    if (!this.#isOver) this.#server.store.keepCredentials(this.#name, kept);
    this.#kept = kept;
  }
}

interface Server {
  /** The control token; null: none is set, and no bank has a tenant. */
  readonly token: ControlToken | null;
  readonly shared: { readonly sessions: ConsoleSessions; readonly trustedCas: () => readonly string[] };
  readonly givenCas: readonly string[];
  readonly store: Pick<BankStore, 'keepCredentials'>;
  readonly wall: Pick<WallClock, 'now'>;
}

/** Makes the tenants of a server. */
export class Tenants {
  readonly #server: Server;
  /** The tenant for the name of no bank: only the control token passes; null: no control token is set. */
  readonly absent: Tenant | null;

  constructor(server: Server) {
    this.#server = server;
    this.absent = this.#make('', null);
  }

  /** The tenant of a bank. `kept`: its credentials, as the store has them. Null: no control token is set. */
  of(name: string, kept: KeptCredentials | null): Tenant | null {
    return this.#make(name, new BankCredentials(name, kept, this.#server));
  }

  #make(name: string, credentials: BankCredentials | null): Tenant | null {
    const { token: server, shared, givenCas } = this.#server;
    if (server === null) return null;
    const ownCa = (): readonly string[] => [credentials?.caCertificate ?? []].flat();
    const cas = (): readonly string[] =>
      credentials?.areOwn === false ? shared.trustedCas() : [...ownCa(), ...givenCas];
    const issued: Issued = credentials === null ? () => null : issuedBy(cas);
    const token = server.ofBank(() => credentials?.tokenKey ?? null);
    const sessions = new ConsoleSessions(token, { server: shared.sessions, base: `/banks/${name}` });
    return { credentials, token, sessions, issued, cas };
  }
}
