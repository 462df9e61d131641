import { describe, expect, test } from '@jest/globals';
import { memoryBankForEach } from '../support/test-bank.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { corporateAgreementsOf, customerByNumber } from '../../engine/parties/rows/customers.ts';
import { createSigningBasketIn } from '../../engine/approval/signing-baskets.ts';
import { deleteAgreement } from '../../engine/sandbox-data/agreements.ts';
import { deleteCustomer } from '../../engine/sandbox-data/customers.ts';
import { finishSca } from '../../engine/approval/finish-sca.ts';
import { firstAnswer, keepFirstAnswer } from '../../engine/calls/first-answers.ts';
import { initiateIn, initiatePayment } from '../../engine/payments/initiate-payment.ts';
import { offerSca } from '../../engine/sca/sca.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { at } from '../lab/bank.ts';
import {
  beginSigning,
  people,
  transferBody,
  meet,
  orRefusal,
  pay,
  payBulk,
  product,
  sign,
  tpp,
} from '../lab/payments.ts';
import { brokenProofs } from '../lab/proof.ts';
import { dump, statusesIn } from '../lab/rows.ts';
import { writeBank } from '../../engine/bank/bank-context.ts';

const { psu } = people.sigrid;
const returnTo = { redirectUri: 'https://tpp.example/back', sessionId: 'session-1' };
const approval = { outcome: 'approve', psu, context: 'CORPORATE', accounts: null } as const;

const noAgreement = { fault: { code: 'CORPORATE_ID_INVALID' } };

const bank = memoryBankForEach('2027-03-24T12:00:00+01:00');

async function agreementId(): Promise<string> {
  const [agreement] = await bank.ledger.read(async (reader) =>
    corporateAgreementsOf(reader, (await customerByNumber(reader, psu))?.id ?? 0),
  );
  return agreement?.resource_id ?? '';
}

/** A consent under the agreement, an open SCA for another, and payments signed, half signed and not signed. */
async function busyAgreement(): Promise<{ readonly openSca: string; readonly corporateId: string }> {
  const wanted = { tpp, psu: {}, context: null, returnTo };
  const { answer } = await finishSca(bank, await offerSca(bank, 'consent', wanted), approval);
  if ('fault' in answer || answer.corporateId === null) throw new Error('a corporate consent');
  const { psuId, corporateId } = answer;
  const openSca = await offerSca(bank, 'consent', { ...wanted, psu: { psuId, corporateId } });
  const ids = [];
  for (const amount of ['1.00', '2.00', '3.00']) {
    const { payment } = await pay(bank, { from: 'sigrid', to: 'shop', amount }, localDate('2027-03-31'));
    ids.push(payment.resource_id);
  }
  for (const id of ids.slice(0, 2)) await sign(bank, id, 'sigrid');
  await sign(bank, ids[0] ?? '', 'tor');
  return { openSca, corporateId };
}

describe('D2: a deleted agreement', () => {
  test('takes consents, open SCAs, engagements and the payments made under it along; the account stays', async () => {
    const { openSca } = await busyAgreement();
    const other = await pay(bank, { from: 'nora', to: 'shop', amount: '4.00' });
    await deleteAgreement(bank, await agreementId());
    const rows = await dump(bank);
    expect(statusesIn(rows['payment'])).toEqual(['CANC', 'CANC', 'RCVD', 'RCVD']);
    expect(rows['execution']?.map((row) => row['status'])).toEqual(['CANC']);
    expect(rows['consent']?.map((row) => row['ended_at'] !== null)).toEqual([true]);
    expect((await finishSca(bank, openSca, approval)).answer).toMatchObject(noAgreement);
    expect(rows['engagement']).toHaveLength(4);
    expect(rows['account']?.find((row) => row['bban'] === people.sigrid.bban)).toMatchObject({ closed_at: null });
    expect(await sign(bank, other.payment.resource_id, 'nora')).toBeNull();
    expect(await brokenProofs(bank)).toEqual({});
  });

  test('nobody acts under it any more', async () => {
    const { payment } = await pay(bank, { from: 'sigrid', to: 'shop', amount: '1.00' });
    const scaId = await beginSigning(bank, payment.resource_id, 'payment');
    await deleteAgreement(bank, await agreementId());
    const { answer } = await finishSca(bank, scaId, approval);
    expect(answer).toMatchObject({ fault: { code: 'CORPORATE_ID_INVALID' } });
  });
});

test('D2: a deleted corporation fails the SCAs that wait for its agreements', async () => {
  const { openSca } = await busyAgreement();
  const owner = await bank.ledger.read((reader) => customerByNumber(reader, '33333333'));
  await deleteCustomer(bank, owner?.resource_id ?? '');
  expect((await finishSca(bank, openSca, approval)).answer).toMatchObject(noAgreement);
  expect(statusesIn((await dump(bank))['payment'])).toEqual(['CANC', 'CANC', 'CANC']);
});

