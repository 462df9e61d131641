import { describe, expect, test } from '@jest/globals';
import { findPayment } from '../../engine/payments/rows/payments.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { approve, beginSigning, pay, people } from '../lab/payments.ts';
import { answer, headingOf, pagesForEach, read, redirectOf, wantConsent } from './pages.ts';

const { psu } = people.sigrid;
const toNokler = { from: 'sigrid', to: 'shop', amount: '100.00' } as const;
const { bank, pages } = pagesForEach('2027-03-24T12:00:00+01:00');

async function statusOf(paymentId: string): Promise<string | undefined> {
  return (await bank.ledger.read((reader) => findPayment(reader, { resourceId: paymentId })))?.status;
}

const rejectButton = 'name="action" value="reject"';

describe('A4c: reject the payment for all of its signers', () => {
  test('the first signer can, before anybody has signed; other pages that are open then say that it is cancelled', async () => {
    const { payment, scaId } = await pay(bank, toNokler, localDate('2027-03-31'));
    const id = payment.resource_id;
    const other = await pages.submit(await beginSigning(bank, id, 'payment'), {
      action: 'identify',
      psu: people.tor.psu,
    });
    const page = await pages.submit(scaId ?? '', { action: 'identify', psu });
    expect(await page.clone().text()).toContain(rejectButton);
    const asked = await answer(page, { action: 'reject' });
    expect(headingOf(await asked.clone().text())).toBe('Reject this payment?');
    expect(read(await asked.clone().text())).not.toContain('falls away');
    expect(await statusOf(id)).toBe('RCVD');
    const rejected = await answer(asked, { action: 'reject' });
    expect(redirectOf(rejected)).toMatchObject({ at: '303 https://tpp.example/back', code: 'SCA_INVALID' });
    expect(await statusOf(id)).toBe('CANC');
    expect(redirectOf(await answer(other, { action: 'approve' }))).toMatchObject({ code: 'STATUS_INVALID' });
  });

  test('the answer to the question is needed: the first press changes nothing, and approving goes on', async () => {
    const { payment } = await pay(bank, toNokler, localDate('2027-03-31'));
    const id = payment.resource_id;
    await approve(bank, await beginSigning(bank, id, 'payment'), 'sigrid');
    const page = await pages.submit(await beginSigning(bank, id, 'payment'), {
      action: 'identify',
      psu: people.tor.psu,
    });
    const asked = await answer(page, { action: 'reject' });
    expect(read(await asked.clone().text())).toContain('The signature of Sigrid Signerer falls away.');
    expect(await statusOf(id)).toBe('PATC');
    const context = /name="context" value="([^"]*)"/.exec(await asked.clone().text())?.[1] ?? '';
    const back = await answer(asked, { action: 'choose', context });
    expect(headingOf(await back.clone().text())).toBe('Approve this payment?');
    expect(redirectOf(await answer(back, { action: 'approve' }))).toMatchObject({ context: 'CORPORATE' });
    expect(await statusOf(id)).toBe('ACSP');
  });

  test.each([
    [
      'a payment of one signature',
      async () => (await pay(bank, { from: 'nora', to: 'shop', amount: '1.00' })).scaId ?? '',
    ],
    ['a consent', () => wantConsent(bank)],
  ])('%s has no such button, and the form of one rejects nothing: the SCA stays open', async (_what, begin) => {
    const scaId = await begin();
    const page = await pages.submit(scaId, { action: 'identify', psu: people.nora.psu });
    expect(await page.clone().text()).not.toContain('value="reject"');
    const asked = await answer(page, { action: 'reject' });
    expect(headingOf(await asked.clone().text())).toBe(headingOf(await page.clone().text()));
    expect((await answer(asked, { action: 'reject' })).status).toBe(400);
    expect((await pages.get(scaId)).status).toBe(200);
  });

  test('nobody rejects who is not identified', async () => {
    const { payment, scaId } = await pay(bank, toNokler);
    const first = await pages.get(scaId ?? '');
    expect(headingOf(await (await answer(first, { action: 'reject' })).text())).toBe('Who are you?');
    const wrong = await pages.submit(scaId ?? '', { action: 'identify', psu: '12345678901' });
    expect(headingOf(await (await answer(wrong, { action: 'reject' })).text())).toBe('Who are you?');
    expect(await statusOf(payment.resource_id)).toBe('RCVD');
  });
});
