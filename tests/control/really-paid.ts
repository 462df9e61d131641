import { products } from '../../engine/values/product.ts';
import type { Seeded } from '../lab/seeded.ts';
import { type BankClient, did } from '../lab/server.ts';

/** A question of `GET /sandbox/when`. */
export interface Question {
  readonly product: 'domestic' | 'instant' | 'sepa' | 'cross-border';
  readonly customer: 'private' | 'corporate';
  readonly amount: string;
  readonly currency: string;
  readonly creditor?: string;
}

const paths = {
  domestic: products.domestic,
  instant: products.straks,
  sepa: products.sepa,
  'cross-border': products.crossBorder,
} as const;

const payers = {
  private: { psu: '13039319955', context: 'PRIVATE', account: '09232911044' },
  corporate: { psu: '18129215603', context: 'CORPORATE', account: '34110000016' },
} as const;

const payees = {
  domestic: { creditorAccount: { bban: '90491105991' } },
  instant: { creditorAccount: { bban: '90491105991' } },
  sepa: { creditorAccount: { iban: 'DE89370400440532013000' } },
  'cross-border': {
    creditorAccount: { bban: '50000000054910000003' },
    creditorAgent: 'ESSESESS',
    creditorAddress: { city: 'Stockholm', country: 'SE' },
  },
} as const;

/** Makes the payment over HTTP at a bank whose clock stands still, moves the clock on, and tells what happened. */
export async function reallyPaid(
  client: BankClient,
  base: string,
  { product, customer, amount, currency, creditor }: Question,
) {
  const { psu, context, account } = payers[customer];
  const control = (method: string, path: string, body?: object) =>
    client.control(method, `${base}/sandbox${path}`, body);
  await control('POST', `/accounts/${account}/top-up`, { amount: { amount: '900000000.00', currency: 'NOK' } });
  const payee = payees[product];
  const creditorAccount = creditor === undefined ? payee.creditorAccount : { bban: creditor };
  const payment = client.signed('POST', `${base}/v1/payments/${paths[product]}`, {
    headers: { 'x-psu-identity': psu, 'psu-context': context },
    body: {
      ...payee,
      instructedAmount: { amount, currency },
      creditorName: 'Payee',
      creditorAccount: { ...creditorAccount, currency },
      debtorAccount: { bban: account, currency: 'NOK' },
    },
  });
  const { paymentId, _links: links, transactionFees: fees } = (await did(payment)).body;
  // To an own account a PSU whom the TPP knows pays without SCA (rules.md A5).
  const sca = links.scaRedirect === undefined ? null : new URL(links.scaRedirect.href).pathname.split('/').at(-1);
  if (sca !== null) await control('POST', `/sca/${sca}`, { outcome: 'approve', psu, context });
  const { runs } = (await control('POST', '/clock/advance', { by: 'P20D' })).body;
  const { attempts, entries, occurrences } = (await control('GET', `/payments/${encodeURIComponent(paymentId)}`)).body;
  const debit = entries.find(({ leg }: { leg: string }) => leg === 'debtor');
  const tried =
    attempts[0].run === null ? null : (await control('GET', `/runs/${attempts[0].run.replace('/', '-')}`)).body;
  return {
    run: { id: attempts[0].run, at: attempts[0].at },
    booking: { date: debit.bookingDate, at: runs.find(({ booked }: { booked: number }) => booked > 0).at },
    valueDate: debit.valueDate,
    executionDate: occurrences[0].executionDate,
    fee: fees?.amount ?? '0.00',
    isLate: tried !== null && /received too late/.test(tried.attempts[0].reason),
  };
}

const minute = 60_000;
const day = 24 * 60 * minute;

/** A question and its instant, drawn for a bank whose clock shows `now`: in the three weeks after. */
export function drawnQuestion(
  { pick, below }: Seeded,
  now: number,
): { readonly at: string; readonly question: Question } {
  const product = pick(['domestic', 'domestic', 'instant', 'sepa', 'cross-border']);
  const currency =
    product === 'sepa' ? 'EUR' : product === 'cross-border' ? pick(['USD', 'SEK', 'GBP', 'THB', 'NOK']) : 'NOK';
  const customer = pick(['private', 'corporate']);
  const own = customer === 'private' ? '70323119469' : '34110000024';
  const inside = product === 'domestic' ? pick([undefined, own, '74712699947']) : undefined;
  // Half of them in the hours in which banks close.
  const minutes = pick([below(24 * 60), 12 * 60 + below(5 * 60)]);
  const at = new Date((Math.floor(now / day) + 1 + below(21)) * day + minutes * minute).toISOString();
  const amount = `${1 + below(9_000)}.${10 + below(90)}`;
  return { at, question: { product, customer, amount, currency, ...(inside !== undefined && { creditor: inside }) } };
}

/** Asks when a drawn payment is where at a bank, makes it there, and gives both answers. */
export async function askedAndPaid(client: BankClient, id: string, random: Seeded) {
  const base = `/banks/${id}`;
  const { now } = (await client.control('GET', `${base}/sandbox/clock`)).body;
  const { at, question } = drawnQuestion(random, Date.parse(now));
  await client.control('POST', `${base}/sandbox/clock/advance`, { to: at });
  const asked = await did(client.control('GET', `/sandbox/when?${new URLSearchParams({ ...question, at })}`));
  const row = asked.body.banks.find((each: { id: string }) => each.id === id);
  const { run, booking, valueDate, executionDate, fee, cutOff } = row;
  const told = {
    run: { id: run.id, at: run.at },
    booking: { date: booking.date, at: booking.at },
    valueDate: valueDate.date,
    executionDate,
    fee: fee.amount,
  };
  const { isLate, ...paid } = await reallyPaid(client, base, question);
  return { about: { id, at, ...question }, told, paid, isLate, missed: cutOff?.isMet === false };
}
