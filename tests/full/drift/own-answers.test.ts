import { describe, expect, test } from '@jest/globals';
import { createBank } from '../../../api/harness/create-bank.ts';
import type { Profile } from '../../../api/start/config.ts';
import { listedProfile, quirksOf } from '../../../api/start/profile.ts';
import { choiceOf, noQuirks, type Quirks } from '../../../engine/bank/rules/quirk.ts';
import type { Instant } from '../../../engine/values/instant.ts';
import type { HarEntry } from '../../../scripts/drift/har-file.ts';
import { entryOf } from '../../../scripts/drift/har-file.ts';
import { keyOf } from '../../../scripts/drift/explain.ts';
import { recordingOf } from '../../../scripts/drift/recording.ts';
import { tellDrift } from '../../../scripts/drift/tell.ts';
import { quirkTexts } from '../../golden/banks.ts';
import { tellRound, tellStory } from '../../golden/story.ts';
import { Teller } from '../../golden/teller.ts';
import { StandIns } from '../../../scripts/drift/stand-ins.ts';
import { periodicPath, periodicPayment, singlePath, singlePayment } from '../../lab/bodies.ts';
import { Recorder } from '../../lab/recorder.ts';
import { oneOf, sample } from '../../support/sample.ts';
import { baseRecording } from '../../drift/planted.ts';

/* DW2: what Sandbank itself answers is no difference. */

async function differencesIn(entries: readonly unknown[], quirks: Quirks = noQuirks): Promise<readonly string[]> {
  const { differences } = await tellDrift(recordingOf(entries), { quirks, accepted: new Set() });
  return differences.map((one) => `${keyOf(one)} ${JSON.stringify(one.bank)} ${one.first.url}`);
}

/** What the calls of a golden story look like in a recording. */
async function recordGolden(profile: Profile | null, tell: (teller: Teller) => Promise<unknown>): Promise<HarEntry[]> {
  const teller = await Teller.begin(profile);
  const entries: HarEntry[] = [];
  const send = teller.bank.raw.bind(teller.bank);
  teller.bank.raw = async (method, path, headers = {}, body) => {
    const reply = await send(method, path, headers, body);
    const { body: received } = reply;
    const answer = typeof received === 'string' ? received : JSON.stringify(received ?? undefined);
    const entry = entryOf({
      ...{ method, url: `http://bank.example${path}`, status: reply.status, startedAt: 0 as Instant, took: 1 },
      rawHeaders: Object.entries(headers).flatMap(([name, value]) => (value === null ? [] : [name, String(value)])),
      body: Buffer.from(body ?? ''),
      answerHeaders: [...reply.headers].flat(),
      answer: Buffer.from(answer ?? ''),
    });
    if (typeof entry === 'string') throw new Error(entry);
    entries.push(entry);
    return reply;
  };
  try {
    await tell(teller);
  } finally {
    await teller.bank.stop();
  }
  return entries;
}

describe('DW2: golden stories', () => {
  test.each(oneOf('golden stories of drift', [null, 'bien-sparebank', 'every-quirk']))(
    'of the profile %s',
    async (id) => {
      const profile = id === null ? null : await listedProfile(id);
      const entries = await recordGolden(profile, tellStory);
      expect(entries.length).toBeGreaterThan(100);
      expect(await differencesIn(entries, profile === null ? noQuirks : quirksOf(profile))).toEqual([]);
    },
  );

  // The bank of the first one leaves within its round.
  const drawn = new Set(['leaves=P30D', ...oneOf('golden rounds of drift', quirkTexts)]);
  test.each([...drawn])('of the quirk %s', async (text) => {
    const quirks = Object.fromEntries(choiceOf(text));
    const entries = await recordGolden(null, (teller) => tellRound(teller, quirks));
    expect(await differencesIn(entries, quirksOf({ quirks }))).toEqual([]);
  });
});

