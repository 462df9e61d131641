import type { Money, PaymentStory } from './types.ts';

/** How many lines of one kind are told, the latest ones: a daily payment has hundreds. */
const most = 20;

/** What happened to a payment, for a person who reads why a test failed. */
export function paymentLines(payment: PaymentStory): string[] {
  const { paymentId, status, history, attempts } = payment;
  return [
    `Payment ${paymentId}: ${status}`,
    'History:',
    ...latest(history).map((change) => `  ${formatTime(change.at)}  ${change.status}  ${change.cause}`),
    attempts.length === 0 ? 'Attempts: none' : countedAttempts(attempts.length),
    ...latest(attempts).map(({ item, at, outcome, available, needed }) => {
      const funds = `available ${formatMoney(available)}, needed ${formatMoney(needed)}`;
      return `  ${formatTime(at)}  ${outcome.padEnd(6)}  ${funds}${item === undefined ? '' : `  ${item}`}`;
    }),
    nextLine(payment),
  ];
}

function latest<T>(all: readonly T[]): readonly T[] {
  return all.slice(-most);
}

function countedAttempts(count: number): string {
  return count > most ? `Attempts, the latest ${most} of ${count}:` : 'Attempts:';
}

const open = ['planned', 'ACSP', 'PDNG', 'ACCP'];

/** When the runs take it up next, as far as that is known without looking ahead. */
function nextLine({ status, executionDate, occurrences, initiation }: PaymentStory): string {
  const next = occurrences.find((each) => open.includes(each.status));
  if (next !== undefined) {
    const wanted = requestedDate(initiation) ?? next.nominalDate;
    const moved = wanted === next.executionDate ? '' : `, asked for ${wanted}`;
    if (next.status === 'ACCP') return `Next: tried again in the next run, due since ${next.executionDate}${moved}`;
    return `Next: expected to be executed on ${next.executionDate}${moved}`;
  }
  if (status !== 'RCVD' && status !== 'PATC') return 'Next: nothing, no run will take it up again';
  return `Next: waits for a signature${executionDate === null ? '' : `, for execution on ${executionDate}`}`;
}

/** What the TPP asked for, before it was moved to a banking day (rules.md P3). */
function requestedDate(initiation: unknown): string | null {
  const { requestedExecutionDate: date } = Object(initiation) as { readonly requestedExecutionDate?: unknown };
  return typeof date === 'string' ? date : null;
}

/** `NOK 100.00` */
export function formatMoney({ amount, currency }: Money): string {
  return `${currency} ${amount}`;
}

/** `2027-03-30 05:30`, Oslo time. */
function formatTime(at: string): string {
  return at.slice(0, 16).replace('T', ' ');
}
