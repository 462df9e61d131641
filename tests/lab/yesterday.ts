import assert from 'node:assert/strict';
import { join } from 'node:path';
import { connectBank } from '../../api/harness/index.ts';
import { bulkItem, bulkPath, bulkPayment, periodicPath, periodicPayment, singlePath, singlePayment } from './bodies.ts';
import { accounts, crossBorderPayment, even, productPath, sepaPayment } from './products.ts';
import { drawCall, fill, playerOf } from './same-calls.ts';
import { seeded } from './seeded.ts';
import { type BankClient, did, type Reply, startTestBank, type TestBank } from './server.ts';

/* A bank with everything in it, for the ledgers that later versions must open, and what such a bank shows. */

const now = '2027-02-26T10:00:00+01:00';

/** Flags of the story's server: the same ids each time. */
export const yesterdaysFlags = ['--id-seed=yesterday', '--quirks=value-date,reissued-ids'];

/** Opens a ledger file of the story. */
export function startYesterday(ledger: string, flags: readonly string[] = yesterdaysFlags): Promise<TestBank> {
  return startTestBank(now, [...flags, `--ledger=${ledger}`]);
}

/** Tells the story in a new ledger, `ledger.sqlite` in the folder, with its snapshots beside it. Returns what it shows, and the saved bank. */
export async function tellYesterday(folder: string) {
  await using bank = await startYesterday(join(folder, 'ledger.sqlite'));
  await pays(bank);
  await bank.control('POST', '/sandbox/snapshots', { name: 'paid' });
  const paid = await shownBy(bank);
  const player = playerOf(await connectBank(bank.address));
  await fill(player);
  const random = seeded(77);
  for (let call = 0; call < 60; call += 1) await drawCall(random)(player);
  await leavesOpen(bank);
  await bank.control('POST', '/sandbox/snapshots', { name: 'left-open' });
  const saved = Buffer.from(await (await fetch(`${bank.address}/sandbox/bundle`)).arrayBuffer());
  return { saved, shown: { paid, 'left-open': await shownBy(bank) } };
}

const nok = (amount: string) => ({ instructedAmount: { amount, currency: 'NOK' } });
const inside = { creditorAccount: accounts.evenNok };

/** Payments of each product and service, and their ends. */
async function pays(bank: TestBank): Promise<void> {
  await bank.consents();
  await bank.consents(even);
  await did(bank.control('POST', '/sandbox/life', { account: '34400000036', persona: 'student', months: 2 }));
  await bank.pays(singlePath, singlePayment());
  await bank.pays(singlePath, singlePayment({ ...nok('11.00'), ...inside }));
  await bank.pays(singlePath, singlePayment({ ...nok('15.00'), requestedExecutionDate: '2027-04-06' }));
  const short = { ...nok('900000.00'), debtorAccount: accounts.evenNok };
  await bank.pays(singlePath, singlePayment(short), even);
  await bank.pays(productPath('straks'), singlePayment(nok('18.00')));
  await bank.pays(productPath('sepa'), sepaPayment());
  await bank.pays(productPath('crossBorder'), crossBorderPayment());
  await bank.pays(periodicPath, periodicPayment({ ...nok('25.00'), startDate: '2027-03-05' }));
  await bank.pays(
    periodicPath,
    periodicPayment({ ...nok('19.00'), frequency: 'Daily', startDate: '2027-03-01', endDate: '2027-03-09' }),
  );
  await bank.pays(bulkPath, bulkPayment([bulkItem('20.00'), bulkItem('9000000.00'), bulkItem('21.00')]));
  const corporate = { outcome: 'approve', psu: '17818050100', context: 'CORPORATE', agreement: 'To Nøkler AS' };
  const company = { ...nok('22.00'), debtorAccount: { bban: '34330000017', currency: 'NOK' } };
  const told = await bank.initiates(singlePath, singlePayment(company), '17818050100', {
    headers: { 'psu-context': 'CORPORATE' },
  });
  await bank.approve(told, '17818050100', corporate);
  await did(bank.advance({ by: 'P4D' }));
}

/** What waits for a person, a run or a call. */
async function leavesOpen(bank: TestBank): Promise<void> {
  await did(bank.control('DELETE', '/sandbox/faults'));
  await did(bank.quirks({ 'consent-days': false }));
  await bank.pays(productPath('sepa'), sepaPayment({ requestedExecutionDate: '2027-05-03' }));
  await bank.pays(singlePath, singlePayment({ ...nok('41.00'), requestedExecutionDate: '2027-05-18' }));
  await bank.pays(periodicPath, periodicPayment({ ...nok('26.00'), frequency: 'Weekly', startDate: '2027-03-15' }));
  const items = [bulkItem('27.00'), bulkItem('28.00', inside)];
  await bank.pays(bulkPath, bulkPayment(items, { requestedExecutionDate: '2027-03-22' }));
  const settled = await bank.pays(productPath('straks'), singlePayment(nok('29.00')));
  await did(bank.control('POST', `/sandbox/payments/${settled}/return`, { reason: 'AC04', bankingDays: 4 }));
  await bank.initiates(singlePath, singlePayment(nok('42.00')));
  await bank.signed('POST', '/v1/bank-offered-consents');
  await did(bank.control('POST', '/sandbox/faults', { code: 'SERVICE_BLOCKED', path: '/v1/accounts', times: 2 }));
}

/** Balances, lists and the forecast of a bank, a line each: what no later version may change. */
export type Shown = Readonly<Record<string, readonly string[]>>;

export async function shownBy(bank: BankClient): Promise<Shown> {
  // The answer of each call has the members that are read here.
  const get = async (path: string) => (await did(bank.control('GET', `/sandbox${path}`))).body;
  const { accounts: all } = await get('/accounts');
  const entries: string[] = [];
  for (const { number } of all)
    for (const { bookingDate, valueDate, amount, paymentId } of (await get(`/accounts/${number}`)).entries)
      entries.push(line(number, bookingDate, valueDate, amount, paymentId));
  const { payments, total } = await get('/payments?limit=100');
  assert.equal(payments.length, total);
  // What lives do next is decided by the personas of a version. So is what they order.
  const known = ({ paymentId }: { readonly paymentId: string | null }): boolean => paymentId !== null;
  const { executions } = await get('/forecast?to=P20D');
  return {
    clock: [(await get('/clock')).now],
    balances: all.map((each: Reply['body']) => line(each.number, each.booked, each.available, each.expected)),
    entries,
    payments: payments.map((each: Reply['body']) =>
      line(each.paymentId, each.service, each.status, each.amount, each.executionDate),
    ),
    forecast: executions
      .filter(known)
      .map((each: Reply['body']) => line(each.paymentId, each.executionDate, each.outcome, each.run.at)),
    consents: (await get('/consents')).consents.map((each: Reply['body']) => line(each.tpp, each.psuId)),
    lives: (await get('/life')).lives.map((each: Reply['body']) => line(each.account, each.persona, each.role)),
    faults: (await get('/faults')).faults.map((each: Reply['body']) => line(each.code, each.path, each.remaining)),
    snapshots: (await get('/snapshots')).snapshots.map((each: Reply['body']) => line(each.name, each.now)),
  };
}

function line(...parts: readonly (string | number | null | { readonly amount: string; readonly currency: string })[]) {
  return parts
    .map((part) => (typeof part === 'object' && part !== null ? `${part.amount} ${part.currency}` : `${part}`))
    .join(' ');
}
