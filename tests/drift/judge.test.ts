import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { loadProfile, quirksOf } from '../../api/start/profile.ts';
import { choiceOf, isProblem, noQuirks, type Quirks, switched } from '../../engine/bank/rules/quirk.ts';
import type { HarEntry } from '../../scripts/drift/har-file.ts';
import { differencesOf, keyOf } from '../../scripts/drift/explain.ts';
import { documentUnder } from '../../scripts/drift/document.ts';
import { keywords } from '../../scripts/drift/fits.ts';
import { recordingOf } from '../../scripts/drift/recording.ts';
import { quirkTexts } from '../golden/banks.ts';
import { type BaseRecording, baseRecording, type Changeable, header, put, withPlanted } from './planted.ts';

type Path = readonly (string | number)[];

/** What is planted: the entry, the change, and the member and the kind by which it must be told. */
interface Plant {
  readonly at: string;
  readonly change: (entry: Changeable) => void;
  readonly tells: string;
}

const inAnswer = (at: string, path: Path, value: unknown, kind: string): Plant => ({
  at,
  change: ({ answer }) => put(answer, path, value),
  tells: `${path
    .map((name) => (typeof name === 'number' ? '[]' : `.${name}`))
    .join('')
    .slice(1)} ${kind}`,
});
const inRequest = (at: string, path: Path, value: unknown, member = path.join('.')): Plant => ({
  at,
  change: ({ sent }) => put(sent, path, value),
  tells: `request ${member} taken`,
});
const inHeader = (at: string, name: string, value?: string): Plant => ({
  at,
  change: ({ request }) => header(request.headers, name, value),
  tells: `request header ${name} taken`,
});
const booked = (name: Path, value: unknown, kind: string): Plant =>
  inAnswer('transactions', ['transactions', 'booked', 0, ...name], value, kind);

/** The plants of tests/data/drift-plants.json, in their order; some have several values. */
const published: readonly (readonly Plant[])[] = [
  [inAnswer('status', ['transactionStatus'], 'ACTV', 'value')],
  [inAnswer('status', ['transactionStatus'], 'Received', 'value')],
  [inAnswer('details', ['transactionStatus'], 'ACTV', 'value')],
  [inAnswer('payment', ['transactionStatus'], 'ZZZZ', 'value')],
  [inHeader('status', 'X-Request-ID')],
  [inHeader('status', 'Accept', 'text/html')],
  [
    {
      at: 'status',
      change: ({ request }) => void (request.url += '?verbose=true'),
      tells: 'request query verbose taken',
    },
  ],
  [inHeader('periodic', 'X-Request-ID')],
  [inHeader('periodic', 'PSU-IP-Address')],
  [inHeader('periodic', 'TPP-Redirect-URI')],
  [inRequest('periodic', ['monthsOfExecution'], [13], 'monthsOfExecution[]')],
  [inRequest('periodic', ['monthsOfExecution'], ['3', '6'], 'monthsOfExecution[]')],
  [inRequest('periodic', ['monthsOfExecution'], [])],
  [inRequest('payment', ['creditorAccount', 'bban'], '904911059910')],
  [inRequest('payment', ['creditorAccount', 'bban'], '9049.11.05991')],
  [booked(['transactionAmount', 'currency'], 'NKR', 'value')],
  [booked(['transactionAmount', 'amount'], 100, 'type')],
  [booked(['transactionAmount', 'amount'], '100,00', 'value')],
  [booked(['bookingDate'], '26.11.2026', 'value')],
  [booked(['remittanceInformationUnstructured'], 7, 'type')],
  [booked(['transactionId'], undefined, 'lost')],
  [inAnswer('transactions', ['transactions', 'pending'], {}, 'type')],
  [booked(['riskScore'], 0.3, 'added')],
  [
    inAnswer('accounts', ['accounts', 0, 'name'], undefined, 'lost'),
    inAnswer('accounts', ['accounts', 0, 'name'], 7, 'type'),
  ],
  [inAnswer('unconsented', ['_links', 'scaRedirect'], undefined, 'lost')],
  [['PATCH'], [], ['get']].map((verbs) => ({
    ...inAnswer('authorisation', ['_links', 'scaRedirect', 'verbs'], verbs, 'value'),
    tells: `_links.scaRedirect.verbs${verbs.length > 0 ? '[]' : ''} value`,
  })),
  [inAnswer('details', ['creditorName'], undefined, 'lost')],
  [inAnswer('details', ['debtorAccount'], undefined, 'lost')],
  [inAnswer('refused', ['tppMessages', 0, 'category'], 'INFO', 'value')],
  [inAnswer('refused', ['tppMessages', 0, 'code'], 'SERVICE_BLOCKED', 'value')],
  [
    {
      at: 'accounts',
      change: ({ response }) => header(response.headers, 'content-type', 'text/json'),
      tells: 'header Content-Type header',
    },
  ],
  [
    {
      at: 'account',
      change: ({ response }) => header(response.headers, 'x-request-id', '4eba4445-1a4b-47b8-bdd5-4e56ef026b19'),
      tells: 'header X-Request-ID header',
    },
  ],
  [inAnswer('balances', ['balances', 0, 'balanceType'], 'closingBooked', 'value')],
];

