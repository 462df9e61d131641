import type { Ledger } from '../ledger/database.ts';
import type { ClockMode } from '../time/rules/bank-clock.ts';
import type { Instant } from '../values/instant.ts';

/** What a TPP met, and how often. */
export interface Met {
  /** The id of the TPP (rules.md G8). */
  readonly tpp: string;
  /** A status that a payment of it got, or a situation (rules/situation.ts). */
  readonly what: string;
  readonly times: number;
}

/** What happens in a bank; `at` is bank time. Ids are those of the interface and the control plane. */
export type Happening =
  /** A line of a payment's history (rules.md S10): its first status, each later one, a change in another channel. */
  | {
      readonly kind: 'payment';
      readonly at: Instant;
      readonly paymentId: string;
      readonly status: string;
      readonly cause: string;
    }
  /** So many status changes that nobody wants are left out, before those that are told: see {@link Outlet.wanted}. */
  | { readonly kind: 'left out'; readonly at: Instant; readonly count: number }
  /** A settlement run that had work (rules.md T6), after the payments that it changed. */
  | {
      readonly kind: 'run';
      readonly at: Instant;
      readonly id: string;
      readonly settled: number;
      readonly retried: number;
      readonly rejected: number;
      readonly booked: number;
      readonly registered: number;
    }
  /** The clock got another mode or rate (`set`), or was moved forward to `at` (`advanced`). That time passes is not told. */
  | {
      readonly kind: 'clock';
      readonly at: Instant;
      readonly change: 'set' | 'advanced';
      readonly mode: ClockMode;
      readonly rate: number;
    }
  /** An SCA was opened, or how it ended (rules.md A2). Without its id, which opens its page. A link that runs out by itself is not told. */
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
  /** Everything told before is gone. `at` is what the clock shows from here on. */
  | {
      readonly kind: 'reset';
      readonly at: Instant;
      readonly cause: 'reset' | 'initialized' | 'clock set back' | 'snapshot restored';
    }
  /** A certificate was blocked, revoked or accepted again (null). Not for TPPs: the signature check hears it. */
  | {
      readonly kind: 'certificate';
      readonly at: Instant;
      readonly serial: string;
      readonly status: 'blocked' | 'revoked' | null;
    }
  | { readonly kind: 'snapshot'; readonly at: Instant; readonly name: string }
  /** What a TPP met, summed up over a transaction or a part of it: for statistics. */
  | ({ readonly kind: 'met'; readonly at: Instant } & Met);

export type HappeningKind = Happening['kind'];

/** Somebody who hears what happens. */
export interface Listener {
  /** What it hears of. What nobody hears of costs nothing. */
  readonly kinds: ReadonlySet<HappeningKind>;
  /** Whether it hears what is told now, in the async context of who tells it; left out: always. */
  readonly isListening?: () => boolean;
  /** How many of the `payment` happenings of one transaction it wants: the last ones; left out: all. */
  readonly maxPayments?: () => number;
  /** Called after the commit, before the next transaction begins: it must be quick. It may call the bank, but not wait for it. */
  hear(happening: Happening): void;
  /** What `hear` threw. The bank and the other listeners go on. */
  failed(error: unknown): void;
}

/** The one place where a bank says what happens, and where others hear of it. */
export interface Outlet {
  /**
   * Tells the listeners: once the transaction around it is committed, in the order of the calls, never when it is rolled back; outside of
   * a transaction at once.
   */
  tell(happening: Happening): void;
  /** Whether anybody hears of this kind: for who would have to read something, or make many objects, to tell it. */
  isHeard(kind: HappeningKind): boolean;
  /** How many of the last ones of this kind somebody wants, for who tells a great many: 0, a number, or Infinity. */
  wanted(kind: HappeningKind): number;
  /** Adds a listener; the function returned takes it away. */
  listen(listener: Listener): () => void;
}

export function outletOf(ledger: Pick<Ledger, 'afterCommit'>): Outlet {
  const listeners = new Set<Listener>();
  const hearing = (kind: HappeningKind): Listener[] => [...listeners].filter((listener) => hears(listener, kind));
  const isHeard = (kind: HappeningKind): boolean => {
    for (const listener of listeners) if (hears(listener, kind)) return true;
    return false;
  };
  return {
    isHeard,
    wanted: (kind) => Math.max(0, ...hearing(kind).map(({ maxPayments }) => maxPayments?.() ?? Infinity)),
    tell: (happening) => {
      if (isHeard(happening.kind)) ledger.afterCommit(() => deliver(listeners, happening));
    },
    listen: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function hears({ kinds, isListening }: Listener, kind: HappeningKind): boolean {
  return kinds.has(kind) && (isListening?.() ?? true);
}

/** The bank is no worse off for a listener that cannot even say what failed. */
function complain(listener: Listener, error: unknown): void {
  try {
    listener.failed(error);
  } catch {
    // There is nobody left to tell.
  }
}

function deliver(listeners: Iterable<Listener>, happening: Happening): void {
  for (const listener of [...listeners]) {
    if (!hears(listener, happening.kind)) continue;
    try {
      listener.hear(happening);
    } catch (error) {
      complain(listener, error);
    }
  }
}

/** Tells what TPPs met at an instant: the same of the same TPP together, so that a large run tells little. */
export function tellMet(bank: Pick<Outlet, 'tell' | 'isHeard'>, at: Instant, all: Iterable<Met>): void {
  if (!bank.isHeard('met')) return;
  const sums = new Map<string, Met>();
  for (const { tpp, what, times } of all) {
    const key = `${what} ${tpp}`;
    sums.set(key, { tpp, what, times: times + (sums.get(key)?.times ?? 0) });
  }
  for (const met of sums.values()) bank.tell({ kind: 'met', at, ...met });
}
