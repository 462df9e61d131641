import { describe, expect, test } from '@jest/globals';
import type { Bank } from '../../engine/open-bank.ts';
import { accountByNumber } from '../../engine/accounts/rows/accounts.ts';
import { customerByNumber } from '../../engine/parties/rows/customers.ts';
import { statusChangesOf } from '../../engine/payments/rows/payments.ts';
import { addTransactions } from '../../engine/accounts/mock-transactions.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { deleteAccount, deleteCustomer } from '../../engine/sandbox-data/customers.ts';
import { finishSca } from '../../engine/approval/finish-sca.ts';
import { initiatePayment } from '../../engine/payments/initiate-payment.ts';
import { beginSca } from '../../engine/sca/sca.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { at, memoryBank } from '../lab/bank.ts';
import { beginSigning, order, orRefusal, pay, people, sign, tpp, type Person, paySigned } from '../lab/payments.ts';
import { brokenProofs } from '../lab/proof.ts';
import { dump, statusesIn } from '../lab/rows.ts';
import { writeBank } from '../../engine/bank/bank-context.ts';

const now = '2027-03-24T12:00:00+01:00';
const returnTo = { redirectUri: 'https://tpp.example/back', sessionId: 'session-1' };

async function accountOf(bank: Bank, bban: string) {
  const account = await bank.ledger.read((reader) => accountByNumber(reader, bban));
  if (account === undefined) throw new Error(`no account ${bban}`);
  return account;
}

async function customerIdOf(bank: Bank, person: Person): Promise<string> {
  const customer = await bank.ledger.read((reader) => customerByNumber(reader, people[person].psu));
  return customer?.resource_id ?? '';
}

async function statuses(bank: Bank): Promise<unknown[]> {
  return statusesIn((await dump(bank))['payment']);
}

async function consent(bank: Bank, psu: string, accounts: readonly string[] | null): Promise<void> {
  const wanted = { purpose: 'consent', payment: null, tpp, returnTo, customerId: null, context: 'PRIVATE' } as const;
  const scaId = await writeBank(bank, (writing) => beginSca(writing, wanted));
  const { answer } = await finishSca(bank, scaId, { outcome: 'approve', psu, context: 'PRIVATE', accounts });
  expect(answer).toHaveProperty('psuId');
}

describe('D2: a deleted account', () => {
  test('takes its payments that are not settled with it, whatever their status, and nobody else', async () => {
    await using bank = await memoryBank(now);
    const transfer = { from: 'nora', to: 'shop', amount: '100.00' } as const;
    const received = await pay(bank, transfer);
    const future = await pay(bank, { ...transfer, amount: '101.00' }, localDate('2027-04-15'));
    await sign(bank, future.payment.resource_id, 'nora');
    const today = await pay(bank, { ...transfer, amount: '102.00' });
    await sign(bank, today.payment.resource_id, 'nora');
    const plan = { startDate: localDate('2027-04-01'), frequency: 'Monthly' } as const;
    const periodic = await order(bank, { ...transfer, amount: '103.00' }, plan);
    await sign(bank, periodic.payment.resource_id, 'nora');
    const other = await pay(bank, { from: 'even', to: 'nora', amount: '104.00' });
    await sign(bank, other.payment.resource_id, 'even');
    expect(await statuses(bank)).toEqual(['RCVD', 'ACSP', 'PDNG', 'ACSP', 'PDNG']);
    const waiting = await beginSigning(bank, received.payment.resource_id, 'payment');

    await deleteAccount(bank, (await accountOf(bank, people.nora.bban)).resource_id);

    expect(await statuses(bank)).toEqual(['CANC', 'CANC', 'CANC', 'CANC', 'PDNG']);
    expect(statusesIn((await dump(bank))['execution'])).toEqual(['CANC', 'CANC', 'CANC', 'PDNG']);
    const history = await bank.ledger.read((reader) => statusChangesOf(reader, { paymentId: today.payment.id }));
    expect(history.map(({ status, cause }) => [status, cause]).at(-1)).toEqual(['CANC', 'debtor account deleted']);
    const late = finishSca(bank, waiting, {
      outcome: 'approve',
      psu: people.nora.psu,
      context: 'PRIVATE',
      accounts: null,
    });
    expect((await late).answer).toMatchObject({ fault: { code: 'STATUS_INVALID' } });
    // P5c: the account is closed, so that the payment to it is rejected; and the books hold.
    const report = await advanceClock(bank, at('2027-06-01'));
    expect(report.runs.map(({ settled, rejected }) => [settled, rejected])).toEqual([[0, 1]]);
    expect(await brokenProofs(bank)).toEqual({});
  });

  test('S5: is left with nothing on it, and what was pending is booked all the same', async () => {
    await using bank = await memoryBank(now);
    const paid = await pay(bank, { from: 'nora', to: 'even', amount: '100.00' });
    await sign(bank, paid.payment.resource_id, 'nora');
    await advanceClock(bank, at('2027-03-24T13:30:00+01:00'));
    const { resource_id: id } = await accountOf(bank, people.nora.bban);
    await deleteAccount(bank, id);
    expect(await statuses(bank)).toEqual(['ACSC']);
    const closed = (await dump(bank))['account']?.find((row) => row['resource_id'] === id);
    expect(closed).toMatchObject({ balance_minor: 0n, closed_at: at('2027-03-24T13:30:00+01:00') });
    const [run] = (await advanceClock(bank, at('2027-03-24T15:30:00+01:00'))).runs;
    expect(run).toMatchObject({ booked: 1 });
    expect(await brokenProofs(bank)).toEqual({});
  });

  test('takes a payment with it that has been tried for lack of funds', async () => {
    await using bank = await memoryBank(now);
    await paySigned(bank, { from: 'anne', to: 'shop', amount: '100.00' });
    await advanceClock(bank, at('2027-03-24T13:30:00+01:00'));
    expect(await statuses(bank)).toEqual(['ACCP']);
    await deleteAccount(bank, (await accountOf(bank, people.anne.bban)).resource_id);
    expect(await statuses(bank)).toEqual(['CANC']);
    expect((await advanceClock(bank, at('2027-04-24'))).runs).toEqual([]);
  });

  test('an account with 0.00 on it needs no closing entry', async () => {
    await using bank = await memoryBank(now);
    const { id, resource_id: resourceId } = await accountOf(bank, people.anne.bban);
    const day = localDate('2027-03-01');
    const rest = { currency: 'NOK', bookingDate: day, valueDate: day, details: {} } as const;
    await addTransactions(bank, resourceId, [{ ...rest, amount: -1200n }]);
    await deleteAccount(bank, resourceId);
    expect((await dump(bank))['entry']?.filter((row) => row['account_id'] === id)).toHaveLength(2);
  });

  test('ends a consent only when it covers no other account', async () => {
    await using bank = await memoryBank(now);
    await consent(bank, people.nora.psu, null);
    await consent(bank, people.even.psu, [people.even.bban]);
    for (const person of ['nora', 'even'] as const) {
      await deleteAccount(bank, (await accountOf(bank, people[person].bban)).resource_id);
    }
    const ends = (await dump(bank))['consent']?.map((row) => row['ended_at']);
    expect(ends).toEqual([null, at(now)]);
  });

  test('takes the engagements on it away', async () => {
    await using bank = await memoryBank(now);
    const { id, resource_id: resourceId } = await accountOf(bank, '34330000017');
    await deleteAccount(bank, resourceId);
    expect((await dump(bank))['engagement']?.filter((row) => row['account_id'] === id)).toEqual([]);
  });
});

