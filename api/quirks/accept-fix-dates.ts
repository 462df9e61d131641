import { readClock } from '../../engine/bank/read-clock.ts';
import { dateFrom } from '../../engine/bank/rules/quirk-value.ts';
import type { ShownAnswer } from '../pipeline/shaping.ts';
import { at, inSchemas, payments, withOwnParts } from './contract.ts';
import type { QuirkFile } from './quirk-file.ts';
import { isObject, type JsonObject, withEach } from './json.ts';
import { eachCardTransaction } from './transactions.ts';

/** The names of the changes in `x-accept-fix`, by their names in the quirk. */
const fixes = {
  'card-amounts': 'cardaccount-switch-originalamount-and-transactionamount',
  'longer-names': 'longer-names',
  'amount-as-string': 'amount-as-string',
} as const;

/** Schemas with a member `amount`, of answers about payments. */
const amounts = ['InstructedAmount', 'Amount'];

/**
 * Maximum number of characters of a name before `longer-names`: that of a short text in ISO 20022. The document names
 * no other.
 */
const maxNameLength = 35;

/**
 * The quirk `accept-fix-dates` (rules.md Q20; register 45, 46): before the date of a change, an answer is as it was
 * before the change, unless the request has its name in `x-accept-fix`.
 */
export const quirk: QuirkFile<'accept-fix-dates'> = {
  group: 'dates',
  does: 'Before the given dates, card amounts are swapped, long names cut and amounts of payments numbers, unless x-accept-fix is sent',
  banks: ['SpareBank 1 Sør-Norge', 'SpareBank 1 Sogn og Fjordane'],
  lines: {
    H42: {
      what: 'Until the date of the change, the two amounts of a card transaction are swapped, unless `x-accept-fix` names the change.',
      value: 'card-amounts:2030-01-01',
      seen: { register: [45], facts: ['acceptFixSent'] },
      mistake: 'The client books 100.00 EUR as 100.00 NOK at one bank, and the right amount at another.',
    },
    H63: {
      what: 'Until the date of the change, amounts of payments are numbers, unless `x-accept-fix` names the change.',
      value: 'amount-as-string:2030-01-01',
      seen: { register: [45], facts: ['acceptFixSent'] },
      mistake: 'The client expects a text, and fails at `10` or `10.5`.',
    },
    H43: {
      what: 'Each bank makes a change of `x-accept-fix` its default on another day. Until that day the bank cuts long names.',
      value: 'longer-names:2030-01-01',
      seen: { register: [46], facts: ['acceptFixDefaults'] },
      mistake:
        'The client expects the change on the same day at all banks. Send the header until every bank has made the change.',
    },
  },
  shape: (document, dates, moment) => {
    const day = dates['amount-as-string'];
    if (moment !== null && moment.today >= dateFrom(moment.start, day)) return document;
    const own = withOwnParts(
      document,
      ['InitiatedPayment', ...payments],
      ['ShownBulkPaymentItem', ...amounts],
      'OrNumber',
    );
    const either = (amount: JsonObject): JsonObject => ({ oneOf: [amount, { type: 'number' }] });
    return inSchemas(
      own,
      amounts.map((title) => `${title}OrNumber`),
      at('amount', either),
    );
  },
  show: async (answer, { bank, quirks, call }) => {
    const dates = quirks.get('accept-fix-dates');
    if (answer.status >= 300 || dates === undefined || call === null) return answer;
    const { date, startDate } = await readClock(bank);
    const sent = (call.headers.acceptFix ?? '').split(',').map((name) => name.trim());
    const isMissing = (fix: keyof typeof fixes): boolean =>
      date < dateFrom(startDate, dates[fix]) && !sent.includes(fixes[fix]);
    const counted =
      isMissing('amount-as-string') && isPayment.test(answer.operation ?? '') ? withNumbers(answer) : answer;
    const named = isMissing('longer-names') ? withShortNames(counted) : counted;
    return isMissing('card-amounts') ? eachCardTransaction(named, exchanged) : named;
  },
};

/** A transaction in the currency of the card has one amount only. */
function exchanged(item: JsonObject): JsonObject {
  const { transactionAmount, originalAmount } = item;
  if (originalAmount === undefined) return item;
  return { ...item, transactionAmount: originalAmount, originalAmount: transactionAmount };
}

const isPayment = /^\w+ \/v1\/(?:payment|payments|periodic-payments|bulk-payments)\b/;

function withNumbers(answer: ShownAnswer): ShownAnswer {
  const numbers = (name: string, value: unknown): unknown => (name === 'amount' ? Number(value) : value);
  return { ...answer, body: JSON.parse(JSON.stringify(answer.body), numbers) as unknown };
}

function withShortNames(answer: ShownAnswer): ShownAnswer {
  const { operation, body } = answer;
  if (!isObject(body) || !/^GET \/v1\/(card-)?accounts\b/.test(operation ?? '')) return answer;
  const lists = ['accounts', 'cardAccounts'].reduce((all, list) => withEach(all, list, shortName), body);
  const one = ['account', 'cardAccount'].filter((member) => lists[member] !== undefined);
  const shown = Object.fromEntries(one.map((member) => [member, shortName(lists[member])]));
  return { ...answer, body: { ...lists, ...shown } };
}

function shortName(account: unknown): unknown {
  if (!isObject(account) || typeof account['name'] !== 'string') return account;
  return { ...account, name: [...account['name']].slice(0, maxNameLength).join('') };
}