describe('D2: a deleted PSU', () => {
  test('takes the payments along that carry its signature, so that nobody signs one twice', async () => {
    const { payment } = await pay(bank, { from: 'tor', to: 'shop', amount: '1.00' });
    const unsigned = await pay(bank, { from: 'tor', to: 'shop', amount: '2.00' });
    await sign(bank, payment.resource_id, 'sigrid');
    const sigrid = await bank.ledger.read((reader) => customerByNumber(reader, psu));
    await deleteCustomer(bank, sigrid?.resource_id ?? '');
    expect(statusesIn((await dump(bank))['payment'])).toEqual(['CANC', 'RCVD']);
    expect(await sign(bank, unsigned.payment.resource_id, 'tor')).toBeNull();
  });

  test('P7: an item that is cancelled with it is no duplicate of a new payment', async () => {
    const much = { from: 'sigrid', to: 'shop', amount: '9000000.00' } as const;
    const { payment } = await payBulk(bank, [{ ...much, amount: '1.00' }, much]);
    await sign(bank, payment.resource_id, 'sigrid');
    await sign(bank, payment.resource_id, 'tor');
    await advanceClock(bank, at('2027-03-24T14:00:00+01:00'));
    expect(await orRefusal(pay(bank, much))).toBe('CONFLICT');
    const tor = await bank.ledger.read((reader) => customerByNumber(reader, people.tor.psu));
    await deleteCustomer(bank, tor?.resource_id ?? '');
    const rows = await dump(bank);
    expect(statusesIn(rows['payment'])).toEqual(['PART']);
    expect(rows['execution']?.map((row) => row['status'])).toEqual(['ACSC', 'CANC']);
    expect(await orRefusal(pay(bank, { ...much, amount: '1.00' }))).toBe('CONFLICT');
    expect((await pay(bank, much)).payment.status).toBe('RCVD');
  });

  test('takes its signing baskets along: the payments of others are free again', async () => {
    const { payment } = await pay(bank, { from: 'sigrid', to: 'shop', amount: '4.00' });
    const psuOf = { psuIdentity: people.tor.psu };
    await writeBank(bank, (writing) =>
      createSigningBasketIn(writing, { tpp, psu: psuOf, returnTo, paymentIds: [payment.resource_id] }),
    );
    expect(await orRefusal(beginSigning(bank, payment.resource_id, 'payment'))).toBe('RESOURCE_BLOCKED');
    const tor = await bank.ledger.read((reader) => customerByNumber(reader, people.tor.psu));
    await deleteCustomer(bank, tor?.resource_id ?? '');
    expect(await sign(bank, payment.resource_id, 'sigrid')).toBeNull();
  });

  test('leaves a call free whose payment went with it', async () => {
    const psuOf = { psuIdentity: people.tor.psu };
    const sentTo = { method: 'POST', path: '/payments', query: '' };
    const call = { tppId: tpp.id, ...sentTo, requestId: 'a-request', digest: 'a-digest', psu: psuOf };
    const command = {
      tpp,
      psu: psuOf,
      psuContext: 'CORPORATE',
      returnTo,
      product,
      initiation: { service: 'payments', body: transferBody({ from: 'tor', to: 'shop', amount: '3.00' }) },
      allowLogicalDuplicate: true,
    } as const;
    const initiate = (): Promise<string> =>
      writeBank(bank, async (writing) => {
        const { tx } = writing;
        const kept = await firstAnswer(bank, tx, call);
        if (kept !== null) return kept;
        const { payment } = await initiateIn(writing, command);
        await keepFirstAnswer(tx, call, { paymentId: payment.id }, payment.resource_id);
        return payment.resource_id;
      });
    const first = await initiate();
    await sign(bank, first, 'sigrid');
    const sigrid = await bank.ledger.read((reader) => customerByNumber(reader, psu));
    await deleteCustomer(bank, sigrid?.resource_id ?? '');
    expect(await initiate()).not.toBe(first);
  });
});

test('D2: a deleted agreement takes along what needed no SCA under it', async () => {
  const signer = '18129215603';
  await meet(bank, signer);
  const { payment } = await initiatePayment(bank, {
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
        creditorAccount: { bban: '34110000024', currency: 'NOK' },
        creditorName: 'own',
        requestedExecutionDate: localDate('2027-04-20'),
      },
    },
  });
  expect([payment.status, payment.execution_date]).toEqual(['ACSP', '2027-04-20']);
  expect(payment.authorised_at).toBe(payment.initiated_at);
  const [agreement] = await bank.ledger.read(async (reader) =>
    corporateAgreementsOf(reader, (await customerByNumber(reader, signer))?.id ?? 0),
  );
  await deleteAgreement(bank, agreement?.resource_id ?? '');
  expect(statusesIn((await dump(bank))['payment'])).toEqual(['CANC']);
});