describe('interface, Other operations 6: D2: a deleted customer', () => {
  test('loses consents, sessions and open SCAs; the PSU-ID is nobody any more', async () => {
    await using bank = await memoryBank(now);
    await consent(bank, people.nora.psu, null);
    await consent(bank, people.even.psu, null);
    const { payment } = await pay(bank, { from: 'even', to: 'nora', amount: '1.00' });
    const evens = await beginSigning(bank, payment.resource_id, 'payment');
    const { scaId } = await pay(bank, { from: 'nora', to: 'even', amount: '1.00' });
    const fromNora = await pay(bank, { from: 'nora', to: 'even', amount: '3.00' });
    await deleteCustomer(bank, await customerIdOf(bank, 'nora'));
    const history = await bank.ledger.read((reader) => statusChangesOf(reader, { paymentId: fromNora.payment.id }));
    expect(history.at(-1)).toMatchObject({ status: 'CANC', cause: 'customer deleted' });

    const rows = await dump(bank);
    expect(rows['consent']?.map((row) => row['ended_at'])).toEqual([at(now), null]);
    expect(rows['sca_session']?.map((row) => row['ended_at'])).toEqual([at(now), null]);
    const approval = { outcome: 'approve', psu: people.nora.psu, context: 'PRIVATE', accounts: null } as const;
    const late = await finishSca(bank, scaId ?? '', approval);
    expect(late.answer).toMatchObject({ fault: { code: 'PSU_CREDENTIALS_INVALID' } });
    expect(await orRefusal(pay(bank, { from: 'nora', to: 'even', amount: '2.00' }))).toBe('PSU_CREDENTIALS_INVALID');
    const even = await finishSca(bank, evens, { ...approval, psu: people.even.psu });
    expect(even.answer).toHaveProperty('psuId');
    expect(await brokenProofs(bank)).toEqual({});
  });

  test('takes its own payments from the accounts of others with it', async () => {
    await using bank = await memoryBank(now);
    const signer = '18129215603';
    const { payment, scaId } = await initiatePayment(bank, {
      tpp,
      psu: { psuIdentity: signer },
      psuContext: 'CORPORATE',
      returnTo,
      product: 'norwegian-domestic-credit-transfers',
      initiation: {
        service: 'payments',
        body: {
          instructedAmount: { amount: '5.00', currency: 'NOK' },
          debtorAccount: { bban: '34110000016', currency: 'NOK' },
          creditorAccount: { bban: '90491105991', currency: 'NOK' },
          creditorName: 'shop',
        },
      },
    });
    await finishSca(bank, scaId ?? '', { outcome: 'approve', psu: signer, context: 'CORPORATE', accounts: null });
    expect(await statuses(bank)).toEqual(['PDNG']);
    const customer = await bank.ledger.read((reader) => customerByNumber(reader, signer));
    await deleteCustomer(bank, customer?.resource_id ?? '');
    expect(await statuses(bank)).toEqual(['CANC']);
    const history = await bank.ledger.read((reader) => statusChangesOf(reader, { paymentId: payment.id }));
    expect(history.at(-1)?.cause).toBe('customer deleted');
    expect((await accountOf(bank, '34110000016')).balance_minor).toBe(25_000_000n);
  });

  test('a corporation takes its agreements with it, and what others might do under them', async () => {
    await using bank = await memoryBank(now);
    const corporation = await bank.ledger.read((reader) => customerByNumber(reader, '11111111'));
    await deleteCustomer(bank, corporation?.resource_id ?? '');
    const rows = await dump(bank);
    const owned = rows['agreement']?.filter((row) => row['owner_id'] === corporation?.id);
    expect(owned?.map((row) => row['deleted_at'])).toEqual([at(now)]);
    expect(rows['engagement']?.filter((row) => row['agreement_id'] === owned?.[0]?.['id'])).toEqual([]);
    expect(rows['engagement']).toHaveLength(4);
  });
});
