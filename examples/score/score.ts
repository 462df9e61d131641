/* Scores two naive finders against the truth of lives: GET /sandbox/life/{number}/truth. */

interface Transaction {
  readonly transactionId?: string;
  readonly bookingDate?: string;
  readonly transactionAmount: { readonly amount: string };
  readonly remittanceInformationUnstructured?: string;
  readonly debtorName?: string;
}

/** What comes in three months or more, mostly once a month: by text without days and numbers, of the same amount within this part of it. */
function monthly(transactions: readonly Transaction[], sign: 1 | -1, within: number): Transaction[] {
  const some = transactions.filter(({ transactionAmount: { amount } }) => Math.sign(Number(amount)) === sign);
  const payerText = ({ debtorName, remittanceInformationUnstructured: text = '' }: Transaction): string =>
    (sign === 1 ? (debtorName ?? text) : text).toLowerCase().replaceAll(/[\d.*]+/g, '');
  return [...Map.groupBy(some, payerText).values()].flatMap((alike) => {
    const months = new Set(alike.map(({ bookingDate = '' }) => bookingDate.slice(0, 7)));
    const amounts = alike.map(({ transactionAmount }) => Math.abs(Number(transactionAmount.amount)));
    return months.size >= 3 &&
      alike.length < 2 * months.size &&
      Math.max(...amounts) <= Math.min(...amounts) * (1 + within)
      ? alike
      : [];
  });
}

/** Small payments of nearly one amount, month after month. */
export function findSubscriptions(transactions: readonly Transaction[]): Transaction[] {
  return monthly(transactions, -1, 0.05).filter(({ transactionAmount: { amount } }) => Number(amount) > -300);
}

/** Large credits of one payer, month after month; holiday pay and half tax differ from the salary. */
export function findIncome(transactions: readonly Transaction[]): Transaction[] {
  return monthly(transactions, 1, 0.6).filter(({ transactionAmount: { amount } }) => Number(amount) > 3_000);
}

/** What comes again by agreement: debits and credits of one text, once a month for most of the year, of steady amounts. */
export function findRecurring(transactions: readonly Transaction[]): Transaction[] {
  return [...monthly(transactions, -1, 0.15), ...monthly(transactions, 1, 0.6)];
}

/** The shop of a card purchase: its text without card, day, amount, payment service, address and number. Returns null if it is no purchase. */
export function merchantIn({ remittanceInformationUnstructured: text = '' }: Transaction): string | null {
  const [, shop] = /^(?:\*\d{4} )?\d\d\.\d\d (?:[A-Z]{3} [\d.]+ )?(.+?)(?: Kurs: [\d.]+)?$/.exec(text) ?? [];
  return shop?.replace(/^(?:VIPPS|KLARNA)\*/, '').replace(/\.EXAMPLE$| \d+$/, '') ?? null;
}

/** How much of what was found is right, and how much of what is right was found. */
export function score(found: ReadonlySet<string>, right: ReadonlySet<string>) {
  const hits = [...found].filter((id) => right.has(id)).length;
  return { precision: hits / Math.max(1, found.size), recall: hits / Math.max(1, right.size) };
}
