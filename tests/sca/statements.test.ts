import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { singlePath, singlePayment } from '../support/bodies.ts';
import { statementsOf, transactionsOf } from '../support/count-statements.ts';
import { startTestBank, type TestBank } from '../support/server.ts';
import { answer, openPage } from './pages.ts';

const psu = '13039319955';
const approval = { outcome: 'approve', psu, context: 'PRIVATE' };
let server: TestBank;
beforeEach(async () => {
  server = await startTestBank('2027-03-24T12:00:00+01:00');
});
afterEach(() => server.stop());

/** Initiates a payment; the address of its SCA page. */
async function begin(amount = '1.00'): Promise<string> {
  const headers = { 'x-psu-identity': psu, 'psu-context': 'PRIVATE' };
  const body = singlePayment({ instructedAmount: { amount, currency: 'NOK' } });
  return (await server.signed('POST', singlePath, { body, headers })).body._links.scaRedirect.href;
}

const isApproved = (page: Response): boolean => (page.headers.get('location') ?? '').includes('psu-id=');

const most = 12;

test('the approval of a single payment in one call: at most 12 statements, for a PSU that is known too', async () => {
  for (const amount of ['1.00', '2.00']) {
    const id = new URL(await begin(amount)).pathname.split('/').at(-1) ?? '';
    let status = 0;
    const statements = await statementsOf(server.bank, async () => {
      status = (await server.control('POST', `/sandbox/sca/${id}`, approval)).status;
    });
    expect(status).toBe(200);
    expect(statements.length).toBeGreaterThan(5);
    expect(statements.slice(most)).toEqual([]);
    expect(new Set(statements).size).toBe(statements.length);
  }
});

test('the approval on the page: at most 12 statements, in one transaction', async () => {
  for (const count of [statementsOf, transactionsOf]) {
    const page = await answer(await openPage(await begin(count === statementsOf ? '1.00' : '2.00')), {
      action: 'identify',
      psu,
    });
    let approved = page;
    const counted = await count(server.bank, async () => {
      approved = await answer(page, { action: 'approve' });
    });
    expect(isApproved(approved)).toBe(true);
    if (typeof counted === 'number') expect(counted).toBe(1);
    else expect(counted.slice(most)).toEqual([]);
  }
});

test('each page and each step is one transaction', async () => {
  const href = await begin();
  const count = (work: () => Promise<unknown>): Promise<number> => transactionsOf(server.bank, work);
  let page = await openPage(href);
  expect(await count(() => openPage(href))).toBe(1);
  expect(
    await count(async () => {
      page = await answer(page, { action: 'identify', psu });
    }),
  ).toBe(2); // The step, and the page that it redirects to.
  expect(await count(() => openPage(page.url))).toBe(1);
  expect(await count(() => answer(page, { action: 'cancel' }))).toBe(1);
});
