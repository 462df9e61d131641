/*
 * Puts the transactions of an account into categories, and finds what comes every month (AISP).
 *
 * A text changes between banks and months: days, numbers of cards and shops, amounts and rates are taken out of it. A name in the text, the
 * code of the bank or the sign of the amount then decides.
 */

/** A transaction as `GET /accounts/{id}/transactions` has it. */
export interface Transaction {
  readonly transactionId?: string;
  readonly bookingDate?: string;
  readonly transactionAmount: { readonly amount: string; readonly currency: string };
  readonly creditorName?: string;
  readonly debtorName?: string;
  readonly remittanceInformationUnstructured?: string;
  readonly bankTransactionCode?: string;
}

export const categories = [
  'salary',
  'benefits',
  'home',
  'children',
  'transport',
  'food',
  'eating out',
  'shopping',
  'leisure',
  'subscriptions',
  'people',
  'savings and loans',
  'fees and interest',
  'other',
] as const;

export type Category = (typeof categories)[number];

/** The first line whose words are in the text decides. */
const words: readonly (readonly [Category, RegExp])[] = [
  ['salary', /\b(lønn|feriepenger)\b/],
  ['benefits', /\b(barnetrygd|studiestøtte|bostøtte|skatteoppgjør)\b/],
  ['fees and interest', /\b(gebyr|kortgebyr|årsgebyr|renter|overtrekksrente)/],
  ['savings and loans', /\b(sparing|feriesparing|billån|forbrukslån|inkasso)\b/],
  ['home', /\b(boliglån|husleie|felleskostnader|strøm|internett|mobil|forsikring|innboforsikring|kommunale)\b/],
  ['children', /\b(barnehage|sfo|semesteravgift)\b/],
  [
    'transport',
    /\b(bensin|drivstoff|buss|billett|tog|bompenger|fjellbensin|fjordbuss|toglinjen|parkering|bilverksted)/,
  ],
  ['food', /\b(nærmat|stormarkedet|kurv og kasse|daglighandel|bygdamat|kiosk|bakeri|kaffe|hjørnekiosk|vinutsalg)/],
  [
    'eating out',
    /\b(spiseri|skipperpub|pub|pizzeria|risbollen|kafé|lunsjbar|trattoria|osteria|gelateria|caffe|tasca|bodega|heladeria)/,
  ],
  [
    'shopping',
    /\b(tvist|fjellvandreren|kleskroken|garn|bok|leke|møbel|elektro|bygg|fjellhotell|gjestegård|minibank|utleie|apotek|salong|legesenter|tannleg|sportsloftet|ski og sykkel|fjordfly|skagerrakfergen)/,
  ],
  ['leisure', /(kino|badeland|billettluka|skisenter|kulturskole|treningsavgift)/],
  // Abroad, a text ends with the town.
  ['shopping', /\b(roma|lisboa|malaga|strömstad)\b/],
  ['people', /\b(vipps|gave)\b/],
];

/** What a text says whatever the day, the card and the amount. */
export function plainText({
  remittanceInformationUnstructured: text = '',
  creditorName,
  debtorName,
}: Transaction): string {
  const said = `${text} ${creditorName ?? ''} ${debtorName ?? ''}`.toLowerCase();
  return said
    .replaceAll(/\*\d{4}|\d\d\.\d\d\b|kurs: [\d.]+|\b[a-z]{3} [\d.]+ /g, ' ')
    .replaceAll(/[\d.,*]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Øre, a debit below zero. */
export function ore({ transactionAmount: { amount } }: Transaction): number {
  return Math.round(Number(amount) * 100);
}

/** The category of a transaction; `monthly`: the plain texts that {@link comesMonthly} found. */
export function categorise(transaction: Transaction, monthly: ReadonlySet<string> = new Set()): Category {
  const text = plainText(transaction);
  const found = words.find(([, pattern]) => pattern.test(text));
  if (found !== undefined) return found[0];
  if (/SALA$/.test(transaction.bankTransactionCode ?? '')) return 'salary';
  if (/(ICDT|RCDT)-RETP$/.test(transaction.bankTransactionCode ?? '')) return 'people';
  if (ore(transaction) < 0 && monthly.has(text)) return 'subscriptions';
  return 'other';
}

/** The plain texts of debits that come in nearly every month, once in each, for about the same amount: bills and subscriptions. */
export function comesMonthly(transactions: readonly Transaction[]): Set<string> {
  const debits = transactions.filter((one) => ore(one) < 0 && one.bookingDate !== undefined);
  const months = new Set(debits.map(({ bookingDate = '' }) => bookingDate.slice(0, 7)));
  const monthly = [...Map.groupBy(debits, plainText)].filter(([, alike]) => {
    const own = new Set(alike.map(({ bookingDate = '' }) => bookingDate.slice(0, 7)));
    const amounts = alike.map(ore);
    const isSteady = Math.min(...amounts) > Math.max(...amounts) * 4;
    return own.size >= months.size - 3 && alike.length <= own.size + 1 && isSteady;
  });
  return new Set(monthly.map(([text]) => text));
}
