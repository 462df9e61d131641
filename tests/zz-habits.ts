import { recordScenario, exchangesOf } from './lab/recorder.ts';
import { catalogue } from '../api/catalogue/catalogue.ts';
import { baseRecording } from './drift/planted.ts';
import { periodicPath, periodicPayment, singlePath, singlePayment } from './lab/bodies.ts';
import { tellDrift } from '../scripts/drift/tell.ts';
import { keyOf } from '../scripts/drift/difference.ts';
import type { Json, Scenario, Step } from '../api/catalogue/scenario.ts';
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


for (const [quirk, recording] of habits) {
  const scenario = typeof recording === 'string' ? catalogue().find(({ name }) => name === recording) : recording;
  const entries = scenario === undefined ? (await baseRecording([quirk])).entries : await recordScenario(scenario, { quirks: [quirk] });
  const ex = exchangesOf(entries);
  const told = await tellDrift(ex, { quirks: [], source: 'x', today: '2026-11-23', accepted: new Set() });
  const same = await tellDrift(ex, { quirks: [quirk], source: 'x', today: '2026-11-23', accepted: new Set() });
  console.log(told.quirks.length===1 && told.quirks[0].quirk===quirk ? 'ok ' : '-- ', quirk, JSON.stringify(told.quirks), told.differences.filter(d=>!d.quirk).map(keyOf).join('; '), 'SAME', same.differences.map(keyOf).join('; '));
}
process.exit(0);
