import { describe, expect, test } from '@jest/globals';
import { localDate } from '../../engine/values/local-date.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { cancelInAnotherChannel } from '../../engine/payments/bank-side-payments.ts';
import { finishSca, identifyForSca } from '../../engine/approval/finish-sca.ts';
import { readSca } from '../../engine/approval/read-sca.ts';
import { offerSca } from '../../engine/sca/sca.ts';
import { at } from '../lab/bank.ts';
import { beginSigning, pay, people, remove, sign, tpp } from '../lab/payments.ts';
import { answer, headingOf, pagesForEach, read, redirectOf } from './pages.ts';

const { bank, pages } = pagesForEach('2027-03-24T12:00:00+01:00');

const psu = people.nora.psu;
const shop = { from: 'nora', to: 'shop', amount: '123.00' } as const;
const approval = { action: 'approve', psu, context: 'PRIVATE' };

/** What has become of a payment since its SCA link was made; a closed one is no longer asked to be approved. */
const fates: readonly (readonly [string, 'payment' | 'cancellation', (id: string) => Promise<unknown>])[] = [
  ['This payment is signed already', 'payment', (id) => sign(bank, id, 'nora')],
  [
    'This payment is signed and paid already',
    'payment',
    async (id) => {
      await sign(bank, id, 'nora');
      await advanceClock(bank, at('2027-04-17'));
    },
  ],
  ['This payment was cancelled', 'payment', (id) => remove(bank, id)],
  ['This payment is cancelled already', 'cancellation', (id) => cancelInAnotherChannel(bank, id)],
  ['This payment is paid, and can no longer be cancelled', 'cancellation', () => advanceClock(bank, at('2027-04-17'))],
];

describe('A2, P12: the page of a payment that has gone on without it says so instead of asking to approve', () => {
  test.each(fates)('%s', async (heading, purpose, happen) => {
    const { payment, scaId: first } = await pay(bank, shop, localDate('2027-04-15'));
    const id = payment.resource_id;
    let scaId = first ?? '';
    if (purpose === 'cancellation') {
      await sign(bank, id, 'nora');
      await remove(bank, id);
      scaId = await beginSigning(bank, id, 'cancellation');
    }
    expect(headingOf(await (await pages.get(scaId)).text())).toBe('Who are you?');
    await happen(id);
    for (const response of [await pages.get(scaId), await pages.submit(scaId, { action: 'identify', psu })]) {
      const text = await response.text();
      expect([response.status, headingOf(text)]).toEqual([200, heading]);
      expect(text).not.toMatch(/value="approve"|123.00/);
      expect(read(text)).toContain('Back to Test TPP');
    }
    const code = purpose === 'payment' ? 'STATUS_INVALID' : 'CANCELLATION_INVALID';
    expect(redirectOf(await pages.submit(scaId, { action: 'cancel' }))).toMatchObject({ code });
    expect((await pages.get(scaId)).status).toBe(400);
  });

  test('a link that was answered says how, and what the payment is by now', async () => {
    const { scaId } = await pay(bank, shop, localDate('2027-04-15'));
    await pages.submit(scaId ?? '', approval);
    const text = read(await (await pages.get(scaId ?? '')).text());
    expect(text).toContain('it was approved, and its link works once. The payment is ACSP by now.');
  });

  test('A4, P12: who is on the page while the TPP deletes the payment goes back with the reason, once', async () => {
    const { payment, scaId } = await pay(bank, shop, localDate('2027-04-15'));
    const page = await pages.submit(scaId ?? '', { action: 'identify', psu });
    await remove(bank, payment.resource_id);
    expect(redirectOf(await answer(page, { action: 'approve' }))).toMatchObject({ code: 'STATUS_INVALID' });
    const text = read(await (await pages.get(scaId ?? '')).text());
    expect(text).toContain('This SCA has ended: the payment is cancelled.');
  });

  test('A2: the page fills in the number of the PSU whom the TPP named, and else none', async () => {
    const filledIn = async (named: object): Promise<string | undefined> => {
      const returnTo = { redirectUri: 'https://tpp.example/back', sessionId: null };
      const scaId = await offerSca(bank, 'consent', { tpp, psu: named, context: null, returnTo });
      const [input = ''] = /<input[^>]*name="psu"[^>]*>/.exec(await (await pages.get(scaId)).text()) ?? [];
      return /value="([^"]*)"/.exec(input)?.[1];
    };
    expect([await filledIn({ psuIdentity: psu }), await filledIn({})]).toEqual([psu, '']);
  });

  test('A2: whoever types a number after the payment was cancelled is asked for no other one', async () => {
    const { payment, scaId } = await pay(bank, shop, localDate('2027-04-15'));
    await remove(bank, payment.resource_id);
    expect(await identifyForSca(bank, scaId ?? '', '01010112345')).toEqual({ next: 'closed' });
  });

  test('S2: a second link of a fully signed payment waits for nobody else', async () => {
    const { payment, scaId } = await pay(bank, shop, localDate('2027-04-15'));
    const id = payment.resource_id;
    await sign(bank, id, 'nora');
    const told = { code: 'STATUS_INVALID', text: 'The payment is ACSP: it takes no signature.' };
    expect(await readSca(bank, scaId ?? '', psu)).toMatchObject({ closed: { fault: told }, signing: null });
    await expect(beginSigning(bank, id, 'payment')).rejects.toMatchObject({ faults: [told] });
    const result = await finishSca(bank, scaId ?? '', { outcome: 'approve', psu, context: 'PRIVATE', accounts: null });
    expect(result.answer).toEqual({ fault: told });
  });
});
