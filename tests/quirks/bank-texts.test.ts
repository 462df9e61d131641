import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { numberedText, purchaseOf, textForms } from '../../engine/accounts/rules/bank-texts.ts';
import { localDate, type LocalDate } from '../../engine/values/local-date.ts';

/* Texts of banks are described once: what a quirk writes is read by the same description. */
const day = localDate('2027-03-12');
const bought = (posted: string, otherDate: LocalDate = day) =>
  purchaseOf({
    posted,
    bookingDate: day,
    otherDate,
    charged: { amount: '-49.90', currency: 'NOK' },
    paid: { amount: '-4.50', currency: 'EUR' },
  });

test('Q5, register 26: a purchase by number is read as it was written', () => {
  const amounts = fc
    .tuple(fc.nat(99_999), fc.nat(99))
    .map(([whole, cents]) => `${whole}.${String(cents).padStart(2, '0')}`);
  fc.assert(
    fc.property(amounts, fc.stringMatching(/^[A-Z][a-z]{2,9}( [a-z]{1,9})?$/), (amount, text) => {
      const paid = { amount: `-${amount}`, currency: 'EUR' as const };
      const written = textForms.bien.card({ ...bought(text), card: '1044', isByNumber: true, paid });
      expect(numberedText.exec(written)?.groups).toEqual({ day: '12.03 ', currency: 'EUR', amount, text });
    }),
  );
});

test('register 17, 22: the day of a purchase is that of its text, else the earlier of its dates', () => {
  expect(bought('09.03 Kiosk')).toMatchObject({ day: '09.03', text: 'Kiosk' });
  expect(bought('Kiosk', localDate('2027-03-10')).day).toBe('10.03');
  expect(bought('Kiosk', localDate('2027-03-15')).day).toBe('12.03');
});
