import { promisify } from 'node:util';
import { zstdCompress, zstdDecompress } from 'node:zlib';
import { ledgerBytes, takeLedgerImage } from '../../../engine/bank/snapshots.ts';
import type { Bank } from '../../../engine/open-bank.ts';
import { readClock } from '../../../engine/bank/read-clock.ts';
import { listPayments } from '../../../engine/inspection/list-payments.ts';
import { takeBackMove } from '../../../engine/reset-and-restore.ts';
import type { Instant } from '../../../engine/values/instant.ts';
import type { Turn } from '../../pipeline/one-at-a-time.ts';
import { Problem } from '../../pipeline/problem.ts';

/** Maximum number of moves of one bank that can be undone, the last ones. */
const maxMoves = 10;

/** Maximum sizes of all copies of one bank, packed, and of a ledger that is copied, in bytes. */
const usualLimits = { copies: 64 * 1024 * 1024, ledger: 64 * 1024 * 1024 };

const [pack, unpack] = [promisify(zstdCompress), promisify(zstdDecompress)];

/** A move of the clock by the console that can be undone. */
export interface Move {
  readonly id: number;
  /** Bank time before it. */
  readonly from: Instant;
  /** Bank time after it. */
  readonly to: Instant;
}

/** What is known of the last move. */
export type LastMove = NonNullable<BankMoves['last']>;

/** A bank whose clock is moved. */
interface MovedBank {
  readonly bank: Bank;
  readonly turn: Turn;
  /** Does the work of the next tick right after a move: later it would look like a change. */
  readonly catchUp: () => Promise<void>;
}

interface Kept {
  readonly move: Move;
  /** The ledger before the move, packed. */
  readonly image: Buffer;
  /** Version of the ledger before the move. */
  readonly before: number;
  /** Version of the ledger after the move, or null if something else happened in the bank since then or during it. */
  after: number | null;
}

/**
 * The last moves of one bank's clock by its console, each with a copy of the ledger before it
 * (docs/spec/control-plane.md C10). Copies are in memory, not beside the ledger: one person needs a copy for minutes, a
 * bank may have no file, and no copy outlives the process.
 */
export class BankMoves {
  readonly #bank: Bank;
  readonly #turn: Turn;
  readonly #catchUp: () => Promise<void>;
  /** The oldest first. */
  readonly #kept: Kept[] = [];
  readonly #limits: typeof usualLimits;
  /** How often an SCA has ended, a consent has changed, or the clock got another mode or rate. */
  #changes = 0;
  #lastId = 0;
  #isStopped = false;

  constructor({ bank, turn, catchUp }: MovedBank, limits = usualLimits) {
    this.#bank = bank;
    this.#turn = turn;
    // Its failure is that of the next tick too, which reports it.
    this.#catchUp = () => catchUp().catch(() => undefined);
    this.#limits = limits;
    bank.listen({
      kinds: new Set(['reset', 'sca', 'consent', 'clock']),
      hear: (event) => {
        if (event.kind === 'reset' && event.cause !== 'move undone') this.forget();
        else if (event.kind === 'consent' || (event.kind === 'sca' && event.outcome !== 'begun')) this.#changes += 1;
        else if (event.kind === 'clock' && event.change === 'set') this.#changes += 1;
      },
      failed: () => this.forget(),
    });
  }

  /** Size of the copies of this bank, in bytes. */
  get bytes(): number {
    return this.#kept.reduce((sum, { image }) => sum + image.length, 0);
  }

  get #newest(): Kept | undefined {
    return this.#kept.at(-1);
  }

  /** The last move that can be undone; null when no move can be. */
  get last() {
    const kept = this.#newest;
    if (kept === undefined) return null;
    const { move, after } = kept;
    const version = this.#bank.ledger.version();
    return {
      move,
      // Whether an Undo takes back more than the move.
      hasChanged: after !== version,
      // Names the state of the bank that the page showed. An Undo works in this state only.
      seen: `${move.id}-${version}`,
    };
  }

  /** Why the next move could not be undone, in words, or null if it could. */
  async obstacle(): Promise<string | null> {
    const bytes = await ledgerBytes(this.#bank);
    if (bytes <= this.#limits.ledger) return null;
    return `The ledger has ${megabytes(bytes)}, and up to ${megabytes(this.#limits.ledger)} are copied: this move cannot be undone. Keep a snapshot first.`;
  }

  /**
   * The turn of the bank for a move of its clock: the ledger is copied before the work. A ledger that is too large is
   * not.
   */
  recording(): Turn {
    this.#isStopped = false;
    return { ...this.#turn, runExclusive: (work) => this.#turn.runExclusive(() => this.#record(work)) };
  }

  /** Ends the move that is under way between two runs. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Whether somebody has stopped the move that is under way. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  async #record<T>(work: () => Promise<T>): Promise<T> {
    if ((await this.obstacle()) !== null) return work();
    const bank = this.#bank;
    // Counted before the copy: a change between the two counts as lost, although the copy has it.
    const before = bank.ledger.version();
    const [changes, payments] = [this.#changes, await paymentsOf(bank)];
    const { bytes, now } = await takeLedgerImage(bank);
    const image = await pack(bytes);
    try {
      return await work();
    } finally {
      // A move that failed halfway can be undone too.
      if (bank.ledger.version() !== before) {
        await this.#catchUp();
        const move = { id: (this.#lastId += 1), from: now, to: (await readClock(bank)).now };
        const isAlone = this.#changes === changes && (await paymentsOf(bank)) === payments;
        const after = isAlone ? bank.ledger.version() : null;
        this.#kept.push({ move, image, before, after });
        while (this.#kept.length > maxMoves || this.bytes > this.#limits.copies) this.#kept.shift();
      }
    }
  }

  /**
   * Takes back the last move. `seen` is that of {@link LastMove}. Throws a Problem (409) if the bank has changed since
   * then.
   */
  undo(seen: string): Promise<Move> {
    return this.#turn.runExclusive(async () => {
      const kept = this.#newest;
      if (kept === undefined || this.last?.seen !== seen) throw changedSince();
      const { move, image, before } = kept;
      await takeBackMove(this.#bank, { bytes: await unpack(image), now: move.from });
      this.#kept.pop();
      await this.#catchUp();
      const earlier = this.#newest;
      if (earlier?.after === before) earlier.after = this.#bank.ledger.version();
      return move;
    });
  }

  /** Forgets all moves. */
  forget(): void {
    this.#kept.length = 0;
  }
}

async function paymentsOf(bank: Bank): Promise<number> {
  const any = { status: null, service: null, numbers: null, from: null, to: null };
  const { total } = await listPayments(bank, { ...any, offset: 0, limit: 0 });
  return total;
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1024 / 1024)} MB`;
}

function changedSince(): Problem {
  const detail =
    'The bank has changed since this page was shown. Nothing was undone. Press Undo again to see what it takes back.';
  return new Problem({ status: 409, detail });
}
