import type { AccountState, Coverage, Money, PaymentStory } from '../types.ts';

type Behaviour = Coverage['behaviours'][number];

/** An account, as lines of a failure message. */
export function accountLines({ bban, iban, name, available, transactions }: AccountState): string[] {
  return [
    `Account ${bban ?? iban ?? ''} ${name}, available ${formatMoney(available)}`,
    transactions.length === 0 ? 'Transactions: none' : 'Transactions, the latest first:',
    ...transactions.map(({ amount, bookingDate, booked, text }) => {
      return `  ${bookingDate ?? ' '.repeat('2027-04-12'.length)}  ${booked ? 'booked ' : 'pending'}  ${formatMoney(amount)}  ${text}`.trimEnd();
    }),
  ];
}

/** A behaviour, as lines of a failure message: what provokes it, and what of its kind was met. */
export function behaviourLines({ kind, how, first }: Behaviour, behaviours: readonly Behaviour[]): string[] {
  const met = behaviours.filter((each) => each.kind === kind && each.met).map(({ name }) => name);
  return [
    ...(first === null ? [] : [`First at ${formatTime(first)}`]),
    `What provokes it: ${how}`,
    `Met of the same kind (${kind}): ${met.length === 0 ? 'nothing' : met.join(', ')}`,
  ];
}

/** Maximum number of lines of one kind: a daily payment has hundreds. */
const maxLines = 20;

/** A payment, as lines of a failure message. */
export function paymentLines(payment: PaymentStory): string[] {
  const { paymentId, status, why, history, attempts } = payment;
  // A standing order has none: each of its attempts has its own day.
  const { requestedExecutionDate: requested } = Object(payment.initiation) as {
    readonly requestedExecutionDate?: string;
  };
  return [
    `Payment ${paymentId}: ${status}${why === null ? '' : `, ${why}`}`,
    'History:',
    ...latest(history).map((change) => `  ${formatTime(change.at)}  ${change.status}  ${change.cause}`),
    attempts.length === 0 ? 'Attempts: none' : countedAttempts(attempts.length),
    ...latest(attempts).map(({ item, at, nominalDate, outcome, available, needed, reason }) => {
      const funds = `available ${formatMoney(available)}, needed ${formatMoney(needed)}`;
      const of = item === undefined ? '' : `  ${item}`;
      return `  ${formatTime(at)}  ${outcome.padEnd(6)}  nominal ${requested ?? nominalDate}  ${funds}${of}  ${reason}`;
    }),
    ...movedLines(payment),
    nextLine(payment),
  ];
}

function latest<T>(all: readonly T[]): readonly T[] {
  return all.slice(-maxLines);
}

function countedAttempts(count: number): string {
  return count > maxLines ? `Attempts, the latest ${maxLines} of ${count}:` : 'Attempts:';
}

const open = ['ACSP', 'PDNG', 'ACCP'];

/** The run that tries the payment next, why then, and what will come of it. */
function nextLine(payment: PaymentStory): string {
  const { status, executionDate, nextAttempt, occurrences } = payment;
  if (nextAttempt === null) {
    if (status !== 'RCVD' && status !== 'PATC') return 'Next: nothing, no run will take it up again';
    const date = executionDate ?? occurrences[0]?.executionDate;
    return `Next: waits for a signature${date === undefined ? '' : `, for execution on ${date}`}`;
  }
  const next = occurrences.find((each) => open.includes(each.status));
  const at = `${nextAttempt.id} at ${formatTime(nextAttempt.at)}`;
  const tried =
    next?.status === 'ACCP' ? `tried again in run ${at}, due since ${next.executionDate}` : `tried in run ${at}`;
  const moved = next?.moved === undefined ? '' : `: ${next.moved}`;
  const rejected = next?.rejection === undefined ? '' : `, to be rejected: ${next.rejection}`;
  return `Next: ${tried}${moved}${rejected}`;
}

/** Why executions that were attempted had been moved. */
function movedLines(payment: PaymentStory): string[] {
  const { attempts, occurrences } = payment;
  const attempted = new Set(attempts.map(({ item = '', nominalDate }) => `${item} ${nominalDate}`));
  const moved = occurrences.flatMap((each) => {
    const wasTried = attempted.has(`${each.item ?? ''} ${each.nominalDate}`);
    return wasTried && each.moved !== undefined ? [`  ${each.moved}`] : [];
  });
  return moved.length === 0 ? [] : ['Moved:', ...latest([...new Set(moved)])];
}

/** `NOK 100.00` */
export function formatMoney({ amount, currency }: Money): string {
  return `${currency} ${amount}`;
}

/** `2027-03-30 05:30`, Oslo time. */
function formatTime(at: string): string {
  return at.slice(0, 16).replace('T', ' ');
}
