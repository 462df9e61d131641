import { beforeEach, describe, expect, test } from '@jest/globals';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { accounts, initiate, meet, nora } from '../lab/products.ts';
import { validCertificate } from '../lab/server.ts';
import { testBank } from '../support/test-bank.ts';

const bank = testBank('2027-04-14T12:00:00+02:00');
beforeEach(() => bank.control('POST', '/sandbox/reset', {}));

type Pair = readonly [from: string, to: string];

const ofNora: Pair = ['09232911044', '70323119469'];
const ofCorporation: Pair = ['34110000016', '34110000024'];
const acting = '18129215603';
const sigrid = '17818050100';

const PRIVATE = { 'psu-context': 'PRIVATE' };
const CORPORATE = { 'psu-context': 'CORPORATE' };

let amounts = 0;
let agreements = 0;
/** A payment between two accounts, of another amount each time: none is a logical duplicate. */
function between([from, to]: Pair): object {
  amounts += 1;
  return singlePayment({
    debtorAccount: { bban: from, currency: 'NOK' },
    creditorAccount: { bban: to, currency: 'NOK' },
    instructedAmount: { amount: `${amounts}.00`, currency: 'NOK' },
  });
}

/** The status with which the payment of a PSU begins: RCVD needs an SCA, PDNG none. */
async function statusOf(pair: Pair, psu: string, context: Readonly<Record<string, string>>): Promise<string> {
  return (await initiate(bank, 'domestic', between(pair), psu, context)).body.transactionStatus;
}

/** The status where the request names no context. */
async function statusWithoutContext(pair: Pair, psu: string): Promise<string> {
  const psuId = (await meet(bank, psu)).searchParams.get('psu-id') ?? '';
  const { body } = await bank.signed('POST', singlePath, { body: between(pair), headers: { 'psu-id': psuId } });
  return body.transactionStatus;
}

/** Makes an agreement in which a PSU has these roles on accounts; gives its id, which PSU-Corporate-ID takes. */
async function agree(psu: string, owner: string, roles: Readonly<Record<string, readonly string[]>>): Promise<string> {
  const engagements = Object.entries(roles).map(([bban, granted]) => ({
    customer: psu,
    account: { bban },
    roles: granted,
  }));
  agreements += 1;
  const body = { owner, name: `Agreement ${agreements}`, engagements };
  const answer = await bank.signed('POST', '/v1/sandbox/agreements', { body });
  expect(answer.status).toBe(201);
  return answer.body.agreementId;
}

describe('A5: the PSU is known to this TPP by an earlier completed SCA', () => {
  test('one that it never met signs; then it is exempt, for good', async () => {
    expect(await statusOf(ofNora, nora, PRIVATE)).toBe('RCVD');
    await meet(bank);
    expect(await statusOf(ofNora, nora, PRIVATE)).toBe('PDNG');
    await bank.advance({ by: 'P730D' });
    expect(await statusOf(ofNora, nora, PRIVATE)).toBe('PDNG');
  });

  test('by the SCA of a payment too, once it is completed', async () => {
    const { body } = await initiate(bank, 'domestic', between(ofNora));
    expect(body.transactionStatus).toBe('RCVD');
    const id = new URL(body._links.scaRedirect.href).pathname.split('/').at(-1);
    await bank.control('POST', `/sandbox/sca/${id}`, { outcome: 'cancel' });
    const again = await initiate(bank, 'domestic', between(ofNora));
    expect(again.body.transactionStatus).toBe('RCVD');
    await bank.approve(again.body);
    expect(await statusOf(ofNora, nora, PRIVATE)).toBe('PDNG');
  });

  test('a consent granted directly with the bank is none, and takes none away', async () => {
    const grant = { tpp: 'PSDNO-FSA-987654321', psu: nora };
    const { psuId } = (await bank.control('POST', '/sandbox/consents', grant)).body;
    const headers = { 'psu-id': psuId, ...PRIVATE };
    const first = await bank.signed('POST', singlePath, { body: between(ofNora), headers });
    expect(first.body.transactionStatus).toBe('RCVD');
    await meet(bank);
    await bank.control('POST', '/sandbox/consents', grant);
    expect(await statusOf(ofNora, nora, PRIVATE)).toBe('PDNG');
  });

  test('another TPP has not met it', async () => {
    await meet(bank);
    const certificate = validCertificate({ organizationIdentifier: 'PSDNO-FSA-555555555' });
    const headers = { 'x-psu-identity': nora, ...PRIVATE };
    const answer = await bank.signed('POST', singlePath, { body: between(ofNora), headers, certificate });
    expect(answer.body).toMatchObject({ transactionStatus: 'RCVD', _links: { scaRedirect: expect.anything() } });
  });
});

