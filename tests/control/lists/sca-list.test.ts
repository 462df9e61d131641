import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { authoriseSigningBasketIn } from '../../../engine/approval/start-sca.ts';
import { createSigningBasketIn } from '../../../engine/approval/signing-baskets.ts';
import { customerByNumber } from '../../../engine/parties/rows/customers.ts';
import { initiatePayment } from '../../../engine/payments/initiate-payment.ts';
import { offerSca } from '../../../engine/sca/sca.ts';
import { deleteCustomer } from '../../../engine/sandbox-data/customers.ts';
import { localDate } from '../../../engine/values/local-date.ts';
import { at, manualClock, type ManualClock } from '../../lab/bank.ts';
import {
  beginSigning,
  transferBody,
  pay,
  people,
  product,
  remove,
  sign,
  tpp,
  type Transfer,
} from '../../lab/payments.ts';
import { someOf } from '../../support/sample.ts';
import { openControl, type Answer, type ControlClient } from '../control-client.ts';
import { fitting } from './fitting.ts';
import { writeBank } from '../../../engine/bank/bank-context.ts';

const now = '2027-03-24T12:00:00+01:00';
const returnTo = { redirectUri: 'https://tpp.example/back', sessionId: null };
let control: ControlClient;
let wall: ManualClock;
beforeEach(async () => {
  wall = manualClock(at(now));
  control = await openControl(now, { wall, flags: ['--public-url', 'https://bank.example'] });
});
afterEach(() => control.close());

const scas = async (): Promise<Answer['body'][]> => (await fitting(control, 'GET', '/sandbox/sca')).scas;
const ids = async (): Promise<string[]> => (await scas()).map(({ id }) => id);
const later = localDate('2027-03-31');
let oere = 10;
async function initiated(transfer: Omit<Transfer, 'amount'>): Promise<string> {
  const { payment } = await pay(control.bank, { ...transfer, amount: `1.${(oere += 1)}` }, later);
  return payment.resource_id;
}
const answer = (id: string, body: object): Promise<Answer> => control.post(`/sandbox/sca/${id}`, body);
const offer = (
  purpose: 'consent' | 'identification',
  psuIdentity?: string,
  context: 'PRIVATE' | 'CORPORATE' | null = null,
): Promise<string> =>
  offerSca(control.bank, purpose, { tpp, psu: psuIdentity === undefined ? {} : { psuIdentity }, context, returnTo });

async function basketSca(paymentIds: readonly string[]): Promise<string> {
  const { basket } = await writeBank(control.bank, (writing) =>
    createSigningBasketIn(writing, { tpp, psu: {}, returnTo, paymentIds }),
  );
  return writeBank(control.bank, (writing) =>
    authoriseSigningBasketIn(writing, {
      tpp,
      psu: {},
      basketId: basket.resource_id,
      redirectUri: null,
      sessionId: null,
    }),
  );
}

test('K9: the open ones, the newest first, with what they are for, their address and who may sign', async () => {
  expect(await scas()).toEqual([]);
  const rent = await initiated({ from: 'nora', to: 'shop' });
  const payment = await beginSigning(control.bank, rent, 'payment');
  const consent = await offer('consent');
  const named = await offer('identification', people.even.psu, 'PRIVATE');
  const [identification, second, third] = await scas();
  expect([identification.id, second.id, third.id]).toEqual([named, consent, payment]);
  expect(third).toEqual({
    id: payment,
    address: `https://bank.example/sca/${payment}`,
    purpose: 'payment',
    tpp,
    payments: [rent],
    payees: ['shop'],
    basketId: null,
    context: null,
    agreement: null,
    startedAt: '2027-03-24T12:00:00.000+01:00',
    expiresAt: '2027-03-24T12:15:00.000+01:00',
    signers: [{ number: people.nora.psu, name: 'Test Testperson 3', as: [{ context: 'PRIVATE', agreement: null }] }],
  });
  expect(second).toMatchObject({ purpose: 'consent', payments: [], context: null, signers: null });
  expect(identification).toMatchObject({
    purpose: 'identification',
    context: 'PRIVATE',
    signers: [{ number: people.even.psu, as: null }],
  });
});

test('one that ended, expired or has nothing left to approve is open no more', async () => {
  const approved = await beginSigning(control.bank, await initiated({ from: 'nora', to: 'shop' }), 'payment');
  const [cancelled, expired, failed] = [await offer('consent'), await offer('consent'), await offer('consent')];
  const twice = await initiated({ from: 'nora', to: 'even' });
  const superseded = await beginSigning(control.bank, twice, 'payment');
  const deleted = await initiated({ from: 'even', to: 'shop' });
  await beginSigning(control.bank, deleted, 'payment');
  // Each initiation has opened one of its own.
  expect(await ids()).toHaveLength(9);
  await answer(approved, { outcome: 'approve', psu: people.nora.psu, context: 'PRIVATE' });
  await answer(cancelled, { outcome: 'cancel' });
  await answer(expired, { outcome: 'expire' });
  await answer(failed, { outcome: 'fail' });
  await remove(control.bank, deleted);
  expect((await scas()).map(({ payments }) => payments)).toEqual([[twice], [twice]]);
  expect((await ids())[0]).toBe(superseded);
  await sign(control.bank, twice, 'nora');
  expect(await ids()).toEqual([]);
  // A4b: 15 minutes of the wall clock.
  const left = await offer('consent');
  wall.set(at('2027-03-24T12:15:00+01:00'));
  expect(await ids()).toEqual([left]);
  wall.set(at('2027-03-24T12:15:00.001+01:00'));
  expect(await ids()).toEqual([]);
});

