import { describe, expect, test } from '@jest/globals';
import { readSca } from '../../engine/approval/read-sca.ts';
import { authoriseSigningBasketIn } from '../../engine/approval/start-sca.ts';
import { createSigningBasketIn } from '../../engine/approval/signing-baskets.ts';
import { initiatePayment } from '../../engine/payments/initiate-payment.ts';
import { products } from '../../engine/values/product.ts';
import { localDate } from '../../engine/values/local-date.ts';
import { loadPriceList } from '../../api/start/fixtures.ts';
import { beginSigning, order, pay, payBulk, people, remove, sign, tpp } from '../lab/payments.ts';
import { accounts, crossBorderPayment, sepaPayment } from '../lab/products.ts';
import { openPage, pagesForEach, read } from './pages.ts';
import { writeBank } from '../../engine/bank/bank-context.ts';

const prices = await loadPriceList();
const nora = people.nora.psu;
const { bank, pages } = pagesForEach('2027-03-24T12:00:00+01:00', { prices });

const readable = (text: string): string => read(text).replaceAll('\u00a0', ' ');

/** What a PSU reads on the last page, in English and in Norwegian. */
async function lastPage(scaId: string | null, psu: string = nora): Promise<{ en: string; nb: string }> {
  const page = await pages.submit(scaId ?? '', { action: 'identify', psu });
  const norwegian = await openPage(`${page.url}&lang=nb`);
  return { en: readable(await page.text()), nb: readable(await norwegian.text()) };
}

async function payAbroad(product: 'sepa' | 'crossBorder', body: object): Promise<string> {
  const { scaId } = await initiatePayment(bank, {
    tpp,
    psu: { psuIdentity: nora },
    psuContext: 'PRIVATE',
    returnTo: { redirectUri: 'https://tpp.example/back', sessionId: null },
    product: products[product],
    initiation: { service: 'payments', body } as Parameters<typeof initiatePayment>[1]['initiation'],
  });
  return scaId ?? '';
}

describe('A2e, P11: what a conversion costs', () => {
  test('rate, debited amount, fee and total stand on the page, and add up', async () => {
    const { en, nb } = await lastPage(await payAbroad('crossBorder', crossBorderPayment()));
    // fixtures: 1 SEK is 1.0942 NOK, a payment abroad costs 50.00.
    expect(en).toContain('Rate 1 SEK = 1.0942 NOK Converted 1,094.20 NOK Fee 50.00 NOK Total 1,144.20 NOK');
    expect(nb).toContain('Kurs 1 SEK = 1,0942 NOK Omregnet 1 094,20 kr Gebyr 50,00 kr Totalt 1 144,20 kr');
    expect(en).toContain('Available afterwards 16,855.80 NOK');
    expect(nb).toContain('Disponibelt etterpå 16 855,80 kr');
  });

  test('a payment in the currency of its account has no rate, and its total is in that currency', async () => {
    const { en, nb } = await lastPage(await payAbroad('sepa', sepaPayment({ debtorAccount: accounts.noraEur })));
    expect(en).not.toContain('Rate');
    expect(en).toMatch(/Fee [\d.]+ EUR Total 10\d\.\d\d EUR/);
    expect(nb).toMatch(/Gebyr \d+,\d\d EUR Totalt 10\d,\d\d EUR/);
  });
});

describe('A2e, S8: what is available afterwards', () => {
  test('is the balance of now less the payment, to the öre', async () => {
    // Nora has 18,000.00 in the known state.
    const { en, nb } = await lastPage((await pay(bank, { from: 'nora', to: 'shop', amount: '17999.99' })).scaId);
    expect([en, nb]).toEqual([
      expect.stringContaining('Available afterwards 0.01 NOK You'),
      expect.stringContaining('Disponibelt etterpå 0,01 kr Du'),
    ]);
  });

  test('says that the account has not enough now, or that the day is a later one', async () => {
    const later = await pay(bank, { from: 'nora', to: 'shop', amount: '18000.01' }, localDate('2027-03-31'));
    expect((await lastPage(later.scaId)).en).toContain(
      'Available afterwards -0.01 NOK There is not enough money in the account. Calculated from the amount that is available today.',
    );
  });

  test('of a bulk payment is that after all of its items, of a huge sum too', async () => {
    const bulk = await payBulk(bank, [
      { from: 'nora', to: 'shop', amount: '4999999999999.99' },
      { from: 'nora', to: 'even', amount: '4999999999999.98' },
    ]);
    const { nb } = await lastPage(bulk.scaId);
    expect(nb).toContain('2 mottakere, 9 999 999 999 999,97 kr');
    expect(nb).toContain('Disponibelt etterpå \u22129 999 999 981 999,97 kr');
  });

  test('is not told of a standing order, nor on a cancellation', async () => {
    const plan = { startDate: localDate('2027-03-31'), frequency: 'Monthly' } as const;
    const { payment, scaId } = await order(bank, { from: 'nora', to: 'shop', amount: '100.00' }, plan);
    expect((await lastPage(scaId)).en).not.toContain('Available');
    await sign(bank, payment.resource_id, 'nora');
    await remove(bank, payment.resource_id);
    expect((await lastPage(await beginSigning(bank, payment.resource_id, 'cancellation'))).en).not.toContain(
      'Available',
    );
  });

  test('A4d: is told in corporate context only to who may read the account', async () => {
    const { payment } = await pay(bank, { from: 'sigrid', to: 'shop', amount: '100.00' }, localDate('2027-03-31'));
    const seen = async (): Promise<boolean> => {
      const scaId = await beginSigning(bank, payment.resource_id, 'payment');
      return (await lastPage(scaId, people.sigrid.psu)).en.includes('Available afterwards 89,900.00 NOK');
    };
    expect(await seen()).toBe(true);
    await bank.ledger.write((tx) => tx.updateTable('engagement').set({ may_view: 0 }).execute());
    expect(await seen()).toBe(false);
  });

  test('of a basket is one sum for each account', async () => {
    const ids = [
      await pay(bank, { from: 'nora', to: 'shop', amount: '1000.00' }),
      await pay(bank, { from: 'nora', to: 'even', amount: '500.50' }),
      await pay(bank, { from: 'savings', to: 'shop', amount: '1.00' }),
    ].map(({ payment }) => payment.resource_id);
    const returnTo = { redirectUri: 'https://tpp.example/back', sessionId: null };
    const { basket } = await writeBank(bank, (writing) =>
      createSigningBasketIn(writing, { tpp, psu: {}, returnTo, paymentIds: ids }),
    );
    const command = { tpp, psu: {}, basketId: basket.resource_id, redirectUri: null, sessionId: null };
    const scaId = await writeBank(bank, (writing) => authoriseSigningBasketIn(writing, command));
    const { en } = await lastPage(scaId);
    expect(en).toContain('Available afterwards in Totalkonto 16,499.50 NOK');
    expect(en).toMatch(/Available afterwards in Regningskonto [\d,]+\.\d\d NOK/);
    const { signing } = await readSca(bank, scaId, nora);
    const subject = signing?.contexts[0].subject;
    expect(subject).toMatchObject({
      balances: [{ available: { minor: 1_649_950n } }, { account: { name: 'Regningskonto' } }],
    });
  });
});
