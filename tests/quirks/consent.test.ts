import { beforeEach, describe, expect, test } from '@jest/globals';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import type { Reply } from '../lab/server.ts';
import { cards, consentedHeaders, holder } from '../cards/card-client.ts';
import { testBankForEach } from '../support/test-bank.ts';

/* rules.md Q10b to Q10e: quirks of consents. The consent is of noon; its session is session-1. */
const scaRedirect = { href: expect.stringMatching(/\/sca\//), verbs: ['GET'] };
const noSession = { 'tpp-session-id': null };

const bank = testBankForEach('2027-03-16T12:00:00+01:00');
let headers: Readonly<Record<string, string>>;
let account: string;
beforeEach(async () => {
  headers = await consentedHeaders(bank);
  account = `/v1/accounts/${(await read('/v1/accounts')).body.accounts[0].resourceId}`;
});

async function under(quirks: object): Promise<void> {
  expect(await bank.control('PUT', '/sandbox/quirks', { quirks })).toMatchObject({ status: 200 });
}

const read = (path: string, more: Readonly<Record<string, string | null>> = {}): Promise<Reply> =>
  bank.signed('GET', path, { headers: { ...headers, ...more } });

const advance = (by: string): Promise<Reply> => bank.advance({ by });

/** `200`, or `401 CONSENT_EXPIRED` with ` SCA` if the refusal offers one. */
function told({ status, body }: Reply): string {
  if (status < 300) return String(status);
  const offered = body._links === undefined ? '' : ' SCA';
  if (offered !== '') expect(body._links).toEqual({ scaRedirect });
  return `${status} ${body.tppMessages[0].code}${offered}`;
}

describe('Q10b: full-history', () => {
  const old = 'transactions?bookingStatus=booked&dateFrom=2020-01-01';
  const history = (more: Readonly<Record<string, string | null>> = noSession): Promise<Reply> =>
    read(`${account}/${old}`, more);

  test('H31, register 38: by default it needs a live session, in which the age of the consent does not count', async () => {
    expect([told(await history({})), told(await history())]).toEqual(['200', '401 CONSENT_INVALID SCA']);
    await advance('PT1H1S');
    expect(told(await history({}))).toBe('401 CONSENT_INVALID SCA');
    await bank.pays(singlePath, singlePayment(), holder);
    expect(told(await history({}))).toBe('200');
  });

  test.each([
    ['PT60M', 'PT1H', 'PT1S'],
    ['PT10M', 'PT10M', 'PT1S'],
    ['PT24H', 'P1D', 'PT1S'],
  ])('register 38: for %s of the consent, session or not, then PERIOD_INVALID', async (value, length, more) => {
    await under({ 'full-history': value });
    expect(told(await history())).toBe('200');
    await advance(length);
    expect(told(await history())).toBe('200');
    await advance(more);
    expect(told(await history())).toBe('400 PERIOD_INVALID');
    // A session that a payment has begun opens nothing.
    await bank.pays(singlePath, singlePayment(), holder);
    const refused = await history({});
    expect(told(refused)).toBe('400 PERIOD_INVALID');
    expect(refused.body.tppMessages[0]).toMatchObject({ path: 'dateFrom' });
    const open = await read(`${account}/transactions?dateFrom=${await daysAgo(90)}`);
    expect(told(open)).toBe('200');
    expect(told(await read(`${account}/transactions?dateFrom=${await daysAgo(91)}`))).toBe('400 PERIOD_INVALID');
  });

  test('register 38: a new consent opens it again', async () => {
    await under({ 'full-history': true });
    await advance('PT2H');
    headers = await consentedHeaders(bank);
    expect(told(await history())).toBe('200');
  });

  test('register 38: one old transaction, and those of a card, too', async () => {
    const mock = { amount: -1, currency: 'NOK', bookingDate: '2026-06-01', valueDate: '2026-06-01' };
    await bank.signed('POST', account.replace('/v1', '/v1/sandbox') + '/transactions', { body: [mock] });
    const card = (await read(cards)).body.cardAccounts[0].resourceId;
    await under({ 'full-history': true });
    const [{ transactionId }] = (await history()).body.transactions.booked;
    const both = async () => [
      told(await read(`${account}/transactions/${transactionId}`, noSession)),
      told(await read(`${cards}/${card}/${old}`, noSession)),
    ];
    expect(await both()).toEqual(['200', '200']);
    await advance('PT1H1S');
    expect(await both()).toEqual(['400 PERIOD_INVALID', '400 PERIOD_INVALID']);
  });

  test('register 38, A8: without the PSU it is 90 days, however young the consent is', async () => {
    await under({ 'full-history': true });
    expect(told(await history({ 'psu-ip-address': null }))).toBe('400 PERIOD_INVALID');
  });

  test('register 38, A9c: a list that was begun in time is read to its end', async () => {
    const day = (bookingDate: string) => ({ amount: -1, currency: 'NOK', bookingDate, valueDate: bookingDate });
    const body = [day('2026-06-01'), day('2026-06-02')];
    await bank.signed('POST', account.replace('/v1', '/v1/sandbox') + '/transactions', { body });
    await under({ 'full-history': true });
    const { next } = (await read(`${account}/${old}&limit=1`, noSession)).body.transactions._links;
    await advance('PT2H');
    const page = await read(next.href, noSession);
    expect(page.body.transactions.booked).toHaveLength(1);
  });
});

/** The date this many days before today, by the bank clock. */
async function daysAgo(days: number): Promise<string> {
  const { now } = (await bank.control('GET', '/sandbox/clock')).body;
  return new Date(Date.parse(now.slice(0, 10)) - days * 86_400_000).toISOString().slice(0, 10);
}

describe('consent-days', () => {
  test.each([
    ['H34, register 42: by default 180', {}, 'P180D'],
    ['register 40: 90', { 'consent-days': true }, 'P90D'],
    ['register 40: 180', { 'consent-days': '180' }, 'P180D'],
    ['register 40: 1', { 'consent-days': '1' }, 'P1D'],
  ])('%s days after the last SCA it lapses, used or not', async (_what, quirks, days) => {
    await under(quirks);
    await advance(days);
    expect(told(await read('/v1/accounts'))).toBe('200');
    await advance('PT1S');
    expect(told(await read('/v1/accounts'))).toBe('401 CONSENT_EXPIRED SCA');
    headers = await consentedHeaders(bank);
    expect(told(await read('/v1/accounts'))).toBe('200');
  });

  test('register 40: the refusal says how many days', async () => {
    await under({ 'consent-days': '90' });
    await advance('P91D');
    expect((await read('/v1/accounts')).body.tppMessages[0].text).toContain('more than 90 days ago');
  });

  test.each(['400', '181', '0', '-1', '90.5', '1e1', '', 'P90D', 181])(
    '%j is refused with what would do',
    async (value) => {
      for (const name of ['consent-days', 'details-days']) {
        const { status, body } = await bank.quirks({ [name]: value });
        const detail = `${name}: expected a whole number of days from 1 to 180, such as 90.`;
        expect([status, body.errors]).toEqual([400, [{ path: `quirks.${name}`, detail }]]);
      }
    },
  );
});

test('Q1: a number is taken as its digits', async () => {
  const { status, body } = await bank.quirks({ 'consent-days': 90 });
  expect([status, body.quirks['consent-days']]).toEqual([200, '90']);
});

describe('Q10f: details-days', () => {
  const alone = { 'psu-ip-address': null };
  /** The details of a transaction without and with the PSU, then its list and balances without the PSU. */
  async function reads(): Promise<string[]> {
    const [one] = (await read(`${account}/transactions?bookingStatus=booked`)).body.transactions.booked;
    const details = `${account}/transactions/${one.transactionId}`;
    const all = [read(details, alone), read(details), read(`${account}/transactions`, alone)];
    return (await Promise.all([...all, read(`${account}/balances`, alone)])).map(told);
  }
  const open = ['200', '200', '200', '200'];

  test.each([
    ['by default 180', {}, 'P180D', '401 CONSENT_EXPIRED SCA'],
    ['register 39: 90', { 'details-days': true }, 'P90D', '200'],
    ['register 39: 1', { 'details-days': '1' }, 'P1D', '200'],
    [
      'Q10f: under consent-days too, what ends first: 90',
      { 'details-days': '120', 'consent-days': '90' },
      'P90D',
      '401 CONSENT_EXPIRED SCA',
    ],
  ])(
    '%s days after the last SCA details are open without the PSU, and then not',
    async (_what, quirks, days, lists) => {
      await under(quirks);
      await advance(days);
      const today = { amount: -1, currency: 'NOK', bookingDate: await daysAgo(0), valueDate: await daysAgo(0) };
      await bank.signed('POST', account.replace('/v1', '/v1/sandbox') + '/transactions', { body: [today] });
      expect(await reads()).toEqual(open);
      await advance('PT1S');
      const refused = '401 CONSENT_EXPIRED SCA';
      if (lists === refused) expect(told(await read(`${account}/transactions`, alone))).toBe(refused);
      else expect(await reads()).toEqual([refused, '200', '200', '200']);
      headers = await consentedHeaders(bank);
      expect(await reads()).toEqual(open);
    },
  );
});

test.each(['PT59S', 'PT25H', 'P2D', '60', 'P1M'])('full-history=%s is refused with what would do', async (value) => {
  const { status, body } = await bank.quirks({ 'full-history': value });
  const detail = 'full-history: expected PT1H, a duration of PT1M to PT24H.';
  expect([status, body.errors]).toEqual([400, [{ path: 'quirks.full-history', detail }]]);
});

describe('Q10d: revoked-403', () => {
  const reads = ['', '/balances', '/transactions'];
  const everyRead = async (): Promise<string[]> => {
    const paths = ['/v1/accounts', cards, ...reads.map((path) => account + path)];
    return [...new Set(await Promise.all(paths.map(async (path) => told(await read(path)))))];
  };

  async function revoke(): Promise<void> {
    const { consents } = (await bank.control('GET', '/sandbox/consents')).body;
    await bank.control('DELETE', `/sandbox/consents/${consents.at(-1).consentId}`);
  }

  test('H33, register 41: by default reading after a revocation is 401 with an SCA', async () => {
    await revoke();
    expect(await everyRead()).toEqual(['401 CONSENT_INVALID SCA']);
  });

  test('register 42: it is 403 without one, until the PSU grants a new consent', async () => {
    await under({ 'revoked-403': true });
    expect(await everyRead()).toEqual(['200']);
    await revoke();
    expect(await everyRead()).toEqual(['403 CONSENT_UNKNOWN']);
    expect(told(await read('/v1/accounts', { 'psu-ip-address': null }))).toBe('403 CONSENT_UNKNOWN');
    headers = await consentedHeaders(bank);
    expect(await everyRead()).toEqual(['200']);
  });

  test('E6d: a provoked CONSENT_UNKNOWN is what the reads get after a revocation; elsewhere it stays 400', async () => {
    const provoke = (times: number) => bank.control('POST', '/sandbox/faults', { code: 'CONSENT_UNKNOWN', times });
    await under({ 'revoked-403': true });
    await provoke(5);
    expect(await everyRead()).toEqual(['403 CONSENT_UNKNOWN']);
    expect((await bank.control('GET', '/sandbox/faults')).body.faults).toEqual([]);
    await provoke(1);
    const payment = { headers, body: singlePayment() };
    expect(told(await bank.signed('POST', singlePath, payment))).toBe('400 CONSENT_UNKNOWN');
    await under({ 'revoked-403': false });
    await provoke(1);
    expect(told(await read('/v1/accounts'))).toBe('400 CONSENT_UNKNOWN');
  });

  test('register 42: expired is 401 with an SCA, and so is a PSU who has never consented', async () => {
    await under({ 'revoked-403': true });
    await advance('P181D');
    expect(await everyRead()).toEqual(['401 CONSENT_EXPIRED SCA']);
    await revoke();
    expect(await everyRead()).toEqual(['403 CONSENT_UNKNOWN']);
    const stranger = { 'psu-id': null, 'x-psu-identity': '12085592767' };
    expect(told(await read('/v1/accounts', stranger))).toBe('401 CONSENT_INVALID SCA');
  });

  test('register 42, A7c: a PSU who approves no account has revoked', async () => {
    await under({ 'revoked-403': true });
    await consentedHeaders(bank, []);
    expect(await everyRead()).toEqual(['403 CONSENT_UNKNOWN']);
  });

  test.each([
    ['PRIVATE', ['403 CONSENT_UNKNOWN', '401 CONSENT_INVALID SCA']],
    ['CORPORATE', ['401 CONSENT_INVALID SCA', '403 CONSENT_UNKNOWN']],
  ])('register 42: a consent in %s that was revoked says nothing of the other', async (context, answers) => {
    const { tpp } = (await bank.control('GET', '/sandbox/consents')).body.consents[0];
    const grant = async (psu: string, inContext: string) =>
      (await bank.control('POST', '/sandbox/consents', { tpp, psu, context: inContext })).body;
    const own = { customerNumber: '17818050100', bban: '34110000032', currency: 'NOK' };
    expect(await bank.signed('POST', '/v1/sandbox/accounts', { body: own })).toMatchObject({ status: 201 });
    // The other signer of the agreement.
    const { corporateId } = await grant('20818850094', 'CORPORATE');
    headers = { 'psu-id': (await grant('17818050100', context)).psuId };
    await under({ 'revoked-403': true });
    await revoke();
    const corporate = await read('/v1/accounts', { 'psu-corporate-id': corporateId });
    expect([told(await read('/v1/accounts')), told(corporate)]).toEqual(answers);
  });
});

describe('Q10e: no-cards-404', () => {
  test.each([
    ['by default the list is empty', {}, '200'],
    ['register 43: the list is 404', { 'no-cards-404': true }, '404 RESOURCE_UNKNOWN'],
  ])('%s if the consent has no card', async (_what, quirks, answer) => {
    headers = await consentedHeaders(bank, ['09232911044']);
    await under(quirks);
    expect(told(await read(cards))).toBe(answer);
    expect(told(await read(`${cards}?withBalance=true`, { 'psu-ip-address': null }))).toBe(answer);
    expect(told(await read('/v1/accounts'))).toBe('200');
  });

  test('register 43: a consent with a card lists it', async () => {
    const usual = (await read(cards)).body;
    await under({ 'no-cards-404': true });
    expect([(await read(cards)).body, usual.cardAccounts.length]).toEqual([usual, 1]);
  });
});