describe('A5: the accounts are open to the PSU in the context that the request names', () => {
  test('PRIVATE: its own accounts only; else an SCA, where A4 has the last word', async () => {
    await meet(bank, acting);
    const { body } = await initiate(bank, 'domestic', between(ofCorporation), acting, PRIVATE);
    expect(body.transactionStatus).toBe('RCVD');
    const redirect = await bank.approve(body, acting);
    expect(redirect.searchParams.get('code')).toBe('FORBIDDEN');
  });

  test('CORPORATE: not its own accounts, but those of any one agreement', async () => {
    await meet(bank);
    expect(await statusOf(ofNora, nora, CORPORATE)).toBe('RCVD');
    await meet(bank, acting);
    expect(await statusOf(ofCorporation, acting, CORPORATE)).toBe('PDNG');
    expect(await statusOf([ofCorporation[0], '34220000011'], acting, CORPORATE)).toBe('RCVD');
  });

  test('PSU-Corporate-ID: under that agreement, not under another one', async () => {
    const redirect = await meet(bank, acting, { context: 'CORPORATE' });
    const good = redirect.searchParams.get('psu-corporate-id') ?? '';
    const other = await agree(acting, '11111111', { [ofCorporation[0]]: ['REGISTER'] });
    expect(await statusOf(ofCorporation, acting, { ...CORPORATE, 'psu-corporate-id': other })).toBe('RCVD');
    expect(await statusOf(ofCorporation, acting, { ...CORPORATE, 'psu-corporate-id': good })).toBe('PDNG');
  });

  test('REGISTER on both, and two agreements do not add up', async () => {
    await meet(bank);
    const [from, to] = ofCorporation;
    await agree(nora, '11111111', { [from]: ['REGISTER'], [to]: ['VIEW'] });
    await agree(nora, '11111111', { [to]: ['VIEW', 'REGISTER'] });
    expect(await statusOf(ofCorporation, nora, CORPORATE)).toBe('RCVD');
    await agree(nora, '11111111', { [from]: ['REGISTER'], [to]: ['REGISTER'] });
    expect(await statusOf(ofCorporation, nora, CORPORATE)).toBe('PDNG');
  });

  test('no context: any one in which all of it holds', async () => {
    expect(await statusWithoutContext(ofNora, nora)).toBe('PDNG');
    expect(await statusWithoutContext(ofCorporation, acting)).toBe('PDNG');
    expect(await statusWithoutContext(ofCorporation, nora)).toBe('RCVD');
    expect(await statusWithoutContext([ofCorporation[0], '34220000011'], acting)).toBe('RCVD');
  });

  test('never exempt with several signatures: the debtor account decides', async () => {
    const [shared, single] = ['34330000017', '34330000025'] as const;
    await bank.signed('POST', '/v1/sandbox/accounts', {
      body: {
        customerNumber: '33333333',
        bban: single,
        currency: 'NOK',
        balances: [{ balanceType: 'EXPECTED', balanceAmount: { amount: 100, currency: 'NOK' } }],
      },
    });
    await agree(sigrid, '33333333', { [shared]: ['REGISTER'], [single]: ['REGISTER'] });
    await meet(bank, sigrid);
    expect(await statusOf([shared, single], sigrid, CORPORATE)).toBe('RCVD');
    expect(await statusWithoutContext([shared, single], sigrid)).toBe('RCVD');
    expect(await statusOf([single, shared], sigrid, CORPORATE)).toBe('PDNG');
  });

  test('a bulk payment is exempt when each creditor account is open', async () => {
    await meet(bank);
    const bulk = (creditors: readonly object[]) => ({
      debtorAccount: accounts.noraNok,
      payments: creditors.map((creditorAccount, index) => ({
        instructedAmount: { amount: `${index + 1}.00`, currency: 'NOK' },
        creditorName: 'Company 123',
        creditorAccount,
      })),
    });
    const path = '/v1/bulk-payments/norwegian-domestic-credit-transfers';
    const headers = { 'x-psu-identity': nora, ...PRIVATE };
    const send = async (creditors: readonly object[]): Promise<string> =>
      (await bank.signed('POST', path, { headers, body: bulk(creditors) })).body.transactionStatus;
    expect(await send([accounts.noraOther, { bban: '86620069552', currency: 'NOK' }])).toBe('PDNG');
    expect(await send([{ ...accounts.noraOther }, accounts.evenNok])).not.toBe('PDNG');
  });
});