test.each([['plain-json', 'leaves=P1D'], ['status-lag=PT1H'], ['sca-query', 'pending-dates=none']])(
  'DW2: a recording of the unsigned door, under %s and the like',
  async (...quirks) => {
    const { entries } = await baseRecording({ quirks }, true);
    const on = quirksOf({ quirks: Object.fromEntries(choiceOf(quirks.join(','))) });
    expect(await differencesIn(entries, on)).toEqual([]);
  },
);

test('DW1, DW2: a request to the unsigned door may lack what the door adds, and follow a link, and no more', async () => {
  const { entries, places } = await baseRecording({}, true);
  const toldOf = async (at: string, added: string, without: string): Promise<readonly string[]> => {
    const entry = entries[places.get(at) ?? -1] as HarEntry;
    const headers = entry.request.headers.filter(({ name }) => name.toLowerCase() !== without);
    const request = { ...entry.request, url: `${entry.request.url}${added}`, headers };
    const told = await differencesIn(entries.with(places.get(at) ?? -1, { ...entry, request }));
    return told.map((one) => one.replace(/^.* request /, '').replace(/ taken .*/, ''));
  };
  expect(await toldOf('transactions', '&cursor=abc', '')).toEqual([]);
  expect(await toldOf('transactions', '&verbose=true', '')).toEqual(['query verbose']);
  expect(await toldOf('accounts', '&cursor=abc', '')).toEqual(['query cursor']);
  expect(await toldOf('periodic', '', 'tpp-redirect-uri')).toEqual([]);
  expect(await toldOf('periodic', '', 'x-psu-identity')).toEqual(['header PSU-ID']);
  expect(await toldOf('periodic', '', 'x-accept-fix')).toEqual(['header x-accept-fix']);
});

test('DW2: a client that leaves out a header, or writes one wrongly, is told the same by bank and judge', async () => {
  for (const isOfDoor of [false, true]) {
    await using bank = await createBank({ now: '2027-03-01T12:00:00+01:00' });
    const recorder = new Recorder(bank, isOfDoor);
    const psuId = await recorder.approve(await recorder.call('GET', '/v1/users'), '13039319955');
    const always = { 'TPP-Session-ID': 'session-1', 'x-accept-fix': 'longer-names' };
    const calls: readonly (readonly [method: string, path: string, body?: object])[] = [
      ['GET', '/v1/accounts'],
      ['GET', '/v1/card-accounts'],
      ['GET', '/v1/agreements'],
      ['GET', '/v1/user'],
      ['GET', '/v1/accounts/1/transactions?bookingStatus=booked'],
      ['POST', '/v1/bank-offered-consents'],
      ['POST', '/v1/signing-baskets', { paymentIds: [] }],
      ['POST', periodicPath, periodicPayment()],
    ];
    const names = ['X-Request-ID', 'TPP-Redirect-URI', 'PSU-IP-Address', 'PSU-ID', 'PSU-Context', 'X-PSU-IDENTITY'];
    const all = calls.flatMap((call) =>
      [{ 'PSU-ID': psuId }, { 'X-PSU-IDENTITY': '13039319955', 'PSU-Context': 'PRIVATE' }].flatMap((psu) =>
        [...names, ...Object.keys(always), 'PSU-Corporate-ID'].flatMap((name) =>
          ['', 'x'].map((value) => ({ call, headers: { ...always, ...psu, [name]: value } })),
        ),
      ),
    );
    for (const { call, headers } of sample(`headers, of the door: ${isOfDoor}`, all, 3)) {
      const [method, path, body] = call;
      await recorder.call(method, path, { headers, body });
    }
    expect(recorder.entries.filter(({ response }) => response.status === 400).length).toBeGreaterThan(10);
    expect(await differencesIn(recorder.entries)).toEqual([]);
  }
});

