import { type Fault, Refusal } from '../values/fault.ts';
import { Mistake } from '../values/mistake.ts';

/**
 * Why a ledger cannot be written: its file cannot be written at the moment (`unwritable`), was removed (`missing`), or
 * its books may be wrong (`broken`).
 */
export interface LedgerTrouble {
  readonly kind: 'unwritable' | 'missing' | 'broken';
  /** Text for people, without a full stop. */
  readonly reason: string;
  readonly cause?: unknown;
}

/** Worst first: it is the one reported. */
const troubleKinds = ['broken', 'missing', 'unwritable'] as const satisfies readonly LedgerTrouble['kind'][];

/** Current troubles of one ledger. */
export class LedgerCondition {
  readonly #troubles = new Map<LedgerTrouble['kind'], LedgerTrouble>();
  #listener: (trouble: LedgerTrouble | null) => void = () => undefined;

  /** The worst trouble, or null if the ledger can be written. */
  trouble(): LedgerTrouble | null {
    const worst = troubleKinds.find((kind) => this.#troubles.has(kind));
    return worst === undefined ? null : (this.#troubles.get(worst) ?? null);
  }

  has(kind: LedgerTrouble['kind']): boolean {
    return this.#troubles.has(kind);
  }

  /** Calls `listener` with each trouble when it begins, and with null when the last one is over. */
  watch(listener: (trouble: LedgerTrouble | null) => void): void {
    this.#listener = listener;
  }

  begin(trouble: LedgerTrouble): void {
    const isNew = !this.#troubles.has(trouble.kind);
    if (isNew) this.#troubles.set(trouble.kind, trouble);
    if (isNew) this.#listener(trouble);
  }

  end(kind: LedgerTrouble['kind']): void {
    if (this.#troubles.delete(kind) && this.#troubles.size === 0) this.#listener(null);
  }
}

/**
 * Why a ledger must not be served: another process has it, another version or program made it, or its schema, pages or
 * books are wrong.
 */
type RefusedAs = 'held' | 'outdated' | 'damaged';

/** What else is known of a refused ledger. */
interface RefusedFacts {
  /** SQLite's error code when it cannot read the file. */
  readonly code?: string | null | undefined;
  readonly cause?: unknown;
}

/** A ledger that this process must not serve. The message says why in one line. */
export class LedgerRefused extends Mistake {
  readonly why: RefusedAs;
  readonly code: string | null;

  constructor(why: RefusedAs, message: string, { code = null, cause }: RefusedFacts = {}) {
    super(message, { cause });
    this.why = why;
    this.code = code;
  }
}

/** Whether an error is a {@link LedgerRefused} for this reason. */
export function isRefused(error: unknown, why: RefusedAs): error is LedgerRefused {
  return error instanceof LedgerRefused && error.why === why;
}

/**
 * The ledger cannot be read or written; answered with 503 (rules.md E2). The failed write may still have been carried
 * out: sending it again with the same X-Request-ID is safe.
 */
export class LedgerUnavailable extends Error {
  readonly fault: Fault;
  /** Whether the log has the reason already, so that the calls that it refuses need no lines. */
  readonly isLogged: boolean;

  /**
   * `logged`: the text of the answer, in place of the usual one of the kind, which says that the log has the reason.
   */
  constructor(trouble: LedgerTrouble, logged?: string) {
    super(trouble.reason, { cause: trouble.cause });
    this.name = 'LedgerUnavailable';
    this.fault = { code: 'SYSTEM_ERROR', place: 'unavailable', text: logged ?? troubleText(trouble), retryAfter: 1 };
    this.isLogged = logged !== undefined;
  }
}

function troubleText({ kind, reason }: LedgerTrouble): string {
  if (kind === 'broken') {
    return `The bank takes no changes: ${reason}. Reading goes on; a reset takes the bank back to its known state.`;
  }
  if (kind === 'missing') return `The bank takes no changes: ${reason}. Put it back, or reset the bank.`;
  return (
    `The bank cannot use its ledger: ${reason}. Whether this call was carried out is open: send it again, with the same ` +
    'X-Request-ID. GET /ready says when the bank can be used again.'
  );
}

type Described = readonly [code: string, kind: LedgerTrouble['kind'], reason: string];

const fullCodes = ['SQLITE_FULL', 'ENOSPC', 'EDQUOT', 'EFBIG'];

/** Errors of SQLite and the system that mean trouble with the file; `code` is a prefix. */
const described: readonly Described[] = [
  ...fullCodes.map((code): Described => [code, 'unwritable', 'there is no room on the disk']),
  ['SQLITE_IOERR', 'unwritable', 'the disk could not be read or written'],
  ['EIO', 'unwritable', 'the disk could not be read or written'],
  ['SQLITE_READONLY', 'unwritable', 'its file cannot be written'],
  ['SQLITE_PERM', 'unwritable', 'its file cannot be written'],
  ['SQLITE_CANTOPEN', 'unwritable', 'its file cannot be opened'],
  ['EMFILE', 'unwritable', 'too many files are open'],
  ['ENFILE', 'unwritable', 'too many files are open'],
  ['SQLITE_BUSY', 'unwritable', 'another program is writing it'],
  ['SQLITE_CORRUPT', 'broken', 'its file is damaged'],
  ['SQLITE_NOTADB', 'broken', 'its file is damaged'],
];

/** The trouble that an error means, or null if the error is not about the ledger's file. */
export function troubleIn(error: unknown): LedgerTrouble | null {
  const code = codeOf(error);
  const found = described.find(([beginning]) => code?.startsWith(beginning));
  return found === undefined ? null : { kind: found[1], reason: found[2], cause: error };
}

/** True when another program was writing the file; nothing is wrong with it. */
export function isBusy(error: unknown): boolean {
  return codeOf(error)?.startsWith('SQLITE_BUSY') ?? false;
}

/** True when the disk had no room. */
export function isFull(error: unknown): boolean {
  return fullCodes.includes(codeOf(error) ?? '');
}

/** The `code` of an error or of its cause. */
export function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'cause' in error ? codeOf(error.cause) : null;
}

/** Looks at the whole ledger, and returns what is wrong or null. The signal ends it. */
export type Look = (ending: AbortSignal) => Promise<string | null>;

/** A look at a ledger beside its use, one at most. */
export class BackgroundCheck {
  readonly #found: (damage: string) => void;
  #look: Look | null = null;
  #ending = new AbortController();
  #over: Promise<void> = Promise.resolve();

  /** `found` receives what a look finds wrong. */
  constructor(found: (damage: string) => void) {
    this.#found = found;
  }

  /** Begins a look; fulfilled when it is over or was ended. Rejects as the look does. */
  begin(look: Look): Promise<void> {
    const { signal } = (this.#ending = new AbortController());
    this.#look = look;
    const over = async (): Promise<void> => {
      try {
        const damage = await look(signal);
        if (damage !== null && !signal.aborted) this.#found(damage);
      } catch (error) {
        if (!signal.aborted) throw error;
      } finally {
        if (!signal.aborted) this.#look = null;
      }
    };
    return (this.#over = over());
  }

  /** Ends the look, and does work that replaces what it looked at; when that fails, a new look begins. */
  async without<T>(work: () => Promise<T>): Promise<T> {
    this.#ending.abort();
    await this.#over.catch(() => undefined);
    try {
      const result = await work();
      this.#look = null;
      return result;
    } catch (error) {
      if (this.#look !== null) this.begin(this.#look).catch(() => undefined);
      throw error;
    }
  }
}

/**
 * Copies a ledger. Without room for the copy it is SYSTEM_ERROR: nothing is wrong with the ledger, which stays as it
 * was (control-plane.md K1).
 */
export async function withRoom<T>(copy: () => Promise<T>): Promise<T> {
  try {
    return await copy();
  } catch (error) {
    if (!isFull(error)) throw error;
    const text = 'There is no room on the disk for a copy of the ledger, which stays as it was.';
    throw new Refusal({ code: 'SYSTEM_ERROR', place: 'unavailable', text, retryAfter: 1 });
  }
}
