import fc from 'fast-check';
import type { Bank } from '../../engine/open-bank.ts';
import { addTransactions } from '../../engine/accounts/mock-transactions.ts';
import type { MockTransaction } from '../../engine/accounts/rules/mock-transaction.ts';
import { addCardTransactions } from '../../engine/cards/cards.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { type Quirk, quirks as table } from '../../engine/bank/rules/quirk.ts';
import { hashLedger } from '../../engine/bank/change-state.ts';
import { proveLedger } from '../../engine/proof/prove-ledger.ts';
import { wireIdsOf } from '../../api/quirks/encrypted-ids.ts';
import { accountIdOf, consented } from '../lab/consented.ts';
import { firstDifference, lookThenGo } from '../lab/forecast-and-fact.ts';
import { orRefusal, pay, sign } from '../lab/payments.ts';
import { type Action, live, productStep, takeProductStep, upheavals } from '../lab/random-actions.ts';
import { rowsIn } from '../lab/rows.ts';
import { startTestBank, type TestBank } from '../lab/server.ts';
import { dayAfter } from '../lab/simulation/days.ts';
import { demand, demandBooks, drawn, type Search } from './campaign.ts';

/** Something is due in each history. */
const firstOrder: readonly Action[] = [
  {
    ...{ do: 'order', from: 'nora', to: 'shop', kroner: 10, inDays: 1, forDays: 60 },
    ...{ frequency: 'Daily', executionRule: 'following' },
  },
  { do: 'sign', which: 0 },
];

/** Payments of every kind, signed or not, before `ahead`, in minutes, is foreseen and lived. Closed days and a change of the clocks are near. */
const history = fc.record({
  begin: fc.constantFrom('2027-03-22T12:00:00+01:00', '2027-05-14T07:00:00+02:00', '2026-12-22T23:59:00+01:00'),
  // Without the long wait at the end, after which little is open.
  actions: upheavals.map((actions) => [...firstOrder, ...actions.slice(0, -1)]),
  steps: fc.array(productStep, { maxLength: 6 }),
  /** Places in {@link posted}. */
  posts: fc.array(fc.nat(3), { minLength: 4, maxLength: 8 }),
  ahead: fc.integer({ min: 0, max: 60_000 }),
});
type History = typeof history extends fc.Arbitrary<infer T> ? T : never;

/** Any value of a quirk whose values are not words of a list. `first`: the day on which the bank begins. */
const values: Readonly<Partial<Record<Quirk, (from: Between, first: string) => string>>> = {
  'id-lengths': (from) => {
    const lengths = `transaction:${from(29, 512)}/payment:${from(49, 512)}/resource:${from(49, 512)}`;
    return from(0, 1) === 0 ? lengths : `${lengths}/unpadded`;
  },
  'reissued-ids': (from) => (from(0, 1) === 0 ? 'session' : `P${from(1, 60)}D`),
  'rewritten-texts': (from) => `P${from(1, 60)}D`,
  'full-history': (from) => `PT${from(1, 1_440)}M`,
  'consent-days': (from) => String(from(1, 180)),
  'details-days': (from) => String(from(1, 180)),
  'accept-fix-dates': (from, first) =>
    `card-amounts:${dayAfter(first, from(0, 90))}/longer-names:${dayAfter(first, from(0, 90))}`,
  'status-lag': (from) => `PT${from(1, 86_400)}S`,
};

/** A whole number, one of the bounds or between them. */
type Between = (least: number, most: number) => number;

/** What is posted to nora's account: a card purchase, a KID payment, a transfer in, a fee. */
const posted: readonly MockTransaction['details'][] = [
  {
    remittanceInformationUnstructured: 'Kiosken Torget',
    creditorName: 'Kiosken',
    bankTransactionCode: 'CARD-CCRD-POSD',
  },
  { remittanceInformationStructuredArray: [{ reference: '2345676', referenceType: 'SCOR' }] },
  { remittanceInformationUnstructured: 'Takk', debtorName: 'Ola Nordmann', debtorAccount: { bban: '90491105991' } },
  { remittanceInformationUnstructured: 'Gebyr', bankTransactionCode: 'BOOK-EXPS-OTHR' },
];

/** Posts to nora's account and to her card, today; a card purchase abroad is booked, another is pending. */
async function post(bank: Bank, { begin, posts }: History): Promise<void> {
  const today = localDate(begin.slice(0, 10));
  const dates = { bookingDate: today, valueDate: today };
  const wanted = posts.map((place, index) => {
    return { amount: BigInt(-100 - index), currency: 'NOK' as const, ...dates, details: posted[place] ?? {} };
  });
  await addTransactions(bank, await accountIdOf(bank, 'nora'), wanted);
  const [card] = await rowsIn(bank, 'select resource_id as id from card_account limit 1');
  const purchase = {
    cardTransactionId: null,
    transactionDate: today,
    transactionAmount: { minor: 116_550n, currency: 'NOK' },
    originalAmount: { minor: 10_000n, currency: 'EUR' },
    details: { transactionDetails: 'Supermercado', proprietaryBankTransactionCode: 'R_710' },
  } as const;
  await addCardTransactions(bank, String(card?.['id']), [
    { ...purchase, bookingDate: today },
    { ...purchase, bookingDate: null },
  ]);
}

/** The quirk with any of its values: `plain-json`, `reissued-ids=P7D`. */
export function chosen(random: Search['random'], quirk: Quirk, first: string): string {
  const { value } = table[quirk];
  if (value === undefined) return quirk;
  const between: Between = (least, most) => least + random.below(most - least + 1);
  return `${quirk}=${values[quirk]?.(between, first) ?? random.pick([value.usual, ...value.words])}`;
}

