import { expect, test } from '@jest/globals';
import { norwegianIban } from '../../../engine/values/account-number.ts';
import { testBank } from '../../support/test-bank.ts';

/* While one bank works long, a colleague's bank beside it is answered: counted by its answers, as time depends on the machine. */

const now = '2027-03-24T12:00:00+01:00';
const bank = testBank(now);

/** How often a colleague's call is answered, one after the other, until the work is done. */
async function answeredDuring(
  work: Promise<unknown>,
  call: () => Promise<{ readonly status: number }>,
): Promise<number> {
  let isOver = false;
  const worked = work.finally(() => (isOver = true));
  let answered = 0;
  for (; !isOver; answered += 1) expect((await call()).status).toBe(200);
  await worked;
  return answered;
}

/** Accounts of so many people, each with a life. */
function lived(count: number): object {
  const customers = Array.from({ length: count }, (_, index) => {
    const bban = `9987${String(index).padStart(7, '0')}`;
    const account = { accountName: 'Konto', bban, iban: norwegianIban(bban), currency: 'NOK', product: 'Konto' };
    const accounts = [{ ...account, cashAccountType: 'CACC', balance: '25000.00', persona: 'pensioner' }];
    return {
      customerNumber: `130393${String(index).padStart(5, '0')}`,
      name: `Person ${index}`,
      type: 'private',
      accounts,
    };
  });
  return { customers, agreements: [] };
}

test('a reset with 120 lives lets a colleague work, from its check to its snapshot', async () => {
  await bank.control('POST', '/sandbox/banks', { name: 'colleague', now, mode: 'frozen' });
  const reset = async (): Promise<void> => {
    expect(await bank.control('POST', '/sandbox/reset', { fixtures: lived(120) })).toMatchObject({ status: 200 });
  };
  const clock = () => bank.control('GET', '/banks/colleague/sandbox/clock');
  expect(await answeredDuring(reset(), clock)).toBeGreaterThan(40);
  // The second time the lives are there: what is left is the check of the fixtures and their hash.
  expect(await answeredDuring(reset(), clock)).toBeGreaterThan(4);
}, 180_000);