/** Others, by us. */
const own: readonly Plant[] = [
  { at: 'status', change: ({ response }) => void (response.status = 206), tells: 'status status' },
  {
    at: 'account',
    change: (entry) => {
      entry.response.status = 500;
      entry.answer = { error: 'down' };
    },
    tells: 'tppMessages lost error added',
  },
  { at: 'account', change: (entry) => void (entry.answer = []), tells: 'body type' },
  {
    at: 'account',
    change: ({ response }) => header(response.headers, 'x-request-id'),
    tells: 'header X-Request-ID lost',
  },
  { at: 'refused', change: ({ response }) => void (response.status = 403), tells: 'tppMessages[].code value' },
  {
    at: 'transactions',
    change: ({ request }) => void (request.url += '&limit=many'),
    tells: 'request query limit taken',
  },
  {
    at: 'transactions',
    change: ({ request }) => void (request.url = request.url.replace('both', 'all')),
    tells: 'request query bookingStatus taken',
  },
  inHeader('payment', 'Content-Type', 'text/plain'),
  inHeader('payment', 'Digest'),
  inHeader('accounts', 'Signature'),
  inHeader('accounts', 'TPP-Signature-Certificate'),
  inRequest('payment', ['creditorAccount'], undefined),
  inRequest('payment', ['instructedAmount', 'currency'], 'NKR'),
  inRequest('payment', ['colour'], 'red'),
  inAnswer('accounts', ['accounts'], null, 'type'),
  inAnswer('account', ['account', 'currency'], 'nok', 'value'),
  inAnswer('payment', ['paymentId'], 7, 'type'),
  inAnswer('payment', ['_links'], undefined, 'lost'),
  inAnswer('payment', ['_links', 'startAuthorization'], { href: '/v1', verbs: ['POST'] }, 'added'),
  inAnswer('payment', ['transactionFees', 'amount'], '1 kr', 'value'),
  inAnswer('payment', ['_links', 'self', 'href'], 7, 'type'),
  inAnswer('cards', ['cardAccounts', 0, 'maskedPan'], undefined, 'lost'),
  inAnswer('bulk details', ['payments', 1, 'creditorAccount'], undefined, 'lost'),
  inRequest('bulk', ['payments', 1, 'instructedAmount', 'amount'], '-3', 'payments[].instructedAmount.amount'),
  inAnswer('refused', ['tppMessages'], [], 'value'),
  inAnswer('refused', ['tppMessages', 0, 'text'], 'x'.repeat(513), 'value'),
];

