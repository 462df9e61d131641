import { expect, test } from '@jest/globals';
import { localDate } from '../../engine/values/local-date.ts';
import { authoriseSigningBasketIn } from '../../engine/approval/start-sca.ts';
import { createSigningBasketIn } from '../../engine/approval/signing-baskets.ts';
import { order, people, remove, orRefusal, pay, sign, tpp, type Transfer } from '../lab/payments.ts';
import { answer, pagesForEach, read, redirectOf } from './pages.ts';
import { writeBank } from '../../engine/bank/bank-context.ts';

const nora = people.nora.psu;
const approval = { action: 'approve', psu: nora, context: 'PRIVATE' };
const to = (amount: string): Transfer => ({ from: 'nora', to: 'shop', amount });
const { bank, pages } = pagesForEach('2027-03-24T12:00:00+01:00');

async function scaOf(...paymentIds: string[]): Promise<string> {
  const returnTo = { redirectUri: 'https://tpp.example/back', sessionId: 'session-1' };
  const { basket } = await writeBank(bank, (writing) =>
    createSigningBasketIn(writing, { tpp, psu: {}, returnTo, paymentIds }),
  );
  const command = { tpp, psu: {}, basketId: basket.resource_id, redirectUri: null, sessionId: null };
  return writeBank(bank, (writing) => authoriseSigningBasketIn(writing, command));
}

async function statuses(): Promise<string[]> {
  const rows = await bank.ledger.read((reader) =>
    reader.selectFrom('payment').select('status').orderBy('id').execute(),
  );
  return rows.map(({ status }) => status);
}

test('A2: the page shows the total and every payment, and one decision signs them all', async () => {
  const first = await pay(bank, to('1000.50'), localDate('2027-03-31'));
  const second = await pay(bank, to('234.00'));
  const plan = { startDate: localDate('2027-04-15'), frequency: 'Monthly' } as const;
  const third = await order(bank, to('0.50'), plan);
  const scaId = await scaOf(...[first, second, third].map(({ payment }) => payment.resource_id));
  expect(read(await (await pages.get(scaId)).text())).toContain('asks you to approve several payments at once');
  const text = read(await (await pages.submit(scaId, { action: 'identify', psu: nora })).text());
  expect(text).toContain('Approve these 3 payments?');
  for (const shown of ['1,235.00 NOK in all', '1,000.50 NOK To shop', '234.00 NOK To shop', '0.50 NOK each time']) {
    expect(text.replaceAll('\u00a0', ' ')).toContain(shown);
  }
  expect(text).toContain('Date Wed 31 Mar 2027');
  expect(text).toContain('How often Every month');
  expect(redirectOf(await pages.submit(scaId, approval))).toMatchObject({ at: '303 https://tpp.example/back' });
  expect(await statuses()).toEqual(['ACSP', 'PDNG', 'ACSP']);
});

test('what was deleted meanwhile is not shown, and not counted', async () => {
  const gone = await pay(bank, to('1.00'));
  const kept = await pay(bank, to('2.00'));
  const scaId = await scaOf(gone.payment.resource_id, kept.payment.resource_id);
  await remove(bank, gone.payment.resource_id);
  const text = read(await (await pages.submit(scaId, { action: 'identify', psu: nora })).text());
  expect(text).toContain('Approve this payment?');
  expect(text.replaceAll('\u00a0', ' ')).toContain('2.00 NOK in all');
});

test('interface, Other operations 5: a basket that was signed in another window is signed once', async () => {
  const { payment } = await pay(bank, to('3.00'));
  const scaId = await scaOf(payment.resource_id);
  const basket = await bank.ledger.read((reader) =>
    reader.selectFrom('signing_basket').select('resource_id').executeTakeFirstOrThrow(),
  );
  const command = { tpp, psu: {}, basketId: basket.resource_id, redirectUri: null, sessionId: null };
  const other = await writeBank(bank, (writing) => authoriseSigningBasketIn(writing, command));
  const page = await pages.submit(other, { action: 'identify', psu: nora });
  await pages.submit(scaId, approval);
  expect(redirectOf(await answer(page, { action: 'approve' }))).toMatchObject({
    code: 'STATUS_INVALID',
    status: '409',
  });
  expect(await statuses()).toEqual(['PDNG']);
});

test('A4: one PSU alone may sign it', async () => {
  const { payment } = await pay(bank, to('4.00'));
  const scaId = await scaOf(payment.resource_id);
  const psu = people.even.psu;
  const again = await pages.submit(scaId, { action: 'identify', psu });
  expect(read(await again.text())).toContain('This waits for another person');
  expect(await orRefusal(sign(bank, payment.resource_id, 'nora'))).toBe('RESOURCE_BLOCKED');
});
