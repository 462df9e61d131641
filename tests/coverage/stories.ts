import { createBank } from '../../api/harness/index.ts';
import type { Bank, SendOptions } from '../../api/harness/index.ts';
import { bulkItem, bulkPath, bulkPayment, singlePath, singlePayment } from '../lab/bodies.ts';
import { anne, nora, stranger, wednesday } from '../harness/harness-bank.ts';

/** One story a situation: what a test of a client would do. None of them meets more than it must. */
export const stories: Readonly<Record<string, (bank: Bank) => Promise<unknown>>> = {
  'moved by a holiday': (bank) => bank.tpp().pay({ ...order, on: '2027-03-25' }),
  'moved by a weekend': (bank) => bank.tpp().pay({ ...order, on: '2027-04-10' }),
  'clamped month end': async (bank) => {
    await bank.tpp().pay({ ...order, on: '2027-06-01', every: 'Monthly', more: { dayOfExecution: '31' } });
    await bank.clock.advance('2027-07-01');
  },
  'ACCP then ACSC': async (bank) => {
    await bank.tpp().pay({ ...order, from: anne.bban });
    await bank.clock.advance({ runs: 1 });
    await bank.tpp().pay({ ...order, to: anne.bban });
    await bank.clock.advance({ runs: 2 });
  },
  'fifth attempt': async (bank) => {
    await bank.tpp().pay({ ...order, from: anne.bban });
    await bank.clock.advance('P8D');
  },
  'straks refused': async (bank) => {
    const body = { ...singlePayment(), debtorAccount: { bban: anne.bban, currency: 'NOK' } };
    const path = '/v1/payments/instant-norwegian-domestic-credit-transfers-straks';
    const sca = await post(bank, path, { body, headers: { 'x-psu-identity': anne.psu, 'psu-context': 'PRIVATE' } });
    await bank.psu(anne.psu).approve(sca);
  },
  'changed in another channel': async (bank) => {
    const payment = await bank.tpp().pay({ ...order, on: '2027-04-13' });
    await control(bank, 'PATCH', payment, { requestedExecutionDate: '2027-04-14' });
  },
  'cancelled in another channel': async (bank) => {
    const payment = await bank.tpp().pay({ ...order, on: '2027-04-13' });
    await control(bank, 'POST', `${encodeURIComponent(payment)}/cancel`, {});
  },
  'cancelled by SCA': async (bank) => {
    const payment = await bank.tpp().pay({ ...order, on: '2027-04-13' });
    const path = `${singlePath}/${payment}`;
    await bank.tpp().fetch(path, { method: 'DELETE' });
    await bank.psu(nora.psu).approve(await post(bank, `${path}/cancellation-authorisations`));
  },
  'SCA cancelled by the PSU': async (bank) => bank.psu(nora.psu).cancel(await offered(bank)),
  'expired SCA': async (bank) => bank.psu(nora.psu).expire(await offered(bank)),
  PART: async (bank) => {
    const body = bulkPayment([bulkItem('100.00'), bulkItem('9000000.00')]);
    await bank
      .psu(nora.psu)
      .approve(await post(bank, bulkPath, { body, headers: { 'x-psu-identity': nora.psu, 'psu-context': 'PRIVATE' } }));
    await bank.clock.advance({ runs: 1 });
  },
  PATC: async (bank) => {
    const signed = bank.tpp().pay({ ...order, from: '34330000017', signedBy: ['17818050100'] });
    await signed.catch(() => 'one signature is missing');
  },
  'consent lapsed': async (bank) => {
    const psu = await consented(bank);
    await bank.clock.advance('P181D');
    await bank.tpp().fetch('/v1/accounts', psu);
  },
  'unattended limit': async (bank) => {
    const psu = await consented(bank);
    const account = await accountOf(bank, psu);
    const alone = { headers: { ...psu.headers, 'psu-ip-address': null } };
    for (let read = 1; read <= 5; read += 1) await bank.tpp().fetch(`/v1/accounts/${account}/balances`, alone);
  },
  'pending became booked': async (bank) => {
    const psu = await consented(bank);
    const path = `/v1/accounts/${await accountOf(bank, psu)}/transactions?bookingStatus=both`;
    await bank.tpp().pay(order);
    await bank.clock.advance({ runs: 1 });
    await bank.tpp().fetch(path, psu);
    await bank.clock.advance({ runs: 1 });
    await bank.tpp().fetch(path, psu);
  },
  'reservation ended': async (bank) => {
    const psu = await consented(bank);
    const account = await accountOf(bank, psu);
    const day = '2027-03-30';
    const body = [{ amount: -10, currency: 'NOK', bookingDate: day, valueDate: day }];
    await bank.tpp().fetch(`/v1/sandbox/accounts/${account}/transactions`, { ...psu, method: 'POST', body });
    for (const passes of ['PT1H', 'P10D']) {
      await bank.clock.advance(passes);
      await bank.tpp().fetch(`/v1/accounts/${account}/transactions?bookingStatus=both`, psu);
    }
  },
  paging: async (bank) => {
    const psu = await consented(bank);
    const path = `/v1/accounts/${await accountOf(bank, psu)}/transactions?bookingStatus=booked`;
    await bank.tpp().fetch(`${path}&limit=1&offset=1`, psu);
  },
  'duplicate refused': async (bank) => {
    await initiate(bank);
    await initiate(bank);
  },
  'repeat answered': async (bank) => {
    const requestId = '0b5e6a3e-6c5f-4d2c-8a55-7a1d7c1f2a10';
    await initiate(bank, requestId);
    await initiate(bank, requestId);
  },
  'late answer': (bank) => struck(bank, { delay: 'PT0.01S', method: 'POST' }),
  'broken answer': (bank) => struck(bank, { close: true }),
};