describe.each([
  ['without a profile', undefined, []],
  ['under a profile of all quirks', 'every-quirk', []],
  [
    'under status-lag, counterparty and late-counterparty',
    undefined,
    ['status-lag=PT26S', 'counterparty=transfers', 'late-counterparty=P1D', 'lenient-headers', 'december-month'],
  ],
] as const)('%s', (_, profile, texts) => {
  let base: BaseRecording;
  let quirks: Quirks;
  beforeAll(async () => {
    base = await baseRecording({ ...(profile !== undefined && { profile }), quirks: texts });
    const own = profile === undefined ? noQuirks : quirksOf(await loadProfile(profile));
    const all = switched(own, choiceOf(texts.join(',')));
    if (isProblem(all)) throw new Error(all.problem);
    quirks = all;
  });
  const toldOf = async (plant?: Plant): Promise<string[]> => {
    const { exchanges, notJudged } = recordingOf(
      plant === undefined ? base.entries : withPlanted(base, plant.at, plant.change),
    );
    const found = await differencesOf({
      exchanges,
      quirks,
      accepted: new Set(),
      notJudged: new Set(notJudged.map((name) => name.toLowerCase())),
    });
    return [...new Set(found.map((one) => keyOf(one).replace(/^\S+ \S+ /, '')))];
  };

  test('DW2: our own recording has no difference', async () => {
    expect(await toldOf()).toEqual([]);
  });

  test.each([
    ['published', published.flat()],
    ['of ours', own],
  ])('DW1, DW3, DW5: each plant %s is told at its place, and nothing else is', async (__, plants) => {
    const told = await Promise.all(plants.map(async (plant) => [plant.at, ...(await toldOf(plant))].join(' ')));
    // Its payments have no status in their details: any word is one more.
    const isOther = (at: string, tells: string): boolean =>
      profile === 'every-quirk' && at === 'details' && tells === 'transactionStatus value';
    expect(told).toEqual(
      plants.map(({ at, tells }) => `${at} ${isOther(at, tells) ? 'transactionStatus added' : tells}`),
    );
  });
});

describe('DW1: a refusal of what the sandbox takes', () => {
  let base: BaseRecording;
  beforeAll(async () => {
    base = await baseRecording();
  });
  const refusal = (code: string, path: string) => ({ tppMessages: [{ category: 'ERROR', code, path, text: 'no' }] });
  const toldOf = async (entries: readonly unknown[], quirks = noQuirks): Promise<string[]> => {
    const { exchanges, notJudged } = recordingOf(entries);
    const lower = new Set(notJudged.map((name) => name.toLowerCase()));
    const found = await differencesOf({ exchanges, quirks, accepted: new Set(), notJudged: lower });
    return found.map((one) => keyOf(one).replace(/^\S+ \S+ /, ''));
  };
  const refused = (at: string, path: string, change: (entry: Changeable) => void = () => undefined, code?: string) =>
    withPlanted(base, at, (entry) => {
      change(entry);
      entry.response.status = 400;
      entry.answer = refusal(code ?? 'FORMAT_ERROR', path);
    });

  test.each([
    ['where nothing is wrong', 'creditorName', () => undefined, ['request creditorName refused']],
    ['where the same is wrong', 'creditorName', ({ sent }) => (sent.creditorName = 7), []],
    [
      'where something else is wrong',
      'creditorName',
      ({ sent }) => (sent.colour = 1),
      ['request creditorName refused'],
    ],
    ['of what it is in', 'creditorAccount', ({ sent }) => (sent.creditorAccount.bban = '1'), []],
    ['of a part of it', 'creditorAccount.bban', ({ sent }) => (sent.creditorAccount = 7), []],
    ['of a header', 'PSU-Context', ({ request }) => header(request.headers, 'psu-context', 'BOTH'), []],
    [
      'of another header',
      'PSU-IP-Address',
      ({ request }) => header(request.headers, 'psu-context', 'BOTH'),
      ['request PSU-IP-Address refused'],
    ],
  ] as [string, string, (entry: Changeable) => void, string[]][])('%s', async (_, path, change, told) => {
    expect(await toldOf(refused('payment', path, change))).toEqual(told);
  });

  test('DW3: a quirk that refuses another member explains it not', async () => {
    const entries = refused('payment', 'creditorName', ({ sent }) => (sent.creditorAccount.bban = '90491105992'));
    expect(await toldOf(entries)).toEqual(['request creditorName refused']);
    const mod11 = async (all: readonly unknown[]): Promise<string[]> => {
      const found = await toldOf(all, quirksOf({ quirks: { 'bban-mod11': true } }));
      // Our accounts have wrong check digits.
      return found.filter((one) => one !== 'request debtorAccount.bban taken');
    };
    expect(await mod11(entries)).toEqual(['request creditorName refused']);
    const own = refused('payment', 'creditorAccount.bban', ({ sent }) => (sent.creditorAccount.bban = '90491105992'));
    expect(await toldOf(own)).toEqual(['request creditorAccount.bban refused']);
    expect(await mod11(own)).toEqual([]);
  });

  test('DW4: of a header that the whole recording lacks it says nothing; PSU-ID and X-PSU-IDENTITY are one', async () => {
    const lacking = (entries: readonly HarEntry[], ...names: string[]) =>
      structuredClone(entries).map((entry) => {
        for (const name of names) header(entry.request.headers as never, name);
        return entry;
      });
    const samples = {
      ...{ 'Content-Type': 'application/json', Accept: '*/*', 'PSU-Context': 'CORPORATE', 'PSU-HTTP-Method': 'GET' },
      ...{ 'PSU-Geo-Location': 'GEO:59.91,10.75', 'PSU-IP-Port': '443' },
    };
    for (const [name, sample] of Object.entries(samples)) {
      const key = name.toLowerCase();
      for (const code of ['FORMAT_ERROR', 'HTTP_HEADER_REQUIRED']) {
        const lost = lacking(refused('payment', key, undefined, code), name);
        expect([name, await toldOf(lost), recordingOf(lost).notJudged]).toEqual([name, [], [name]]);
      }
      // Another call has it: then the bank asks for more than the sandbox, which needs PSU-Context beside X-PSU-IDENTITY.
      const some = withPlanted({ ...base, entries: lacking(refused('payment', key), name) }, 'consent', ({ request }) =>
        header(request.headers, name, sample),
      );
      const told = (await toldOf(some)).filter((one) => one !== 'request header PSU-Context taken');
      expect([name, told]).toEqual([name, name === 'PSU-Context' ? [] : [`request ${key} refused`]]);
    }
    expect(recordingOf(base.entries).notJudged).toEqual([]);
    const asked = refused('payment', 'psu-ip-address', undefined, 'HTTP_HEADER_REQUIRED');
    expect(await toldOf(asked)).toEqual(['request psu-ip-address refused']);
    expect(await toldOf(lacking(asked, 'psu-ip-address'))).toEqual([]);
    for (const path of ['psu-id', 'x-psu-identity']) {
      const entries = refused('payment', path);
      expect(await toldOf(entries)).toEqual([`request ${path} refused`]);
      const told = await toldOf(lacking(entries, 'psu-id', 'x-psu-identity', 'psu-context'));
      expect(told).toEqual([]);
      const some = await toldOf(lacking(entries, 'x-psu-identity'));
      expect(some.filter((one) => one !== 'request header PSU-ID taken')).toEqual([]);
      expect(some.length).toBeGreaterThan(2);
    }
  });

  test('DW2: TPP-Redirect-URI is asked for where a read begins an SCA, and refused for its form nowhere', async () => {
    const without = ({ request }: Changeable) => header(request.headers, 'TPP-Redirect-URI');
    const lacks = refused('accounts', 'tpp-redirect-uri', without, 'HTTP_HEADER_REQUIRED');
    expect(await toldOf(lacks)).toEqual([]);
    for (const [change, code] of [
      [undefined, 'HTTP_HEADER_REQUIRED'],
      [undefined, 'FORMAT_ERROR'],
    ] as const)
      expect(await toldOf(refused('accounts', 'tpp-redirect-uri', change, code))).toEqual([
        'request tpp-redirect-uri refused',
      ]);
  });
});

