import type { Fault } from '../values/fault.ts';

/**
 * What keeps a ledger from being written: its file cannot be written at the moment, was taken away, or its books may be
 * wrong.
 */
export interface LedgerTrouble {
  readonly kind: 'unwritable' | 'missing' | 'broken';
  /** For a person, without a full stop. */
  readonly reason: string;
  readonly cause?: unknown;
}

/** The worst first: it is what is told. */
const kinds = ['broken', 'missing', 'unwritable'] as const satisfies readonly LedgerTrouble['kind'][];

/** What is wrong with one ledger at the moment. */
export class LedgerCondition {
  readonly #troubles = new Map<LedgerTrouble['kind'], LedgerTrouble>();
  #told: (trouble: LedgerTrouble | null) => void = () => undefined;

  /** The worst; null: the ledger can be written. */
  trouble(): LedgerTrouble | null {
    const worst = kinds.find((kind) => this.#troubles.has(kind));
    return worst === undefined ? null : (this.#troubles.get(worst) ?? null);
  }

  has(kind: LedgerTrouble['kind']): boolean {
    return this.#troubles.has(kind);
  }

  /** `told` hears of each kind of trouble when it begins, and of null when the last one is over. */
  watch(told: (trouble: LedgerTrouble | null) => void): void {
    this.#told = told;
  }

  begin(trouble: LedgerTrouble): void {
    const isNew = !this.#troubles.has(trouble.kind);
    if (isNew) this.#troubles.set(trouble.kind, trouble);
    if (isNew) this.#told(trouble);
  }

  end(kind: LedgerTrouble['kind']): void {
    if (this.#troubles.delete(kind) && this.#troubles.size === 0) this.#told(null);
  }
}

/**
 * The ledger could not be read or written, or takes no changes: the told 503 (rules.md E2). A write that failed may have
 * been carried out all the same: the same X-Request-ID settles it.
 */
export class LedgerUnavailable extends Error {
  readonly fault: Fault;

  constructor(trouble: LedgerTrouble) {
    super(trouble.reason, { cause: trouble.cause });
    this.name = 'LedgerUnavailable';
    this.fault = { code: 'SYSTEM_ERROR', place: 'ledger', text: textOf(trouble) };
  }
}

function textOf({ kind, reason }: LedgerTrouble): string {
  if (kind === 'broken') {
    return `The bank takes no changes: ${reason}. Reading goes on; a reset takes the bank back to its known state.`;
  }
  if (kind === 'missing') return `The bank takes no changes: ${reason}. Put it back, or reset the bank.`;
  return (
    `The bank cannot use its ledger: ${reason}. Whether this call was carried out is open: send it again, with the same ` +
    'X-Request-ID. GET /ready says when the bank can be used again.'
  );
}

type Described = readonly [code: string, kind: 'unwritable' | 'broken', reason: string];

/** What SQLite and the system say of a file that cannot be used, by the beginning of the code. */
const described: readonly Described[] = [
  ['SQLITE_FULL', 'unwritable', 'there is no room on the disk'],
  ['ENOSPC', 'unwritable', 'there is no room on the disk'],
  ['EDQUOT', 'unwritable', 'there is no room on the disk'],
  ['EFBIG', 'unwritable', 'there is no room on the disk'],
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

/** What an error says of the ledger's file; null for one that says nothing of it. */
export function troubleIn(error: unknown): LedgerTrouble | null {
  const code = codeOf(error);
  const found = described.find(([beginning]) => code?.startsWith(beginning));
  return found === undefined ? null : { kind: found[1], reason: found[2], cause: error };
}

/** Whether another program was in the way: nothing is wrong with the file. */
export function isBusy(error: unknown): boolean {
  return codeOf(error)?.startsWith('SQLITE_BUSY') ?? false;
}

/** The code of an error, or of the one that caused it. */
export function codeOf(error: unknown): string | null {
  if (typeof error !== 'object' || error === null) return null;
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'cause' in error ? codeOf(error.cause) : null;
}
