import { expect, test } from '@jest/globals';
import { openControl } from '../control/control-client.ts';
import { memoryBank } from '../lab/bank.ts';
import { statementsOf, transactionsOf } from '../support/count-statements.ts';
import { pay, people } from '../lab/payments.ts';
import { answer, openPage, openPages, type Pages } from './pages.ts';

const now = '2027-03-24T12:00:00+01:00';
const psu = people.nora.psu;
const toShop = (amount: string) => ({ from: 'nora', to: 'shop', amount }) as const;
const maxStatements = 12;

test('the approval of a single payment in one call: at most 12 statements, none twice, for a PSU that is known too', async () => {
  await using control = await openControl(now);
  for (const amount of ['1.00', '2.00']) {
    const { scaId } = await pay(control.bank, toShop(amount));
    let status = 0;
    const statements = await statementsOf(control.bank, async () => {
      const approval = { outcome: 'approve', psu, context: 'PRIVATE' };
      status = (await control.post(`/sandbox/sca/${scaId}`, approval)).status;
    });
    expect(status).toBe(200);
    expect(statements.length).toBeGreaterThan(5);
    expect(statements.slice(maxStatements)).toEqual([]);
    expect(new Set(statements).size).toBe(statements.length);
  }
});

test('on the page every answer is one transaction, and the approval at most 12 statements', async () => {
  await using bank = await memoryBank(now);
  await using pages: Pages = await openPages(bank);
  const begin = async (amount: string): Promise<string> => {
    const { scaId } = await pay(bank, toShop(amount));
    return `${pages.address}/${scaId}`;
  };
  const first = await openPage(await begin('1.00'));
  let page = first;
  const identify = async (): Promise<void> => {
    page = await answer(first, { action: 'identify', psu });
  };
  expect(await transactionsOf(bank, () => openPage(first.url))).toBe(1);
  // The answer, and the page that it redirects to.
  expect(await transactionsOf(bank, identify)).toBe(2);
  expect(await transactionsOf(bank, () => openPage(page.url))).toBe(1);
  let approved = page;
  const approve = async (): Promise<void> => {
    approved = await answer(page, { action: 'approve' });
  };
  const statements = await statementsOf(bank, approve);
  expect(approved.headers.get('location')).toContain('psu-id=');
  expect(statements.slice(maxStatements)).toEqual([]);
  for (const form of [{ action: 'approve' }, { action: 'cancel' }]) {
    const other = await answer(await openPage(await begin(`${form.action.length}.00`)), { action: 'identify', psu });
    expect(await transactionsOf(bank, () => answer(other, form))).toBe(1);
  }
});