test('P12b: the SCA of a payment that an open basket holds says that the basket signs it', async () => {
  const payment = await initiated({ from: 'nora', to: 'shop' });
  const own = await beginSigning(control.bank, payment, 'payment');
  const basket = await basketSca([payment]);
  const open = (await scas()).filter(({ id }) => id === own || id === basket);
  expect(open.map(({ id, signers, heldByBasket }) => [id, signers?.length, heldByBasket])).toEqual([
    [basket, 1, undefined],
    [own, 0, true],
  ]);
});

test('D2: the open consent of a customer who is deleted has nobody who may sign it', async () => {
  const consent = await offer('consent', people.even.psu, 'PRIVATE');
  expect((await scas())[0]?.signers).toHaveLength(1);
  const even = await control.bank.ledger.read((reader) => customerByNumber(reader, people.even.psu));
  await deleteCustomer(control.bank, even?.resource_id ?? '');
  expect((await scas()).map(({ id, signers }) => [id, signers])).toEqual([[consent, []]]);
});

test('S2b: the cancellation of a payment is open until it is due; a reset leaves none', async () => {
  const id = await initiated({ from: 'nora', to: 'shop' });
  await sign(control.bank, id, 'nora');
  await remove(control.bank, id);
  const cancellation = await beginSigning(control.bank, id, 'cancellation');
  expect(await scas()).toMatchObject([{ id: cancellation, purpose: 'cancellation', payments: [id] }]);
  await control.post('/sandbox/snapshots', { name: 'open' });
  await control.post('/sandbox/clock/advance', { to: '2027-03-31' });
  expect(await ids()).toEqual([]);
  await control.post('/sandbox/snapshots/open/restore');
  expect(await ids()).toEqual([cancellation]);
  await control.post('/sandbox/reset');
  expect(await ids()).toEqual([]);
});

test('who may sign is who can: each PSU of the bank tries each open SCA in each context', async () => {
  const { bank } = control;
  await beginSigning(bank, await initiated({ from: 'nora', to: 'shop' }), 'payment');
  const two = await initiated({ from: 'sigrid', to: 'shop' });
  const half = await initiated({ from: 'sigrid', to: 'nora' });
  await beginSigning(bank, two, 'payment');
  await sign(bank, half, 'sigrid');
  await beginSigning(bank, half, 'payment');
  const inBasket = [await initiated({ from: 'even', to: 'shop' }), await initiated({ from: 'even', to: 'nora' })];
  await beginSigning(bank, inBasket[0] ?? '', 'payment');
  await basketSca(inBasket);
  const gone = await initiated({ from: 'nora', to: 'even' });
  await sign(bank, gone, 'nora');
  await remove(bank, gone);
  await beginSigning(bank, gone, 'cancellation');
  const signedByBoth = await initiated({ from: 'sigrid', to: 'even' });
  await sign(bank, signedByBoth, 'sigrid');
  await sign(bank, signedByBoth, 'tor');
  await remove(bank, signedByBoth);
  await beginSigning(bank, signedByBoth, 'cancellation');
  // A7d: bound to the PRIVATE context, in which nobody reaches this account.
  await initiatePayment(bank, {
    tpp,
    psu: { psuIdentity: people.sigrid.psu },
    psuContext: 'PRIVATE',
    returnTo,
    product,
    initiation: { service: 'payments', body: transferBody({ from: 'sigrid', to: 'shop', amount: '9.00' }) },
  });
  await offer('consent', people.even.psu);
  await offer('consent');
  await control.post('/sandbox/snapshots', { name: 'open' });
  const psus = [people.nora.psu, people.even.psu, people.sigrid.psu, people.tor.psu];
  const open = await scas();
  expect(open).toHaveLength(15);
  for (const { id, purpose, payments, signers } of someOf('open SCAs', open, 5)) {
    const able: string[] = [];
    for (const psu of psus) {
      for (const context of ['PRIVATE', 'CORPORATE']) {
        const { status, body } = await answer(id, { outcome: 'approve', psu, context });
        if (status === 200 && new URL(body.redirect).searchParams.has('psu-id')) able.push(`${psu} ${context}`);
        // A 400 leaves it open.
        if (status === 200) await control.post('/sandbox/snapshots/open/restore');
      }
    }
    const persons = new Set(able.map((each) => each.slice(0, 11)));
    const told = signers === null ? psus : signers.map(({ number }: { number: string }) => number);
    expect([purpose, payments, told.toSorted()]).toEqual([purpose, payments, [...persons].toSorted()]);
    for (const { number, as } of signers ?? []) {
      const contexts = as?.map(({ context }: { context: string }) => `${number} ${context}`);
      if (as !== null) expect(contexts).toEqual(able.filter((each) => each.startsWith(number)));
    }
  }
}, 60_000);

test('an unknown parameter is 400', async () => {
  expect((await control.get('/sandbox/sca?open=true')).status).toBe(400);
});
