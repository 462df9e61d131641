import { join } from 'node:path';
import { sql } from 'kysely';
import type { Bank } from '../../engine/bank.ts';
import { ensureClearing } from '../../engine/accounts/post-directly.ts';
import { grantConsentDirectly } from '../../engine/consents/grant-consent-directly.ts';
import { listTransactions } from '../../engine/consents/list-transactions.ts';
import type { AccountRequest } from '../../engine/consents/account-access.ts';
import { openBenchBank } from './bench-bank.ts';
import { type Figure, given, withTarget, median } from './figure.ts';

const target = 1.5;
const pageSize = 200;
/** Days over which the transactions are spread: ten years for the large account, the 90 days that are read for the small one. */
const days = { large: 3_650, small: 80 };
/** Both accounts are read in turns, so that other load on the machine affects both. */
const turns = 51;
const number = '13039319955';
const tpp = { id: 'PSDNO-FSA-987654321', name: 'Bench' };

/** Compares a page of a large account with the same page of a small one, read as by a TPP, without HTTP. */
export async function pagingFigures(folder: string, scale: number): Promise<Figure[]> {
  const sizes = { large: 1_000_000 / scale, small: 2 * pageSize };
  const bank = await openBenchBank(join(folder, 'paging.sqlite'), [
    { customerNumber: number, name: 'Bench', type: 'private', accounts: [account('1'), account('2')] },
  ]);
  try {
    const { consent, accounts } = await grantConsentDirectly(bank, {
      tppId: tpp.id,
      psu: number,
      context: 'PRIVATE',
      agreement: null,
      accounts: null,
    });
    const [large, small] = accounts;
    if (large === undefined || small === undefined) throw new Error('two accounts were opened');
    await fill(bank, large.id, sizes.large, days.large);
    await fill(bank, small.id, sizes.small, days.small);
    const request = { ...unnamed, psu: { psuId: consent.psu_id } };
    const times: { large: number[]; small: number[] } = { large: [], small: [] };
    for (let turn = 0; turn < turns; turn += 1) {
      times.large.push(await readPage(bank, request, large.resource_id));
      times.small.push(await readPage(bank, request, small.resource_id));
    }
    const [slow, fast] = [median(times.large), median(times.small)];
    const ratio = slow / fast;
    return [
      given(`page of ${pageSize}, account of ${sizes.small}`, `${fast.toFixed(2)} ms`),
      withTarget(
        `page of ${pageSize}, account of ${sizes.large.toLocaleString('en')}`,
        { figure: `${slow.toFixed(2)} ms`, ratio: `${ratio.toFixed(2)}x` },
        { by: ratio, atMost: target, unit: 'x' },
      ),
    ];
  } finally {
    await bank.close();
  }
}

const unnamed: Omit<AccountRequest, 'psu'> = {
  tpp,
  context: null,
  redirectUri: null,
  sessionId: null,
  psuIsPresent: true,
};

async function readPage(bank: Bank, request: AccountRequest, accountId: string): Promise<number> {
  const start = performance.now();
  const query = {
    bookingStatus: 'both',
    dateFrom: null,
    dateTo: null,
    offset: 0,
    limit: pageSize,
    cursor: null,
  } as const;
  const { booked } = await listTransactions(bank, request, accountId, query);
  if (booked?.length !== pageSize) throw new Error(`the page has ${booked?.length} transactions`);
  return performance.now() - start;
}

function account(digit: string) {
  const bban = `9999999990${digit}`;
  return {
    accountName: `Account ${digit}`,
    bban,
    iban: `NO00${bban}`,
    currency: 'NOK' as const,
    product: 'Brukskonto',
    cashAccountType: 'CACC',
    balance: '0.00',
  };
}

/** Inserts mock transactions of 1.00 with their clearing entries, spread evenly over the last days, in a few bulk writes. */
export async function fill(bank: Bank, accountId: number, count: number, length: number): Promise<void> {
  await bank.ledger.write(async (tx) => {
    const clearing = await ensureClearing(bank.ids, tx, 'NOK');
    const today = (
      await sql<{ day: string }>`select date(last_run_at / 1000, 'unixepoch') as day from bank_state`.execute(tx)
    ).rows[0]?.day;
    const { rows } = await sql<{ last: number | null }>`select max(id) as last from direct_posting`.execute(tx);
    const before = rows[0]?.last ?? 0;
    const each = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`;
    await sql`${each} insert into direct_posting (id, kind, details) select ${before} + i, 'transaction', '{}' from n`.execute(
      tx,
    );
    for (const [id, minor] of [
      [accountId, 100],
      [clearing.id, -100],
    ] as const) {
      const date = sql`date(${today}, '-' || (i % ${length}) || ' days')`;
      await sql`${each} insert into entry (account_id, amount_minor, direct_posting_id, booking_date, value_date)
        select ${id}, ${minor}, ${before} + i, ${date}, ${date} from n`.execute(tx);
      await sql`update account set balance_minor = balance_minor + ${minor * count} where id = ${id}`.execute(tx);
    }
  });
}
