import { beforeAll, describe, expect, test } from '@jest/globals';
import { noQuirks } from '../../engine/bank/rules/quirk.ts';
import { askAll, type Asked } from '../../scripts/drift/ask.ts';
import { checkAll, type Guesses } from '../../scripts/drift/check.ts';
import { keyOf } from '../../scripts/drift/difference.ts';
import { guessesByName, tellDrift } from '../../scripts/drift/tell.ts';
import { createBank } from '../../api/harness/create-bank.ts';
import type { HarEntry } from '../../scripts/drift/har.ts';
import { periodicPath, periodicPayment, singlePath, singlePayment } from '../lab/bodies.ts';
import { exchangesOf, Recorder, recordScenario } from '../lab/recorder.ts';
import { catalogue } from '../../api/catalogue/catalogue.ts';
import type { Json, Scenario, Step } from '../../api/catalogue/scenario.ts';
import { sameSample, someOf } from '../support/sample.ts';
import { vendorSamples } from './vendor-samples.ts';
import { type BaseRecording, baseRecording, type Planted, plantedDifferences, withPlanted } from './planted.ts';

const telling = { quirks: [], source: 'a test', today: '2026-11-23', accepted: new Set<string>() };

let base: BaseRecording;
let asked: Asked;
let guesses: Guesses;
beforeAll(async () => {
  base = await baseRecording();
  asked = await askAll(exchangesOf(base.entries), { quirks: [] });
  guesses = await guessesByName();
});

/** The kinds of differences that are told, in the order of their first places. Only the planted answers are asked about again. */
async function keysOf(planted: readonly Planted[]): Promise<string[]> {
  const exchanges = exchangesOf(withPlanted(base, planted));
  const places = planted.map(({ at }) => base.places.get(at) ?? -1);
  const again = await askAll(
    exchanges.filter((_, at) => places.includes(at)),
    { quirks: [] },
  );
  const checked = checkAll(exchanges, { quirks: noQuirks, asked: new Map([...asked, ...again]), guesses });
  return [...new Set(checked.flatMap(({ differences }) => differences.map(keyOf)))];
}

/** What only the past of the bank would tell: a run that nobody saw, a cancellation by others, an account that is gone. */
const notTold = ['settled value transactionStatus', 'cancelled value transactionStatus'];

