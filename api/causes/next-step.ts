import type { FaultCode } from '../../engine/values/fault.ts';
import type { TransactionStatus } from '../../engine/values/transaction-status.ts';
import { faultGuide } from '../faults/errors-page.ts';
import { shortDateText } from '../pages/format.ts';

/** What helps a payment on: a signature, a move of the clock, a new payment; nothing, because it is done. */
type Act = 'sign' | 'advance' | 'pay' | 'none';

interface NextStep {
  readonly act: Act;
  /** A sentence. */
  readonly text: string;
}

interface Funds {
  readonly available: { readonly amount: string };
  readonly needed: { readonly amount: string };
}

/** Whether money is what an attempt lacked. */
export function lacksFunds({ available, needed }: Funds): boolean {
  // Of one currency: both have the same fraction digits.
  const [had, asked] = [available, needed].map(({ amount }) => BigInt(amount.replace('.', '')));
  return had !== undefined && asked !== undefined && had < asked;
}

const unanswered = {
  act: 'advance',
  text: 'The bank of the creditor did not answer. The next run tries it again: move the clock there.',
} as const;
const forced = {
  act: 'advance',
  text: 'Only its TPP reads this status, because it was forced: move the clock.',
} as const;
const over = (why: string): NextStep => ({ act: 'pay', text: `It is over. ${why} Make a new payment.` });

/** The next step of a payment in each status. Total: a status without a step does not compile. */
const ofStatus: Readonly<Record<TransactionStatus, NextStep>> = {
  RCVD: { act: 'sign', text: 'A PSU signs it, at the scaRedirect of an SCA.' },
  PATC: { act: 'sign', text: 'The TPP starts an SCA for the next signer, who signs it there.' },
  ACSP: { act: 'advance', text: 'The run of its day tries it: move the clock there.' },
  PDNG: { act: 'advance', text: 'The next run tries it: move the clock there.' },
  ACCP: { act: 'advance', text: 'Put money into the account. The next run tries it again: move the clock there.' },
  PART: { act: 'advance', text: 'The next run tries its open items: move the clock there.' },
  ACSC: { act: 'none', text: 'It is settled. The next run books it.' },
  RJCT: over('Correct what the reason names.'),
  CANC: over('A cancelled payment stays cancelled.'),
  ACTC: forced,
  ACCC: forced,
  ACWC: forced,
  ACWP: forced,
  ACFC: forced,
};

interface Returned {
  /** Null: it is to come. */
  readonly at: string | null;
  readonly due: string;
  readonly text: string;
}

/** What became of a settled payment: its last return, else whether it is booked. */
function settledStep(last: Returned | undefined, entries: readonly { readonly booked: boolean }[]): NextStep {
  if (last !== undefined) {
    const { at, due, text } = last;
    const verb = at === null ? 'It is settled, and comes back' : 'It came back';
    return { act: 'none', text: `${verb} on ${shortDateText((at ?? due).slice(0, 10))}: ${text}.` };
  }
  const isBooked = entries.length > 0 && entries.every(({ booked }) => booked);
  return isBooked ? { act: 'none', text: 'It is settled and booked.' } : ofStatus.ACSC;
}

/**
 * The next step of a payment (docs/spec/control-plane.md C24). `nextAttempt`: the run that tries it next, or null.
 * `attempts`: past ones.
 */
export function stepOf({
  status,
  nextAttempt,
  attempts = [],
  returns = [],
  entries = [],
}: {
  readonly status: TransactionStatus;
  readonly nextAttempt: unknown;
  readonly attempts?: readonly Funds[];
  readonly returns?: readonly Returned[];
  readonly entries?: readonly { readonly booked: boolean }[];
}): NextStep {
  if (status === 'ACSC') return settledStep(returns.at(-1), entries);
  const last = attempts.at(-1);
  if (status === 'ACCP' && last !== undefined && !lacksFunds(last)) return unanswered;
  const isOver = status === 'PART' && nextAttempt === null;
  return isOver ? over('No item of it is open.') : ofStatus[status];
}

const sameId = 'Send the same request with the same X-Request-ID: the bank carries it out only once.';

/** What is known of a request and its answer. */
interface Answered {
  /** It is null if no answer was sent. */
  readonly status: number | null;
  readonly code: string | null;
  /** The fault that struck the call. */
  readonly fault?:
    | { readonly cut?: boolean | undefined; readonly close?: boolean | undefined; readonly status?: number | undefined }
    | undefined;
}

/** The next step after a request of the journal, or null if it was answered and nothing was refused (C24). */
export function stepAfterEntry({ status, code, fault = {} }: Answered): string | null {
  if (fault.status !== undefined) return `A gateway answered, and not the bank. Wait a little. ${sameId}`;
  if (status === null || fault.cut === true || fault.close === true) return `The client has no whole answer. ${sameId}`;
  if (code === null || !isCode(code)) return null;
  const { remedy } = faultGuide[code];
  return code === 'SYSTEM_ERROR' ? remedy : `${remedy} The corrected request has a new X-Request-ID.`;
}

function isCode(code: string): code is FaultCode {
  return Object.hasOwn(faultGuide, code);
}