/** Names of the behaviours that a story has met in a bank of its own. */
export async function metBy(story: (bank: Bank) => Promise<unknown>): Promise<readonly string[]> {
  const bank = await createBank({ now: wednesday });
  try {
    await story(bank);
    return await namesMet(bank);
  } finally {
    await bank.close();
  }
}

/** Names of the behaviours that were met in a bank. */
export async function namesMet(bank: Bank, tpp?: string): Promise<readonly string[]> {
  const { behaviours } = await bank.coverage(tpp === undefined ? {} : { tpp });
  return behaviours.filter(({ met }) => met).map(({ name }) => name);
}

const order = { from: nora.bban, to: stranger, amount: '250.00' };

async function post(bank: Bank, path: string, sent: SendOptions = {}): Promise<{ readonly href: string }> {
  const answer = await bank.tpp().fetch(path, { ...sent, method: 'POST' });
  const { _links: links } = (await answer.json()) as { readonly _links?: { readonly scaRedirect?: { href: string } } };
  if (links?.scaRedirect === undefined) throw new Error(`${path} answered ${answer.status}`);
  return links.scaRedirect;
}

async function initiate(bank: Bank, requestId?: string): Promise<void> {
  const headers = {
    'x-psu-identity': nora.psu,
    'psu-context': 'PRIVATE',
    ...(requestId !== undefined && { 'x-request-id': requestId }),
  };
  await bank.tpp().fetch(singlePath, { method: 'POST', body: singlePayment(), headers });
}

/** An initiation that an armed fault strikes. */
async function struck(bank: Bank, fault: object): Promise<void> {
  await bank.fetch('/sandbox/faults', { method: 'POST', body: fault });
  await initiate(bank).catch(() => undefined);
}

function offered(bank: Bank): Promise<{ readonly href: string }> {
  return post(bank, '/v1/bank-offered-consents', { headers: { 'x-psu-identity': nora.psu, 'psu-context': 'PRIVATE' } });
}

async function consented(bank: Bank): Promise<{ readonly headers: Readonly<Record<string, string>> }> {
  const { searchParams } = await bank.psu(nora.psu).approve(await offered(bank));
  return { headers: { 'psu-id': searchParams.get('psu-id') ?? '', 'psu-context': 'PRIVATE' } };
}

async function accountOf(bank: Bank, psu: SendOptions): Promise<string> {
  const answer = await bank.tpp().fetch('/v1/accounts', psu);
  const { accounts } = (await answer.json()) as { readonly accounts: readonly { readonly resourceId: string }[] };
  return accounts[0]?.resourceId ?? '';
}

async function control(bank: Bank, method: string, path: string, body: object): Promise<void> {
  const { ok, status } = await bank.fetch(`/sandbox/payments/${path}`, { method, body });
  if (!ok) throw new Error(`${method} ${path} answered ${status}`);
}
