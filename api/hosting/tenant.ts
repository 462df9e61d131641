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

/** A server with a control token. */
interface Server {
  readonly token: ControlToken;
  readonly shared: { readonly sessions: ConsoleSessions; readonly trustedCas: () => readonly string[] };
  /** The CAs of SANDBANK_TPP_CAS, PEM. */
  readonly givenCas: readonly string[];
  readonly store: Pick<BankStore, 'keepCredentials'>;
  readonly wall: Pick<WallClock, 'now'>;
}

/**
 * The owner of a named bank on a server with a control token (docs/spec/control-plane.md H), with the key of its token, its CA, its throw-away
 * TPPs and its sessions. They are no part of the bank: its ledger, snapshots and bundles do not have them, and a reset leaves them. A bank that
 * was made before has no credentials until its first token is issued.
 */
export class Tenant {
  readonly #name: string;
  readonly #server: Server;
  #kept: KeptCredentials | null;
  /** Whether the bank was closed for good: a new one may have its name. */
  #isOver = false;
  readonly token: Gate;
  readonly sessions: ConsoleSessions;
  /** Whether a request has a certificate that the bank trusts. */
  readonly issued: Issued = issuedBy(() => this.cas());
  /** The TPPs of its unsigned door. */
  readonly tpps = new ThrowAwayTpps(() => this.ca());
  /** Counts the requests that name the bank. */
  visits: Visits | null = null;

  /** `name` empty: of no bank, where only the control token passes. `kept`: its credentials, as the store has them. */
  constructor(name: string, kept: KeptCredentials | null, server: Server) {
    this.#name = name;
    this.#kept = kept;
    this.#server = server;
    this.token = server.token.ofBank(() => this.#kept?.tokenKey ?? null);
    this.sessions = new ConsoleSessions(this.token, { server: server.shared.sessions, base: `/banks/${name}` });
  }

  /** False: there is no such bank, and nobody has its credentials. */
  get isOfBank(): boolean {
    return this.#name !== '';
  }

  /** Whether the bank has credentials of its own. */
  get hasCredentials(): boolean {
    return this.#kept !== null;
  }

  /** Whether a token of its own opens the bank. */
  get hasToken(): boolean {
    return (this.#kept?.tokenKey ?? null) !== null;
  }

  /** The CAs that the bank trusts now if it does not trust everybody, PEM: its own and those of SANDBANK_TPP_CAS. */
  cas(): readonly string[] {
    const { shared, givenCas } = this.#server;
    if (this.#kept === null) return shared.trustedCas();
    const { ca } = this.#kept;
    return ca === null ? givenCas : [ca.certificatePem, ...givenCas];
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
    this.#keep({ tokenKey: this.#kept?.tokenKey ?? null, ca });
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
