import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import type { Instant } from '../../engine/values/instant.ts';
import { newBankToken, tokenKey } from '../pipeline/control-token.ts';
import { issueAuthority } from '../signing/certificate-kit.ts';
import { ThrowAwayTpps } from '../signing/throw-away-tpps.ts';
import type { SandboxCa } from '../start/trusted-cas.ts';

/** What is kept of the credentials of a bank. */
export interface KeptCredentials {
  /** The key of its token ({@link tokenKey}); null: its token was revoked. */
  readonly tokenKey: string | null;
  /** Null until it is first needed. */
  readonly ca: SandboxCa | null;
}

/** Where the credentials of a bank are kept. */
export interface CredentialStore {
  /** Null: the bank has none yet. Rejects with a plain Error if they cannot be read. */
  load(): Promise<KeptCredentials | null>;
  save(kept: KeptCredentials): Promise<void>;
}

/** Keeps credentials nowhere: they end with the process, as a bank in memory does. */
export const inMemory: CredentialStore = {
  load: () => Promise.resolve(null),
  save: () => Promise.resolve(),
};

/** Keeps credentials in a JSON file that its owner alone can read. The file is always whole: a new one takes the place of the old one. */
export function inFile(path: string): CredentialStore {
  return {
    load: async () => {
      const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw error;
      });
      if (text === null) return null;
      const kept = parsed(text);
      if (kept === null) throw new Error(`${path} holds no credentials of a bank`);
      return kept;
    },
    save: async (kept) => {
      const next = `${path}.new`;
      await rm(next, { force: true });
      await writeFile(next, `${JSON.stringify(kept)}\n`, { mode: 0o600, flag: 'wx', flush: true });
      await rename(next, path);
    },
  };
}

/** Null: it is no text of {@link inFile}. */
function parsed(text: string): KeptCredentials | null {
  try {
    const { tokenKey: key, ca } = JSON.parse(text) as KeptCredentials;
    const isKey = key === null || /^[0-9a-f]{64}$/.test(key);
    const isCa = ca === null || (typeof ca.certificatePem === 'string' && typeof ca.keyPem === 'string');
    return isKey && isCa ? { tokenKey: key, ca } : null;
  } catch {
    return null;
  }
}

/**
 * The credentials of a named bank on a server with a control token (docs/spec/control-plane.md H): the key of its token, its CA and its
 * throw-away TPPs. They are no part of the bank: its ledger, snapshots and bundles do not have them, and a reset leaves them. A bank that
 * was made before has none until its first token is issued.
 */
export class BankCredentials {
  readonly #store: CredentialStore;
  readonly #now: () => Instant;
  readonly #name: string;
  #kept: KeptCredentials | null;
  /** The CA while it is made; null: it is not. */
  #making: Promise<SandboxCa> | null = null;
  /** The last save: one follows the other. */
  #saved: Promise<void> = Promise.resolve();
  /** The TPPs of its unsigned door. */
  readonly tpps = new ThrowAwayTpps(() => this.ca());

  private constructor(name: string, store: CredentialStore, kept: KeptCredentials | null, now: () => Instant) {
    this.#name = name;
    this.#store = store;
    this.#kept = kept;
    this.#now = now;
  }

  /** The credentials of a bank, as they are kept. Rejects with a plain Error if they cannot be read. `now`: the wall clock. */
  static async open(name: string, now: () => Instant, store: CredentialStore = inMemory): Promise<BankCredentials> {
    return new BankCredentials(name, store, await store.load(), now);
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

  /** Issues a token in place of the one before, and returns it; only its key is kept. Rejects with the error of the store, and nothing is changed. */
  async issueToken(): Promise<string> {
    const token = newBankToken();
    await this.#keep(() => ({ tokenKey: tokenKey(token), ca: this.#kept?.ca ?? null }));
    return token;
  }

  /** Makes the token of the bank invalid; it keeps its CA. */
  async revokeToken(): Promise<void> {
    if (this.#kept !== null) await this.#keep(() => ({ tokenKey: null, ca: this.#kept?.ca ?? null }));
  }

  /** Its CA, made at its first use for ten years. After a failure the next call tries again. */
  async ca(): Promise<SandboxCa> {
    if (this.#kept?.ca) return this.#kept.ca;
    this.#making ??= this.#makeCa().finally(() => (this.#making = null));
    return this.#making;
  }

  async #makeCa(): Promise<SandboxCa> {
    // A name in a certificate has at most 64 characters.
    const ca = await issueAuthority(`Sandbank CA ${this.#name.slice(0, 52)}`, this.#now());
    await this.#keep(() => ({ tokenKey: this.tokenKey, ca }));
    return ca;
  }

  /** Saves what is made of the credentials as they then are, and takes it over once it is saved. */
  #keep(make: () => KeptCredentials): Promise<void> {
    const saved = this.#saved.then(async () => {
      const kept = make();
      await this.#store.save(kept);
      this.#kept = kept;
    });
    this.#saved = saved.catch(() => undefined);
    return saved;
  }
}
