import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { testTppId } from '../../api/signing/test-tpp.ts';
import { grantConsentDirectly } from '../../engine/consents/grant-consent-directly.ts';
import { carryOut, closeInOnePiece, customer, instant, openBenchBank } from './bench-bank.ts';
import { eveningBefore, transactionStatements } from '../../lab/book.ts';
import { figure, type Figure } from './figure.ts';
import { serve, serveByHand, withServers, type Start } from './servers.ts';
import { psu, ratesOf, signed, type Stream } from './signed-requests.ts';

const page = 'transactions?bookingStatus=booked&limit=200';

/** Signed reads over HTTP, beside a server that does the same by hand; of a large account beside a small one. */
export function figures(folder: string, scale: number): Promise<Figure[]> {
  return withServers(async (start) => {
    const many = 1_000_000 / scale;
    const { small, large } = await readingStreams(start, folder, many);
    const balances = await ratesOf(small('balances', 5_000 / scale));
    const pages = await ratesOf({ ...small(page, 500 / scale), large: large(page, 500 / scale).bank });
    return [
      figure('signed GETs of balances', balances.bank, 'requests/s', {
        of: ['by hand', balances.byHand],
        atLeast: 0.7,
      }),
      figure('signed GETs of 200 transactions', pages.bank, 'requests/s', {
        of: ['by hand', pages.byHand],
        atLeast: 0.7,
      }),
      figure(`  of an account with ${many.toLocaleString('en')}`, pages.large, 'requests/s', {
        of: ['with 1,000', pages.bank],
        atLeast: 0.75,
      }),
    ];
  });
}

/** So many reads of a path of an account for a hand-written server and for a bank. */
type Reads = (path: string, count: number) => Record<'byHand' | 'bank', Stream>;

/** Reads of an account with 1,000 transactions in the days that are read, and of one with `many` in ten years. */
export async function readingStreams(
  start: Start,
  folder: string,
  many: number,
): Promise<Record<'small' | 'large', Reads>> {
  const ledger = join(folder, 'reading.sqlite');
  const bank = await openBenchBank(ledger, [customer(psu, 99_999_999_901, 2)]);
  const grant = { tppId: testTppId('bench'), psu, context: 'PRIVATE', agreement: null, accounts: null } as const;
  const { consent, accounts } = await grantConsentDirectly(bank, grant);
  const [small, large] = accounts;
  if (small === undefined || large === undefined) throw new Error('the consent opens two accounts');
  await carryOut(bank, transactionStatements(small.id, 1_000, 80));
  await carryOut(bank, transactionStatements(large.id, many, 3_650));
  await bank.close();
  closeInOnePiece(new BetterSqlite3(ledger));
  // It has taken its copy when the bank begins to write.
  const byHand = await start(serveByHand(ledger, instant(eveningBefore)));
  const served = await start(serve('--ledger', ledger));
  const readsOf =
    (account: string): Reads =>
    (path, count) => {
      const get = () => signed('GET', `/v1/accounts/${account}/${path}`, { 'psu-id': consent.psu_id });
      const requests = () => Array.from({ length: count }, get);
      const stream = { requests, status: 200 };
      return { byHand: { ...stream, address: byHand.address }, bank: { ...stream, address: served.address } };
    };
  return { small: readsOf(small.resource_id), large: readsOf(large.resource_id) };
}
