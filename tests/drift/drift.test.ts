import { beforeAll, describe, expect, test } from '@jest/globals';
import { Search } from '../../scripts/drift/search.ts';
import { keyOf, tellDrift } from '../../scripts/drift/tell.ts';
import { periodicPath, periodicPayment, singlePath, singlePayment } from '../lab/bodies.ts';
import { exchangesOf, recordScenario } from '../lab/recorder.ts';
import { catalogue } from '../../api/catalogue/catalogue.ts';
import type { Json, Scenario, Step } from '../../api/catalogue/scenario.ts';
import { sameSample, sample, someOf } from '../support/sample.ts';
import { vendorSamples } from './vendor-samples.ts';
import { type BaseRecording, baseRecording, type Planted, plantedDifferences, withPlanted } from './planted.ts';

const plain = { quirks: [], keeps: new Set<string>() };

const telling = { ...plain, source: 'a test', today: '2026-11-23', on: [], accepted: new Set<string>() };

let base: BaseRecording;
beforeAll(async () => {
  base = await baseRecording();
});

/** The kinds of differences that a replay tells, in the order of their first places. */
async function keysOf(planted: readonly Planted[]): Promise<string[]> {
  const exchanges = exchangesOf(withPlanted(base, planted));
  const { replayed } = await new Search(exchanges).run(plain);
  return [...new Set(replayed.flatMap(({ differences, isLost }) => (isLost ? [] : differences.map(keyOf))))];
}

describe('planted differences', () => {
  test('a recording of Sandbank has none', async () => {
    expect(await keysOf([])).toEqual([]);
  });

  test.each(someOf('planted', plantedDifferences, 2))(
    '$at: $tells',
    async (planted) => {
      const keys = await keysOf([planted]);
      const kind = planted.tells.split(' ')[0] ?? '';
      expect({ sameSample, first: keys.find((key) => key.split(' ')[0] === kind), keys }).toEqual({
        sameSample,
        first: planted.tells,
        keys,
      });
    },
    60_000,
  );

  const pairs = plantedDifferences.slice(0, 20).map((one, at) => [one, plantedDifferences[at + 40]] as const);
  test.each(someOf('pairs', pairs, 1))(
    'both of two',
    async (one, other) => {
      const keys = await keysOf([one, other].filter((planted) => planted !== undefined));
      expect({ sameSample, keys }).toEqual({ sameSample, keys: expect.arrayContaining([one.tells, other?.tells]) });
    },
    60_000,
  );
});

const nora = { 'X-PSU-IDENTITY': '13039319955', 'PSU-Context': 'PRIVATE' };

type Call = Partial<Step> & Pick<Step, 'method' | 'path'>;

/** A story of these calls. */
function storyOf(...steps: readonly Call[]): Scenario {
  const all = steps.map((step) => ({ says: 'x', expect: { status: 200 }, ...step }));
  return {
    name: 'x',
    title: 'x',
    about: 'x',
    meets: [],
    bank: { now: '2027-03-01T12:00:00+01:00' },
    steps: all,
    ends: 'x',
  };
}

const own = { 'PSU-ID': '{psuId}' };
const approval = { outcome: 'approve', psu: '13039319955', context: 'PRIVATE' };
const keepSca = { sca: { at: '_links.scaRedirect.href', match: '/sca/([^/?#]+)' } };
const consented: readonly Call[] = [
  { method: 'POST', path: '/sandbox/as/shop/v1/bank-offered-consents', keep: keepSca },
  {
    method: 'POST',
    path: '/sandbox/sca/{sca}',
    body: { ...approval, accounts: ['09232911044'] },
    keep: { psuId: { at: 'redirect', match: 'psu-id=([^&]+)' } },
  },
  {
    method: 'GET',
    path: '/sandbox/as/shop/v1/accounts',
    headers: own,
    keep: { account: { at: 'accounts.0.resourceId' } },
  },
];
const list = '/sandbox/as/shop/v1/accounts/{account}/transactions?bookingStatus=both';

