import { describe, expect, test } from '@jest/globals';
import { statementForAll } from './statement.ts';

/* rules.md Q5: the texts of transactions. */
const statement = statementForAll();

const text = 'remittanceInformationUnstructured';

/** The texts of the booked transaction of this amount, in the list and in its details. */
async function textsOf(amount: string): Promise<unknown> {
  const listed = await statement.one(amount);
  const read = await statement.details(listed.transactionId);
  expect([read[text], read[`${text}Array`]]).toEqual([listed[text], listed[`${text}Array`]]);
  expect(listed[`${text}Array`]?.[0]).toBe(listed[text]);
  return listed[`${text}Array`] ?? [];
}

const digits = expect.stringMatching(/^\*\d{4} /);

describe('Q5c, Q5j: text-forms', () => {
  test.each([
    ['17: a card purchase', '-49.90', ['Kiosken Torget'], ['KIOSKEN TORGET'], ['16.03 KIOSKEN TORGET']],
    ['17, 24: one whose text has its day', '-79.00', ['12.03 Bokhandelen'], ['BOKHANDELEN'], ['12.03 BOKHANDELEN']],
    ['26: one by number', '-120.00', ['Kafeen'], ['KAFEEN'], ['16.03 NOK 120.00 Kafeen Kurs: 1.0000']],
    [
      '26: one abroad',
      '-1165.50',
      ['Supermercado Sol'],
      ['SUPERMERCADO SOL'],
      ['15.03 EUR 100.00 Supermercado Sol Kurs: 11.6550'],
    ],
    ['17: a refund without text', '30.00', [], ['KIOSKEN'], ['16.03 KIOSKEN']],
    ['28: a transfer out', '-11.00', ['Husleie'], ['Husleie'], ['Til: Company 123']],
    ['28: a payment abroad', '-1183.05', [], [], ['Til: Company 123']],
    [
      '28: a transfer in',
      '250.00',
      ['Takk  for sist'],
      ['Takk  for sist'],
      ['Fra: Ola Nordmann Betalt: 16.03.27', 'Takk  for sist'],
    ],
    ['28: a salary', '30000.00', ['Lønn'], ['Lønn'], ['Fra: Verket AS']],
    ['29: a KID payment', '-12.00', [], [], ['Til: Company 123']],
    [
      '27: the fee of a payment',
      '-5.00',
      ['Gebyr for betaling til Company 123'],
      ['Gebyr for betaling til Company 123'],
      ['Gebyr utenlandsbetaling        1 (stk)      5.00'],
    ],
    ['27: a fee in columns', '-40.00', ['Årspris    1    40.00'], ['Årspris    1    40.00'], ['Årspris    1    40.00']],
    ['27: a fee without text', '-41.00', [], [], ['Gebyr                          1 (stk)     41.00']],
    ['none: a transfer that names nobody', '-60.00', ['Sparing'], ['Sparing'], ['Sparing']],
    ['none: a credit of unknown kind', '1.50', ['Kredittrente'], ['Kredittrente'], ['Kredittrente']],
    ['none: a batch', '-300.00', [], [], []],
  ])('register %s', async (_what, amount, usual, sr, bien) => {
    await statement.under({});
    expect(await textsOf(amount)).toEqual(usual);
    await statement.under({ 'text-forms': 'sr' });
    expect(await textsOf(amount)).toEqual(sr);
    await statement.under({ 'text-forms': 'bien' });
    const shown = (await textsOf(amount)) as string[];
    expect(shown.map((each) => each.replace(/^\*\d{4} /, ''))).toEqual(bien);
  });

  test('register 26: the text by number begins with four digits of the card, the same for the whole account', async () => {
    await statement.under({ 'text-forms': 'bien' });
    const shown = [await statement.one('-120.00'), await statement.one('-1165.50')].map((item) => item[text]);
    expect(shown).toEqual([digits, digits]);
    expect(new Set(shown.map((each) => each.slice(0, 5))).size).toBe(1);
    const { originalAmount, ...purchase } = await statement.one('-1165.50');
    expect([originalAmount, purchase.transactionAmount.amount]).toEqual([undefined, '-1165.50']);
    expect(await statement.one('-1183.05')).toMatchObject({ originalAmount: { amount: '-100.00' } });
  });

  test('register 29: a KID payment has a text and a structured reference together', async () => {
    const reference = { remittanceInformationStructuredArray: [{ reference: '2345676', referenceType: 'SCOR' }] };
    await statement.under({});
    const usual = await statement.one('-12.00');
    expect([usual[text], usual]).toMatchObject([undefined, reference]);
    await statement.under({ 'text-forms': 'bien' });
    expect(await statement.one('-12.00')).toMatchObject({ ...reference, [text]: 'Til: Company 123' });
  });

  test('register 28: each transfer of a batch that the account paid says to whom', async () => {
    const entries = async () => (await statement.details((await statement.one('-300.00')).transactionId)).entryDetails;
    await statement.under({});
    expect((await entries()).map((part: Record<string, string>) => part[text])).toEqual(['Hei', undefined]);
    await statement.under({ 'text-forms': 'bien' });
    expect((await entries()).map((part: Record<string, string>) => part[text])).toEqual(['Til: Kari', 'Til: Ola']);
  });

  test('register 17: the text of a transaction on a card account', async () => {
    const texts = async () => {
      const { booked, pending } = await statement.cardList();
      return [...booked, ...pending].map(({ transactionDetails }) => transactionDetails);
    };
    await statement.under({});
    expect(await texts()).toEqual(['Supermercado', 'Farmacia']);
    await statement.under({ 'text-forms': 'sr' });
    expect(await texts()).toEqual(['SUPERMERCADO', 'Farmacia']);
    await statement.under({ 'text-forms': 'bien' });
    expect(await texts()).toEqual([
      '*1234 15.03 EUR 100.00 Supermercado Kurs: 11.6550',
      '*1234 16.03 EUR 100.00 Farmacia Kurs: 11.6550',
    ]);
  });
});