describe('planted differences', () => {
  test('DW1: a recording of Sandbank has none', async () => {
    expect(await keysOf([])).toEqual([]);
  });

  test('DW2, DW3, DW4, DW5: 117 of 120 are named, and these are not', async () => {
    const missed: string[] = [];
    for (const planted of plantedDifferences)
      if (!(await keysOf([planted])).includes(planted.tells)) missed.push(`${planted.at} ${planted.tells}`);
    expect(missed).toEqual([...notTold, 'unknown status /v1/accounts/:accountId/transactions/:transactionId']);
    expect(plantedDifferences).toHaveLength(120);
  }, 60_000);

  test('DW1: both of two', async () => {
    const [one, other] = [plantedDifferences[4], plantedDifferences[60]];
    const keys = await keysOf([one, other].filter((planted) => planted !== undefined));
    expect(keys).toEqual(expect.arrayContaining([one?.tells, other?.tells]));
  });
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

/** Shorter recordings, for quirks that no story shows alone. */
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

/** Quirks that a recording of forty calls tells, and what shows each: a story, or the recording above. */
const quirks: readonly (readonly [quirk: string, recording: string | Scenario])[] = [
  ['status-before-approval', 'payment-quirks'],
  ['december-month', 'monthly-variable'],
  ['lenient-headers', stories.standing],
  ['bban-mod11', stories.single],
  ['id-lengths=transaction:241', 'ids-reissued'],
  ['id-lengths=transaction:69/resource:60/unpadded', 'ids-reissued'],
  ['reissued-ids=P60D', 'ids-reissued'],
  ['pending-dates=both', 'pending-looks-booked'],
  ['pending-dates=booking', 'pending-looks-booked'],
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
  ['consent-days=90', 'consent-quirks'],
  ['card-value-dates', datesWith(3, 10, 11)],
  ['revoked-403', stories.revoked],
  ['no-cards-404', 'consent-quirks'],
  ['fee-indicator', 'payment-quirks'],
  ['no-status-in-details', 'payment-quirks'],
  ['plain-json', 'payment-quirks'],
  ['status-lag=PT26S', 'status-lags'],
  ['sca-query', stories.single],
];

describe('quirks', () => {
  test.each(someOf('quirks', quirks, 4))(
    'DW7: %s is named, and a bank with it has no difference',
    async (quirk, recording) => {
      const scenario = typeof recording === 'string' ? catalogue().find(({ name }) => name === recording) : recording;
      const entries =
        scenario === undefined
          ? (await baseRecording([quirk])).entries
          : await recordScenario(scenario, { quirks: [quirk] });
      const exchanges = exchangesOf(entries);
      const told = await tellDrift(exchanges, telling);
      expect({ sameSample, quirks: told.quirks }).toEqual({
        sameSample,
        quirks: [{ quirk, fewer: expect.any(Number) }],
      });
      expect(told.differences.map((one) => one.quirk)).toEqual(told.differences.map(() => quirk));
      expect((await tellDrift(exchanges, { ...telling, quirks: [quirk] })).differences).toEqual([]);
    },
    60_000,
  );
});

const published = {
  'header content-type': 'plain-json',
  'link _links.scaRedirect.href': 'sca-query',
  'value accounts[].cashAccountType': 'new quirk',
  'value balances[].balanceType': 'new quirk',
  'form transactions.booked[].transactionId': 'id-lengths',
  'status /v1/card-accounts': 'no-cards-404',
  'form paymentId': 'id-lengths',
  'value transactionFeeIndicator': 'fee-indicator',
  'absent transactionStatus': 'no-status-in-details',
  'status /v1/payments/:product/:paymentId/status': 'status-before-approval',
};

test('DW7: what a bank published in 2022 differs as it is known to', async () => {
  const { differences } = await tellDrift(exchangesOf(vendorSamples()), telling);
  const lines = differences.map((one) => [keyOf(one), one.quirk?.split('=')[0] ?? one.meaning]);
  expect(Object.fromEntries(lines)).toEqual(published);
});

test('DW6: a value that the sandbox cannot hold is told at its path, and nothing else', async () => {
  const change = (answer: { accounts: { currency: string }[] }) =>
    void ((answer.accounts[0] ?? { currency: '' }).currency = 'nok');
  const last = base.entries.slice(0, (base.places.get('accounts') ?? 0) + 1);
  const entries = withPlanted(base, [{ at: 'accounts', change, tells: '' }]).slice(0, last.length);
  const { differences } = await tellDrift(exchangesOf(entries), telling);
  expect(differences.map(keyOf)).toEqual(['value accounts[].currency']);
});

describe('pages read by links', () => {
  test.each([
    [
      'alike transactions in the order of their posting do not change places between a list and its pages',
      'order=posting',
    ],
    ['links ask for no more than a bank gives', 'limit-cap=2'],
  ])('DW1: %s', async (_, quirk) => {
    const entries = await recordedPages([quirk], ['03', '02', '01']);
    const { differences } = await tellDrift(exchangesOf(entries), { ...telling, quirks: [quirk] });
    expect(differences.map(keyOf)).toEqual([]);
  });

  test('DW5: a second page that repeats the first is told as that, and no quirk explains it', async () => {
    const entries = [...(await recordedPages([], ['03', '02', '01']))];
    const second = entries.findIndex(({ request }) => request.url.includes('cursor='));
    const [before, repeated] = [entries[second - 1], entries[second]];
    if (before === undefined || repeated === undefined) throw new Error('the list has one page');
    const { content } = before.response;
    entries[second] = { ...repeated, response: { ...repeated.response, content } };
    const { differences, quirks } = await tellDrift(exchangesOf(entries), telling);
    expect(quirks).toEqual([]);
    expect(differences.map((one) => `${keyOf(one)}: ${String(one.recorded)}`)).toEqual([
      'page transactions.booked[]: 3 of 3 transactions are on an earlier page',
    ]);
  });
});

/** A client reads its list of transactions in pages of three, by links, before and after three more are booked, on these days of December. */
async function recordedPages(quirks: readonly string[], days: readonly string[]): Promise<HarEntry[]> {
  await using bank = await createBank({ now: '2027-01-20T12:00:00Z', quirks: quirks as never });
  const recorder = new Recorder(bank);
  const consent = await recorder.call('POST', '/v1/bank-offered-consents');
  const headers = { 'PSU-ID': await recorder.approve(consent, '13039319955', ['09232911044']) };
  const { accounts } = await recorder.call('GET', '/v1/accounts', { headers });
  const list = `/accounts/${accounts[0].resourceId}/transactions`;
  const body = days.map((day) => ({
    ...{ amount: -10, currency: 'NOK', bookingDate: `2026-12-${day}`, valueDate: '2026-12-09' },
    remittanceInformationUnstructured: 'Kiosken',
  }));
  for (let round = 0; round < 2; round += 1) {
    await recorder.call('POST', `/v1/sandbox${list}`, { body });
    await recorder.pages(`/v1${list}?bookingStatus=booked&limit=3`, headers);
  }
  return recorder.entries;
}

test('DW8: each request is sent once, whatever quirks are tried', async () => {
  const entries = withPlanted(base, [
    { at: 'accounts', response: (response) => void (response.headers = []), tells: '' },
  ]);
  const [plain, long] = [exchangesOf(entries), exchangesOf([...entries, ...entries])];
  const { differences } = await tellDrift(plain, telling);
  expect(differences.map(keyOf)).toEqual(['header content-type', 'header x-request-id']);
  expect((await tellDrift(long, telling)).replayed).toBe(2 * plain.length);
});