/** Shorter recordings, for habits that no story shows alone. */
const stories = {
  standing: storyOf({
    method: 'POST',
    path: `/sandbox/as/shop${periodicPath}`,
    body: periodicPayment() as Json,
    headers: nora,
  }),
  single: storyOf({
    method: 'POST',
    path: `/sandbox/as/shop${singlePath}`,
    body: singlePayment() as Json,
    headers: nora,
  }),
  filtered: storyOf(
    ...consented,
    {
      method: 'POST',
      path: '/sandbox/as/shop/v1/payments/instant-norwegian-domestic-credit-transfers-straks',
      body: singlePayment() as Json,
      headers: nora,
      keep: keepSca,
    },
    { method: 'POST', path: '/sandbox/sca/{sca}', body: approval },
    { method: 'GET', path: list, headers: own },
    { method: 'GET', path: `${list}&dateFrom=2027-02-01&dateTo=2027-02-02`, headers: own },
  ),
  revoked: storyOf(
    ...consented,
    { method: 'GET', path: '/sandbox/consents', keep: { consent: { at: 'consents.0.consentId' } } },
    { method: 'DELETE', path: '/sandbox/consents/{consent}' },
    { method: 'GET', path: '/sandbox/as/shop/v1/accounts', headers: own },
  ),
};

/** The beginning of a story, and these of its steps, with whole lists. */
function datesWith(...steps: readonly number[]): Scenario {
  const scenario = catalogue().find(({ name }) => name === 'dates-of-a-bank');
  if (scenario === undefined) throw new Error('there is no dates-of-a-bank');
  const whole = (path: string): string => path.replace(/&dateFrom=.*$/, '');
  const chosen = scenario.steps.filter((_, at) => at < 3 || steps.includes(at));
  return { ...scenario, steps: chosen.map((step) => ({ ...step, path: whole(step.path) })) };
}

/** Each habit of the quirk table that forty calls show, and what shows it: a story, or the recording above. */
const habits: readonly (readonly [quirk: string, recording: string | Scenario])[] = [
  ['status-before-approval', 'payment-habits'],
  ['december-month', 'monthly-variable'],
  ['lenient-headers', stories.standing],
  ['bban-mod11', stories.single],
  ['pending-filtered', stories.filtered],
  ['id-lengths=transaction:241', 'ids-reissued'],
  ['id-lengths=transaction:69/resource:60/unpadded', 'ids-reissued'],
  ['reissued-ids=P60D', 'ids-reissued'],
  ['pending-dates=both', 'pending-looks-booked'],
  ['pending-dates=booking', 'pending-looks-booked'],
  ['pending-members=bare', 'pending-looks-booked'],
  ['rewritten-texts=P1D', 'one-purchase-twice'],
  ['text-forms=bien', 'texts-of-a-bank'],
  ['text-forms=sr', 'texts-of-a-bank'],
  ['structured-references=strings', 'texts-of-a-bank'],
  ['structured-references=joined', 'texts-of-a-bank'],
  ['bank-codes=iso', 'texts-of-a-bank'],
  ['bank-codes=proprietary', 'texts-of-a-bank'],
  ['bank-codes=none', 'base'],
  ['counterparty=transfers', 'texts-of-a-bank'],
  ['order=posting', 'texts-of-a-bank'],
  ['no-next-link', 'base'],
  ['full-history=PT1H', 'consent-habits'],
  ['consent-days=90', 'consent-habits'],
  ['details-days=30', 'consent-habits'],
  ['own-accounts-at-once', 'at-once'],
  ['same-bank-at-once=without-kid', 'at-once'],
  ['card-value-dates', datesWith(3, 10, 11)],
  ['weekend-values', datesWith(6, 7, 10, 11)],
  ['month-end-bookings', datesWith(4, 5, 8, 9)],
  ['revoked-403', stories.revoked],
  ['no-cards-404', 'consent-habits'],
  ['fee-indicator', 'payment-habits'],
  ['no-status-in-details', 'payment-habits'],
  ['plain-json', 'payment-habits'],
  ['accept-fix-dates=card-amounts:2027-04-01', 'before-a-change'],
  ['status-lag=PT26S', 'status-lags'],
];