test('DW2: the door adds no PSU-IP-Address in the place of an empty one, which a strict bank demands', async () => {
  const quirks = quirksOf({ quirks: { 'strict-signing': true } });
  await using bank = await createBank({ now: '2027-03-01T12:00:00+01:00', quirks: ['strict-signing'] });
  const recorder = new Recorder(bank, true);
  await recorder.call('GET', '/v1/users', { headers: { 'PSU-IP-Address': '' } });
  await recorder.call('GET', '/v1/users', { headers: { 'PSU-IP-Address': '192.0.2.1' } });
  expect(recorder.entries.map(({ response }) => response.status)).toEqual([400, 200]);
  expect(await differencesIn(recorder.entries, quirks)).toEqual([]);
});

test('DW2, DW4: what a client sends wrongly, empty or in small letters is told the same through stand-ins', async () => {
  for (const isOfDoor of [false, true]) {
    await using bank = await createBank({ now: '2027-03-01T12:00:00+01:00' });
    const recorder = new Recorder(bank, isOfDoor);
    const headers = { 'X-PSU-IDENTITY': '13039319955', 'PSU-Context': 'PRIVATE' };
    const body = singlePayment();
    await recorder.call('POST', singlePath, { headers, body });
    for (const [name, values] of Object.entries({
      'PSU-IP-Address': ['999.1.1.1', '::1', ' ', '', '10.0.0.1, 10.0.0.2'],
      'PSU-Geo-Location': ['GEO:59.91;10.75', 'GEO:99.1,10', '59.91,10.75', '', 'Oslo'],
      'PSU-Device-ID': ['4eba4445-1a4b-47b8-bdd5-4e56ef026b19', '12345', ''],
      'PSU-HTTP-Method': ['GET', 'get', ''],
      'PSU-IP-Port': ['443', '0', '65536', ''],
      'PSU-ID': ['4eba4445-1a4b-47b8-bdd5-4e56ef026b19', '12345', ''],
      'X-PSU-IDENTITY': ['130393 19955', '1303931995', '13039319955', ''],
      Accept: ['application/json', 'text/html', ''],
    }))
      for (const value of values)
        await recorder.call('POST', singlePath, { headers: { ...headers, [name]: value }, body });
    const { bban, iban } = { bban: '90491105991', iban: 'NO6290491105991' };
    for (const number of [
      { iban },
      { iban: iban.toLowerCase() },
      { iban: 'no62 9049 1105 991' },
      { iban: 'no6390491105991' },
      { bban, iban: iban.toLowerCase() },
    ])
      await recorder.call('POST', singlePath, {
        headers,
        body: singlePayment({ creditorAccount: { ...number, currency: 'NOK' } }),
      });
    const { entries } = recorder;
    expect(entries.filter(({ response }) => response.status === 400).length).toBeGreaterThan(8);
    const standIns = new StandIns();
    expect(await differencesIn(entries)).toEqual([]);
    expect(await differencesIn(entries.map((entry) => standIns.rewritten(entry)))).toEqual([]);
  }
});

test('DW2, DW4: answers of armed faults are no differences; pages of gateways are skipped and named', async () => {
  await using bank = await createBank({ now: '2027-03-01T12:00:00+01:00' });
  const recorder = new Recorder(bank, true);
  for (const fault of [
    { status: 503 },
    { status: 429 },
    { code: 'FORMAT_ERROR' },
    { code: 'HTTP_HEADER_REQUIRED' },
    { code: 'SYSTEM_ERROR' },
  ]) {
    await recorder.control('/faults', { method: 'GET', path: '/v1/users', ...fault });
    await recorder.call('GET', '/v1/users');
  }
  expect(recorder.entries.map(({ response }) => response.status)).toEqual([503, 429, 400, 400, 500]);
  expect(recordingOf(recorder.entries).skipped).toEqual([
    { entry: 1, why: 'the bank was not available (503)' },
    { entry: 2, why: 'the bank was not available (429)' },
  ]);
  expect(await differencesIn(recorder.entries)).toEqual([]);
});
