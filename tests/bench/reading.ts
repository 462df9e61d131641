import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { testTppId } from '../../api/signing/test-tpp.ts';
import { grantConsentDirectly } from '../../engine/consents/consents.ts';
import { at } from '../lab/bank.ts';
import { eveningBefore, transactionStatements } from '../lab/book.ts';
import { carryOut, closeInOnePiece, customer, openBenchBank } from './bench-bank.ts';
import { figure, type Figure } from './measure.ts';
import { serve, serveByHand, type Server, Servers } from './servers.ts';
import { type PreparedRequest, psu, ratesOf, signed, type Stream } from './signed-requests.ts';

/** How often each signed GET is sent in a turn. */
const repeats = 10;
const page = 'transactions?bookingStatus=booked&limit=200';

/**
 * Signed reads over HTTP, beside a server that does the same by hand: of an account with 1,000 transactions in the days that are read, and
 * of one with many in ten years.
 */
export async function figures(folder: string, scale: number): Promise<Figure[]> {
  await using servers = new Servers();
  const many = 1_000_000 / scale;
  const ledger = join(folder, 'reading.sqlite');
  const { psuId, small, large } = await makeLedger(ledger, many);
  // It has taken its copy when the bank begins to write.
  const byHand = await servers.start(serveByHand(ledger, at(eveningBefore)));
  const bank = await servers.start(serve('--ledger', ledger));
  const reads = (server: Server, account: string, path: string, count: number): Stream => {
    const get = () => signed('GET', `/v1/accounts/${account}/${path}`, { 'psu-id': psuId });
    // Signing takes as long as reading, and the bank reads a repeated GET again.
    const repeated = (): PreparedRequest[] => Array<PreparedRequest>(repeats).fill(get());
    return { server, requests: () => Array.from({ length: count / repeats }, repeated).flat(), status: 200 };
  };
  const both = (path: string, count: number) => {
    return { byHand: reads(byHand, small, path, count), bank: reads(bank, small, path, count) };
  };
  const balances = await ratesOf(both('balances', 2_000 / scale));
  const pages = await ratesOf({ ...both(page, 500 / scale), large: reads(bank, large, page, 500 / scale) });
  const unit = 'requests/s of processor';
  return [
    figure('signed GETs of balances', balances.bank, unit, { of: ['by hand', balances.byHand], atLeast: 0.7 }),
    figure('signed GETs of 200 transactions', pages.bank, unit, { of: ['by hand', pages.byHand], atLeast: 0.7 }),
    figure(`  of an account with ${many.toLocaleString('en')}`, pages.large, unit, {
      of: ['with 1,000', pages.bank],
      atLeast: 0.75,
    }),
  ];
}

/** A ledger with a small and a large account of one PSU, and the PSU's consent. */
async function makeLedger(ledger: string, many: number): Promise<Record<'psuId' | 'small' | 'large', string>> {
  const bank = await openBenchBank(ledger, [customer(psu, 99_999_999_901, 2)]);
  const grant = { tppId: testTppId('bench'), psu, context: 'PRIVATE', agreement: null, accounts: null } as const;
  const { consent, accounts } = await grantConsentDirectly(bank, grant);
  const [small, large] = accounts;
  if (small === undefined || large === undefined) throw new Error('the consent opens two accounts');
  await carryOut(bank, transactionStatements(small.id, 1_000, 80));
  await carryOut(bank, transactionStatements(large.id, many, 3_650));
  await bank.close();
  closeInOnePiece(new BetterSqlite3(ledger));
  return { psuId: consent.psu_id, small: small.resource_id, large: large.resource_id };
}
