import { isBban, isBbanMod11, norwegianIban, parseIban } from '../../../engine/values/account-number.ts';
import type { PaymentService } from '../../../engine/values/product.ts';
import { quote } from '../../../engine/values/text.ts';
import { listPayments as paymentsOf } from '../../../engine/inspection/list-payments.ts';
import type { TransactionStatus } from '../../../engine/values/transaction-status.ts';
import type { Quirks } from '../../../engine/bank/rules/quirk.ts';
import { choice, flag, listOf, optional, text, titled } from '../../bodies/schema.ts';
import { date } from '../../bodies/values.ts';
import { story } from '../../bodies/examples.ts';
import { controlEndpoint } from '../control-endpoint.ts';
import { accountNumber, paymentIds } from '../answers/names.ts';
import { answeredInstant, count, money, orNull, period } from '../answers/forms.ts';
import { run } from '../answers/clock-and-runs.ts';
import { countIn, periodIn, wordIn } from '../read-query.ts';
import { refusedAt } from '../../pipeline/problem.ts';

export const listedServices: readonly PaymentService[] = ['payments', 'periodic-payments', 'bulk-payments'];

/** The statuses that a payment reaches by itself; a forced one stands beside them (rules.md S9b). */
export const listedStatuses = [
  'RCVD',
  'PATC',
  'ACSP',
  'PDNG',
  'ACCP',
  'ACSC',
  'PART',
  'RJCT',
  'CANC',
] as const satisfies readonly TransactionStatus[];

const numberAndName = { number: accountNumber, name: orNull(text('the name', 'Company 123'), 'null if none was sent') };

const party = titled('Party', { examples: [{ name: 'Test Testperson 3' }] }).closed(numberAndName);

const creditor = titled('Creditor', { examples: [{ number: story.creditorBban }] }).closed({
  ...numberAndName,
  inThisBank: flag('whether it is an open account of this bank'),
  closed: optional(flag('true if it was an account of this bank that is closed, else left out')),
});

export const listedPayment = titled('ListedPayment', { examples: [{ status: 'ACSP' }] }).closed({
  ...paymentIds,
  service: choice('the service', listedServices),
  product: text('the product', 'norwegian-domestic-credit-transfers'),
  status: choice<TransactionStatus>('as it reads now, PDNG on its due day', listedStatuses),
  amount: money,
  debtor: party,
  creditor: orNull(creditor, 'null for a bulk payment, which has several'),
  initiatedAt: answeredInstant('when it was initiated'),
  executionDate: orNull(
    date,
    'of a standing order the next one; of an unsigned payment as if it were signed now; null if none is left',
  ),
  nextAttempt: orNull(run, 'the run that tries it next, or null if it is unsigned or over'),
  endedAt: orNull(answeredInstant('when a run settled or rejected it'), 'null if no run has'),
});

const paymentList = titled('PaymentList', { examples: [{ total: 1 }] }).closed({
  payments: listOf(listedPayment),
  total: count('how many there are on all pages'),
});

/** `GET /sandbox/payments`: payments of all TPPs, the newest first, booked ones included. */
export const listPayments = controlEndpoint('GET /payments', {
  summary: 'List payments, the newest first',
  query: {
    status: optional(choice('only payments in this status', listedStatuses)),
    account: optional(text('the debtor or a creditor: a BBAN or an IBAN', '09232911044')),
    service: optional(choice('only payments of this service', listedServices)),
    ...period('execution date'),
    offset: optional(text('how many to leave out first; 0 without it', '0')),
    limit: optional(text('the most in one answer, up to 500; 50 without it', '50')),
  },
  answer: paymentList,
  handle: async ({ bank, query }) => {
    return paymentsOf(bank, {
      status: wordIn(query, 'status', listedStatuses) ?? null,
      service: wordIn(query, 'service', listedServices) ?? null,
      numbers: numbersIn(query, bank.quirks),
      ...periodIn(query),
      offset: countIn(query, 'offset', { least: 0, most: 1_000_000_000, otherwise: 0 }),
      limit: countIn(query, 'limit', { least: 1, most: 500, otherwise: 50 }),
    });
  },
});

/** The numbers by which payments name the wanted account, or null for any account (rules.md P5). */
function numbersIn(query: ReadonlyMap<string, string>, quirks: Quirks): readonly string[] | null {
  const asked = query.get('account');
  if (asked === undefined) return null;
  const number = asked.replaceAll(' ', '');
  if (/^[A-Za-z]{2}\d{2}/.test(number)) {
    const parsed = parseIban(number);
    if (typeof parsed === 'string') throw notAnAccount(asked, parsed);
    return parsed.country === 'NO' ? [parsed.iban, parsed.bban] : [parsed.iban];
  }
  if (isBban(number)) {
    if (quirks.has('bban-mod11') && !isBbanMod11(number))
      throw notAnAccount(asked, 'its check digit is wrong (mod-11)');
    return [number, norwegianIban(number)];
  }
  // A foreign number without an IBAN. The shortest are Swedish plusgiro numbers of two digits.
  if (/^[0-9A-Za-z/-]{2,30}$/.test(number) && /\d/.test(number)) return [number, asked.trim()];
  throw notAnAccount(asked, 'expected a BBAN, 11 digits without dots, or an IBAN');
}

function notAnAccount(asked: string, why: string): Error {
  return refusedAt('account', `account is ${quote(asked, 40)}: ${why}.`, ['86011117947', 'NO9386011117947']);
}