describe('habits', () => {
  test.each(someOf('habits', habits, 2))(
    '%s is named',
    async (quirk, recording) => {
      const scenario = typeof recording === 'string' ? catalogue().find(({ name }) => name === recording) : recording;
      const entries =
        scenario === undefined
          ? (await baseRecording([quirk])).entries
          : await recordScenario(scenario, { quirks: [quirk] });
      const exchanges = exchangesOf(entries);
      const told = await tellDrift(exchanges, telling);
      const named = told.quirks.filter((one) => one.quirk === quirk);
      expect({ sameSample, named, quirks: told.quirks }).toEqual({
        sameSample,
        named: [{ quirk, fewer: expect.any(Number) }],
        quirks: [{ quirk, fewer: expect.any(Number) }],
      });
      expect(told.differences.map((one) => one.quirk)).toEqual(told.differences.map(() => quirk));
      const { replayed } = await new Search(exchanges).run({ ...plain, quirks: [quirk] });
      const before = told.differences.reduce((sum, { count }) => sum + count, 0);
      const after = replayed.reduce((sum, { differences }) => sum + differences.length, 0);
      expect(before - after).toBe(named[0]?.fewer);
    },
    60_000,
  );
});

test('amounts that were kept are compared: opening balances follow from the first read, and a wrong sum is told', async () => {
  const keeps = new Set(['amounts']);
  const same = await new Search(exchangesOf(base.entries)).run({ ...plain, keeps });
  expect(same.replayed.flatMap(({ differences }) => differences)).toEqual([]);
  const entries = withPlanted(base, [
    { at: 'later', change: (answer) => (answer.accounts[0].balances[1].balanceAmount.amount = '17000.00'), tells: '' },
  ]);
  const { replayed } = await new Search(exchangesOf(entries)).run({ ...plain, keeps });
  expect([...new Set(replayed.flatMap(({ differences }) => differences.map(keyOf)))]).toEqual([
    'value accounts[].balances[].balanceAmount.amount',
  ]);
});

test('transactions that others made are made here too: booked ones, and pending debits', async () => {
  const others = withPlanted(base, [
    {
      at: 'both',
      change: ({ transactions }) => {
        transactions.pending.push({
          transactionAmount: { amount: '-61.00', currency: 'NOK' },
          remittanceInformationUnstructured: 'Bensin',
        });
        transactions.booked.push({ ...transactions.booked.at(-1), transactionId: 'enc!!b3RoZXItMDAwMDAwMDAwMQ==' });
      },
      tells: '',
    },
  ]);
  const read = others.slice(0, (base.places.get('both') ?? 0) + 1);
  const { replayed } = await new Search(exchangesOf(read)).run(plain);
  const keys = [...new Set(replayed.flatMap(({ differences }) => differences.map(keyOf)))];
  expect(keys.filter((key) => key.endsWith('[]'))).toEqual([]);
  // What ours has beside the planted item.
  expect(keys).toContain('absent transactions.pending[].remittanceInformationUnstructuredArray');
});

const published = {
  'header content-type': 'plain-json',
  'value accounts[].cashAccountType': 'new habit',
  'value balances[].balanceType': 'new habit',
  'form transactions.booked[].transactionId': 'id-lengths',
  'status /v1/card-accounts': 'no-cards-404',
  'form paymentId': 'id-lengths',
  'value transactionFeeIndicator': 'fee-indicator',
  'link _links.self.href': 'id-lengths',
  'link _links.status.href': 'id-lengths',
  'link _links.startAuthorisation.href': 'id-lengths',
  'absent transactionStatus': 'no-status-in-details',
  'status /v1/payments/:product/:paymentId/status': 'status-before-approval',
};

// The search for habits takes ten times as long.
test.each(['in kind', ...sample('published', ['by habit'], 6)])(
  'what a bank published in 2022 differs as it is known to, %s',
  async (how) => {
    const exchanges = exchangesOf(vendorSamples());
    if (how === 'by habit') {
      const { differences } = await tellDrift(exchanges, telling);
      const lines = differences.map((one) => [keyOf(one), one.quirk?.split('=')[0] ?? one.meaning]);
      expect(Object.fromEntries(lines)).toEqual(published);
    } else {
      const { replayed } = await new Search(exchanges).run(plain);
      const keys = replayed.flatMap(({ differences }) => differences.map(keyOf));
      expect(new Set(keys)).toEqual(new Set(Object.keys(published)));
      expect(replayed.filter(({ isLost }) => isLost)).toEqual([]);
    }
  },
  120_000,
);