/** Harm to a bank before its hash is taken. */
export type EachBank = (bank: Bank) => Promise<unknown>;

/** Quirks of these rules settle, value or book otherwise: their ledgers are others. */
const rulesOfBooks = ['P10b', 'D3c', 'S6b'];

/**
 * A random bank under each of these quirks: what a forecast tells happens, the books prove, a restore gives back the hash and every answer, and
 * the ledger is, ids included, that of the same bank without the quirk (rules.md Q2), unless the quirk is one of settlement or of dates.
 */
export async function compareUnder(
  { random, tallyAll }: Search,
  names: readonly Quirk[],
  eachBank?: EachBank,
): Promise<void> {
  const lived = drawn(random, history);
  const plain = await foundIn(lived, null);
  for (const name of names) {
    const quirk = chosen(random, name, lived.begin.slice(0, 10));
    const { hash, attempts, answers } = await foundIn(lived, quirk, eachBank);
    const mayDiffer = rulesOfBooks.includes(table[name].rule);
    demand(mayDiffer || hash === plain.hash, `a bank under ${quirk}: the ledger is another than without it`);
    const changed = [...answers].filter(([path, answer]) => plain.answers.get(path) !== answer);
    const counts = { banks: 1, attempts, answers: answers.size, 'answers of its own': changed.length };
    tallyAll(counts, `${name}: `);
  }
}

/** What a bank was found to be: the hash of its ledger, attempts that were foreseen and made, and what a client is answered. */
async function foundIn(lived: History, quirk: string | null, eachBank?: EachBank) {
  const flags = quirk === null ? [] : ['--quirks', quirk];
  const who = `${quirk ?? 'no quirk'} from ${lived.begin}`;
  await using server = await startTestBank(lived.begin, flags, {
    env: { SANDBANK_ID_SEED: 'quirks' },
  });
  const { bank } = server;
  await post(bank, lived);
  await live(bank, lived.actions);
  for (const step of lived.steps) await takeProductStep(bank, { ...step, runs: 0 });
  const { foreseen, made } = await lookThenGo(bank, lived.ahead);
  const difference = firstDifference(foreseen, made);
  demand(difference === null, `${who}: ${difference}`);
  const last = await orRefusal(pay(bank, { from: 'nora', to: 'even', amount: '7.77' }));
  if (typeof last !== 'string') await orRefusal(sign(bank, last.payment.resource_id, 'nora'));
  const request = await orRefusal(consented(bank, 'nora'));
  const headers = { 'psu-id': typeof request === 'string' ? null : (request.psu.psuId ?? null) };
  await eachBank?.(bank);
  demand((await proveLedger(bank)).ok, `${who}: the proof fails`);
  await demandBooks(bank, `, ${who}`);
  const hash = await hashLedger(bank, 'included');
  await server.control('POST', '/sandbox/snapshots', { name: 'found' });
  const answers = await answersOf(server, headers);
  await server.advance({ by: 'P9D' });
  const { status } = await server.control('POST', '/sandbox/snapshots/found/restore');
  demand(status < 300, `${who}: the restore is answered ${status}`);
  demand((await hashLedger(bank, 'included')) === hash, `${who}: the restored ledger is another`);
  const again = await answersOf(server, headers);
  const other = [...answers.keys(), ...again.keys()].find((place) => answers.get(place) !== again.get(place)) ?? '';
  const told = `${answers.get(other)}; ${again.get(other)}`;
  demand(other === '', `${who}: restored, ${other} is answered otherwise: ${told}`);
  return { hash, attempts: made.attempts.length, answers };
}

/** How many payments a client asks for, and how many answers it reads, at most. */
const limits = { payments: 6, answers: 40 };

/**
 * What a client is answered that reads accounts, cards and payments, and follows every link: status, type and body, by place and address,
 * without what each request draws.
 */
async function answersOf(server: TestBank, headers: Record<string, string | null>): Promise<Map<string, string>> {
  const wire = await wireIdsOf(server.bank);
  const newest = `select resource_id as id from payment order by id % 1073741824 desc limit ${limits.payments}`;
  const ids = (await rowsIn(server.bank, newest)).map(({ id }) => wire.show('payment', String(id)));
  const read = ids.flatMap((id) => [`/v1/payment/${id}`, `/v1/payment/${id}/status`]);
  const paths = new Set(['/v1/accounts?withBalance=true', '/v1/card-accounts', ...read]);
  const answers = new Map<string, string>();
  const undrawn = (text: string): string => text.replaceAll(server.address, '').replaceAll(drawnIds, '$1');
  // The set grows while it is read.
  for (const path of paths) {
    if (answers.size === limits.answers) break;
    // A payment is read as its TPP may, whoever of the PSUs pays it.
    const sent = path.includes('payment') ? {} : { headers };
    const { status, body, ...answer } = await server.signed('GET', path, sent);
    const told = `${status} ${answer.headers.get('content-type')} ${JSON.stringify(body)}`;
    answers.set(`${answers.size} ${undrawn(path)}`, undrawn(told));
    // A list in short pages too, each of which leads to the next.
    for (const href of linksIn(body)) paths.add(href).add(href.endsWith('=both') ? `${href}&limit=3` : href);
  }
  return answers;
}

/** The id of an SCA that a refusal offers or of an entry of the journal, and a cursor, whose key a restore draws anew (rules.md A9c). */
const drawnIds = /(\/sca\/|\/requests\/|cursor=)[\w-]+/g;

/** Where the links of an answer lead that can be read. */
function linksIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { href, verbs } = value as { readonly href?: unknown; readonly verbs?: unknown };
  if (typeof href !== 'string') return Object.values(value).flatMap(linksIn);
  return href.startsWith('/v1/') && Array.isArray(verbs) && verbs.includes('GET') ? [href] : [];
}