describe('Q5d: rewritten-texts', () => {
  const purchases = ['-49.90', '-79.00', '-120.00', '30.00'];
  const seen = async () => {
    const { booked, pending } = await statement.cardList();
    const cards = [...booked, ...pending].map(({ transactionDetails }) => transactionDetails);
    const texts = await Promise.all(purchases.map(async (amount) => (await textsOf(amount)) as string[]));
    return [...texts.map(([first = '']) => first.replace(/^\*\d{4}/, '*')), ...cards];
  };

  test.each([
    [
      'a purchase that was posted without its day',
      {},
      ['16.03 Kiosken Torget', '12.03 Bokhandelen', '16.03 Kafeen', '', '15.03 Supermercado', 'Farmacia'],
      ['Kiosken Torget', 'Bokhandelen', 'Kafeen', '', 'Supermercado', 'Farmacia'],
    ],
    [
      'a form with the day',
      { 'text-forms': 'bien' },
      [
        '16.03 KIOSKEN TORGET',
        '12.03 BOKHANDELEN',
        '* 16.03 NOK 120.00 Kafeen Kurs: 1.0000',
        '16.03 KIOSKEN',
        '*1234 15.03 EUR 100.00 Supermercado Kurs: 11.6550',
        '*1234 16.03 EUR 100.00 Farmacia Kurs: 11.6550',
      ],
      [
        'KIOSKEN TORGET',
        'BOKHANDELEN',
        '* NOK 120.00 Kafeen Kurs: 1.0000',
        'KIOSKEN',
        '*1234 EUR 100.00 Supermercado Kurs: 11.6550',
        '*1234 16.03 EUR 100.00 Farmacia Kurs: 11.6550',
      ],
    ],
  ])('register 2: %s', async (_what, quirks, before, after) => {
    // Booked on 2027-03-16, read at 13:45 on the day after: exactly 37 hours and three quarters later.
    await statement.under({ ...quirks, 'rewritten-texts': 'PT37H45M1S' });
    const fresh = (await seen()).map((each) => each.replace(/^\*(?= )/, '*'));
    await statement.under({ ...quirks, 'rewritten-texts': 'PT37H45M' });
    expect([fresh, await seen()]).toEqual([before, after]);
  });

  test('register 2: transfers and fees keep their texts', async () => {
    const others = ['-11.00', '250.00', '30000.00', '-5.00', '-40.00', '1.50', '-300.00'];
    const texts = async () => Promise.all(others.map(textsOf));
    await statement.under({});
    const usual = await texts();
    for (const span of ['PT37H45M1S', 'PT37H45M']) {
      await statement.under({ 'rewritten-texts': span });
      expect(await texts()).toEqual(usual);
    }
  });
});
