import type { Ledger } from '../ledger/database.ts';
import type { BankClock, ClockMode } from '../time/rules/bank-clock.ts';
import type { RunReport } from '../time/rules/settlement-run.ts';
import type { Instant } from '../values/instant.ts';
import type { Amount } from '../values/money.ts';

/** An event of a life that happened. */
export interface LivedEvent {
  readonly at: Instant;
  /** BBAN or IBAN. */
  readonly account: string;
  /** Credit positive. */
  readonly amount: Amount;
  /** The event of the persona: `salary`. */
  readonly event: string;
}

/** What happens in a bank; `at` is bank time. Ids are those of the interface and the control plane. */
export type BankEvent =
  /** A line of a payment's history (rules.md S10): its first status, each later one, a change in another channel. */
  | {
      readonly kind: 'payment';
      readonly at: Instant;
      readonly paymentId: string;
      readonly status: string;
      readonly cause: string;
    }
  /** Number of unwanted status changes that were omitted before those that follow: see {@link Outlet.wanted}. */
  | { readonly kind: 'left out'; readonly at: Instant; readonly count: number }
  /** A settlement run that had work (rules.md T6), after the payments that it changed. */
  | ({ readonly kind: 'run' } & RunReport)
  /**
   * The clock got another mode or rate (`set`), or was moved forward to `at` (`advanced`). The mere passing of time is
   * no event.
   */
  | {
      readonly kind: 'clock';
      readonly at: Instant;
      readonly change: 'set' | 'advanced';
      readonly mode: ClockMode;
      readonly rate: number;
    }
  /**
   * The clock was stored anew: it was set or moved, or another ledger has come. For what shows the bank's time
   * elsewhere (rules.md T1c).
   */
  | { readonly kind: 'moved'; readonly at: Instant; readonly clock: BankClock }
  /**
   * An SCA was opened or ended (rules.md A2). Its id is omitted, because it opens the page. A link that runs out by
   * itself is no event.
   */
  | {
      readonly kind: 'sca';
      readonly at: Instant;
      readonly purpose: string;
      readonly outcome: 'begun' | 'approved' | 'cancelled' | 'failed' | 'expired';
      /** Of a payment or its cancellation. */
      readonly paymentId: string | null;
    }
  | {
      readonly kind: 'consent';
      readonly at: Instant;
      readonly change: 'granted' | 'ended';
      readonly consentId: string;
    }
  /** All earlier events are void. `at` is the new bank time. */
  | {
      readonly kind: 'reset';
      readonly at: Instant;
      readonly cause: 'reset' | 'initialized' | 'clock set back' | 'snapshot restored' | 'move undone';
    }
  /** A certificate was blocked, revoked or accepted again (null). For the signature check, not for TPPs. */
  | {
      readonly kind: 'certificate';
      readonly at: Instant;
      readonly serial: string;
      readonly status: 'blocked' | 'revoked' | null;
    }
  | { readonly kind: 'snapshot'; readonly at: Instant; readonly name: string }
  /**
   * A dated event of a life moved money, or the bank charged or paid interest or a fee: for forecasts (rules.md D3e).
   */
  | ({ readonly kind: 'lived' } & LivedEvent);

export type BankEventKind = BankEvent['kind'];

/** A receiver of events. */
export interface Listener {
  /** The kinds that it receives. A kind without listeners costs nothing. */
  readonly kinds: ReadonlySet<BankEventKind>;
  /** Whether it listens now, asked in the async context of the sender. By default it always does. */
  readonly isListening?: () => boolean;
  /** Maximum number of `payment` events in one transaction: it gets the last ones. The default is all. */
  readonly maxPayments?: () => number;
  /**
   * Called after the commit, before the next transaction begins: it must be quick. It may call the bank, but not wait
   * for it.
   */
  hear(event: BankEvent): void;
  /** Receives what `hear` threw. The bank and the other listeners go on. */
  failed(error: unknown): void;
}

/** Delivers the events of a bank to its listeners. */
export interface Outlet {
  /**
   * Sends an event to the listeners: after the commit of the surrounding transaction, in the order of the calls, and
   * never after a rollback; outside of a transaction at once.
   */
  tell(event: BankEvent): void;
  /** Whether any listener wants this kind. Ask first if an event takes a query or many objects. */
  isHeard(kind: BankEventKind): boolean;
  /** The largest number of events of this kind that a listener wants, the last ones: 0, a number, or Infinity. */
  wanted(kind: BankEventKind): number;
  /** Adds a listener. The returned function removes it. */
  listen(listener: Listener): () => void;
}

export function outletOf(ledger: Pick<Ledger, 'afterCommit'>): Outlet {
  const listeners = new Set<Listener>();
  const hearing = (kind: BankEventKind): Listener[] => [...listeners].filter((listener) => hears(listener, kind));
  const isHeard = (kind: BankEventKind): boolean => {
    for (const listener of listeners) if (hears(listener, kind)) return true;
    return false;
  };
  return {
    isHeard,
    wanted: (kind) => Math.max(0, ...hearing(kind).map(({ maxPayments }) => maxPayments?.() ?? Infinity)),
    tell: (event) => {
      if (isHeard(event.kind)) ledger.afterCommit(() => deliver(listeners, event));
    },
    listen: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function hears({ kinds, isListening }: Listener, kind: BankEventKind): boolean {
  return kinds.has(kind) && (isListening?.() ?? true);
}

/** Ignores a listener whose `failed` throws too. */
function complain(listener: Listener, error: unknown): void {
  try {
    listener.failed(error);
  } catch {
    // Nobody is left to report to.
  }
}

function deliver(listeners: Iterable<Listener>, event: BankEvent): void {
  for (const listener of [...listeners]) {
    if (!hears(listener, event.kind)) continue;
    try {
      listener.hear(event);
    } catch (error) {
      complain(listener, error);
    }
  }
}