test('DW1: the judge knows each keyword that a document of any quirk has', async () => {
  const met = new Set<string>();
  const collect = (schema: unknown): void => {
    for (const [keyword, value] of Object.entries(Object(schema) as object)) {
      met.add(keyword);
      if (['items', 'additionalProperties', 'not', 'if', 'then', 'else'].includes(keyword)) collect(value);
      if (/^(?:any|one|all)Of$/.test(keyword)) for (const part of value as readonly unknown[]) collect(part);
      if (/roperties$/.test(keyword) && keyword !== 'additionalProperties')
        for (const part of Object.values(value as object)) collect(part);
    }
  };
  for (const text of quirkTexts) {
    const { components } = await documentUnder(quirksOf({ quirks: Object.fromEntries(choiceOf(text)) }), false);
    for (const schema of Object.values(components['schemas'] as object)) collect(schema);
  }
  expect(met.size).toBeGreaterThan(15);
  expect([...met].filter((keyword) => !keywords.has(keyword) && !keyword.startsWith('x-'))).toEqual([]);
});

test('each line of the published plants is planted', () => {
  const { plants } = JSON.parse(readFileSync('tests/data/drift-plants.json', 'utf8')) as {
    plants: { in: string; at: string }[];
  };
  expect(published).toHaveLength(plants.length);
});
