import { catalogue } from '../../api/catalogue/catalogue.ts';
import { createBank } from '../../api/harness/create-bank.ts';
import { listedProfiles } from '../../api/start/profile.ts';
import type { HarEntry } from '../../scripts/drift/har.ts';
import { rewrittenEntry } from '../../scripts/drift/places.ts';
import { StandIns } from '../../scripts/drift/stand-ins.ts';
import { askAll, checkAll } from '../../scripts/drift/check.ts';
import { keyOf } from '../../scripts/drift/difference.ts';
import { guessesByName, quirksOf } from '../../scripts/drift/tell.ts';
import { noQuirks, type Quirk, quirkNames, quirks as quirkTable, quirkTexts } from '../../engine/bank/rules/quirk.ts';
import { loadProfile, quirksOf as quirksOfProfile } from '../../api/start/profile.ts';
import {
  bulkItem,
  bulkPath,
  bulkPayment,
  periodicPath,
  periodicPayment,
  singlePath,
  singlePayment,
} from '../lab/bodies.ts';
import { exchangesOf, type Answer, Recorder, type RecordingBank, recordScenario } from '../lab/recorder.ts';
import { seeded, type Seeded } from '../lab/seeded.ts';
import { anyOf, type Campaign, demand } from './campaign.ts';

/** People of the known state with accounts in kroner, and with a card. */
const people = [
  { number: '13039319955', accounts: ['09232911044', '70323119469'] },
  { number: '12085592767', accounts: ['74712699947', '24628359081'] },
  { number: '01819050062', accounts: ['34300000012'] },
] as const;
const strangers = ['90491105991', '95360573002'] as const;

/** The bank of a recording. */
interface DrawnBank extends RecordingBank {
  readonly fixtures?: string;
  readonly life?: Readonly<Record<string, string>>;
}

/** How a reader reads: page after page by link, by offset, each day anew, or each week with the details of each transaction. */
const patterns = ['links', 'offsets', 'daily', 'weekly'] as const;
type Pattern = (typeof patterns)[number];

/** What comes to a client's mind, or what a reader of this pattern does, in a bank under these habits. Returns what was recorded. */
async function recordSession(seed: number, under: DrawnBank, pattern: Pattern | null): Promise<readonly HarEntry[]> {
  const random = seeded(seed);
  const { profile, quirks, fixtures, life } = under;
  await using bank = await createBank({
    now: `2027-0${1 + random.below(9)}-1${random.below(10)}T${random.pick(['05:00', '10:15', '14:00', '22:30'])}:00Z`,
    idSeed: String(seed),
    ...(profile !== undefined && { profile }),
    ...(quirks !== undefined && { quirks: quirks as never }),
    ...(fixtures !== undefined && { fixtures: fixtures as never }),
    ...(life !== undefined && { life }),
  });
  const recorder = new Recorder(bank);
  const moves = movesOf(recorder, random);
  await moves.consent();
  if (pattern !== null) await readBy(pattern, moves, random);
  else for (let left = 8 + random.below(8); left > 0; left -= 1) await moves[random.pick(weighted)]();
  return recorder.entries;
}

async function readBy(pattern: Pattern, moves: ReturnType<typeof movesOf>, random: Seeded): Promise<void> {
  await moves.book();
  await moves.pay();
  for (let round = 0; round < 3; round += 1) {
    if (pattern === 'offsets') await moves.offsets();
    else if (pattern === 'weekly') await moves.details();
    else await moves.list();
    await moves.look();
    if (pattern === 'daily' || pattern === 'weekly') await moves.advance(pattern === 'daily' ? 'P1D' : 'P7D');
    else if (random.below(2) === 0) await moves.book();
  }
}

/** What a client does, for one PSU after the other. */
function movesOf(recorder: Recorder, random: Seeded) {
  let psu: (typeof people)[number] = people[0];
  /** Header of a read. */
  let headers: Record<string, string> = {};
  let accounts: readonly string[] = [];
  let number = 0;
  const payments: { readonly path: string; readonly psu: string }[] = [];
  const call: Recorder['call'] = (...sent) => recorder.call(...sent);
  const anyAccount = (): string => `/v1/accounts/${anyOf(random, accounts) ?? 'nothing'}`;
  /** The path of a payment of the PSU; null: there is none. */
  const anyPayment = (): string | null =>
    anyOf(
      random,
      payments.filter((made) => made.psu === psu.number),
    )?.path ?? null;
  /** The PSU signs what an answer begins, mostly, and the client reads the status when the PSU comes back. */
  const sign = async (path: string, answer: Answer): Promise<void> => {
    if (random.below(5) > 0) await recorder.approve(answer, psu.number);
    await call('GET', `${path}/status`);
  };
  return {
    consent: async () => {
      psu = random.pick(people);
      const asked = await call('POST', '/v1/bank-offered-consents');
      const granted = random.below(3) === 0 ? undefined : psu.accounts.slice(0, 1 + random.below(2));
      headers = { 'PSU-ID': await recorder.approve(asked, psu.number, granted) };
      const { accounts: found } = await call('GET', '/v1/accounts', { headers });
      accounts = (found ?? []).map(({ resourceId }: { readonly resourceId: string }) => resourceId);
    },
    pay: async () => {
      number += 1;
      const amount = `${random.pick([9, 99, 250, 30_000])}.${10 + number}`;
      const changes = {
        instructedAmount: { amount, currency: 'NOK' },
        debtorAccount: { bban: psu.accounts[0], currency: 'NOK' },
        creditorAccount: { bban: random.pick(strangers), currency: 'NOK' },
        ...(random.below(2) === 0 && { remittanceInformationUnstructured: 'Husleie' }),
      };
      const [path, body] = random.pick([
        [singlePath, singlePayment(changes)],
        [singlePath, singlePayment({ ...changes, requestedExecutionDate: '2027-11-26' })],
        ['/v1/payments/instant-norwegian-domestic-credit-transfers-straks', singlePayment(changes)],
        [periodicPath, periodicPayment({ ...changes, startDate: '2027-11-01', frequency: 'Monthly' })],
        [bulkPath, bulkPayment([bulkItem(amount), bulkItem('5.00')], { debtorAccount: changes.debtorAccount })],
      ]);
      const byNumber = { 'X-PSU-IDENTITY': psu.number, 'PSU-Context': 'PRIVATE' };
      const named = random.below(3) === 0 && headers['PSU-ID'] !== '' ? headers : byNumber;
      const own = { ...named, 'x-accept-fix': 'longer-names', 'TPP-Session-ID': 'session-1' };
      const answer = await call('POST', path, { headers: own, body });
      if (answer.paymentId === undefined) return;
      const made = { path: `${path}/${answer.paymentId}`, psu: psu.number };
      payments.push(made);
      if (random.below(4) > 0) await sign(made.path, answer);
    },
    read: async () => {
      const path = anyPayment();
      if (path !== null) await call('GET', path + random.pick(['', '/status']));
    },
    sign: async () => {
      const path = anyPayment();
      if (path !== null) await sign(path, await call('POST', `${path}/authorisations`));
    },
    remove: async () => {
      const path = anyPayment();
      const answer = path === null ? null : await call('DELETE', path);
      if (answer?._links?.startAuthorisation === undefined) return;
      await sign(path ?? '', await call('POST', `${path}/cancellation-authorisations`));
    },
    list: async () => {
      const status = random.pick(['both', 'booked', 'pending']);
      let target: string | undefined =
        `${anyAccount()}/transactions?bookingStatus=${status}&limit=${random.pick([1, 2, 3, 20])}`;
      for (let page = 0; page < 3 && target !== undefined; page += 1) {
        const answer: Answer = await call('GET', target, { headers });
        target = answer.transactions?._links?.next?.href;
      }
    },
    offsets: async () => {
      const [account, limit] = [anyAccount(), 2 + random.below(20)];
      for (let page = 0; page < 3; page += 1)
        await call('GET', `${account}/transactions?bookingStatus=booked&limit=${limit}&offset=${page * limit}`, {
          headers,
        });
    },
    details: async () => {
      const account = anyAccount();
      const answer = await call('GET', `${account}/transactions?bookingStatus=both&dateFrom=2026-12-20`, { headers });
      for (const { transactionId } of (answer.transactions?.booked ?? []).slice(0, 5))
        if (transactionId !== undefined) await call('GET', `${account}/transactions/${transactionId}`, { headers });
      const { cardAccounts = [] } = await call('GET', '/v1/card-accounts?withBalance=true', { headers });
      for (const { resourceId } of cardAccounts)
        await call(
          'GET',
          `/v1/card-accounts/${resourceId}/transactions?bookingStatus=both&limit=${1 + random.below(9)}`,
          { headers },
        );
    },
    look: async () => {
      const account = anyAccount();
      const targets = ['/v1/accounts?withBalance=true', account, `${account}/balances`, '/v1/agreements'];
      await call('GET', random.pick(targets), { headers });
    },
    book: async () => {
      const body = Array.from({ length: 1 + random.below(3) }, (_, at) => ({
        ...{ amount: -10 - at, currency: 'NOK', bookingDate: `2026-12-0${1 + at}`, valueDate: '2026-12-09' },
        remittanceInformationUnstructured: random.pick(['Kiosken', '12.12 Rema', 'Husleie desember']),
      }));
      await call('POST', `${anyAccount().replace('/v1/', '/v1/sandbox/')}/transactions`, { body });
    },
    /** A call that is refused. */
    slip: async () => {
      const [method, target, body] = random.pick<readonly [method: string, target: string, body?: object]>([
        ['GET', '/v1/nothing'],
        ['PUT', '/v1/accounts'],
        ['GET', `${singlePath}/nothing`],
        ['POST', singlePath, singlePayment({ creditorName: 7 })],
        ['POST', singlePath, singlePayment({ requestedExecutionDate: '2020-01-01' })],
        ['GET', '/v1/accounts?colour=red'],
      ]);
      await call(method, target, { headers, ...(body !== undefined && { body }) });
    },
    advance: async (by?: string) => {
      const steps = [{ by: 'PT1M' }, { runs: 1 }, { runs: 2 }, { by: 'PT5H' }, { by: 'P1D' }, { by: 'P10D' }];
      await recorder.control('/clock/advance', by === undefined ? random.pick(steps) : { by });
    },
  };
}

/** Some are drawn more often. */
const weighted: readonly (keyof ReturnType<typeof movesOf>)[] = [
  ...(['pay', 'pay', 'pay', 'read', 'read', 'list', 'list', 'look', 'sign', 'remove'] as const),
  ...(['advance', 'advance', 'book', 'slip', 'consent'] as const),
];

/**
 * Recordings of Sandbank, replayed in Sandbank, show no difference: sessions of a client under each profile in turn, and every fifth
 * recording a story, each of them without a profile and under each rich one. Every second recording has stand-ins.
 */
export const drift: Campaign = {
  unit: 'recordings',
  usualCount: 2_000,
  run: async ({ random, each, tally }) => {
    const profiles = await listedProfiles();
    const rich = profiles.filter(({ quality }) => quality === 'rich');
    const stories = [undefined, ...rich].flatMap((profile) => catalogue().map((scenario) => ({ scenario, profile })));
    const first = random.below(stories.length);
    await each(async (index) => {
      const story = index % 5 === 4 ? stories[(first + Math.floor(index / 5)) % stories.length] : undefined;
      if (story !== undefined) {
        const { quirks = [], profile: own } = story.scenario.bank;
        const id = story.profile?.id ?? own;
        const under = { quirks, ...(id !== undefined && { profile: id }) };
        const entries = replacedIn(await recordScenario(story.scenario, under), index, random);
        await demandSame(entries, under, story.scenario.name);
        return tally('stories');
      }
      const pattern =
        index % 5 === 0 ? null : (patterns[Math.floor(index / quirkNames.length) % patterns.length] ?? null);
      const under = drawnBank(index, random, profiles[index % profiles.length]?.id);
      const seed = random.below(1_000_000_000);
      const one = replacedIn(await recordSession(seed, under, pattern), index, random);
      const isDouble = random.below(6) === 0;
      const second = isDouble ? replacedIn(await recordSession(seed + 1, under, 'links'), index, random) : [];
      const entries = [...one, ...second];
      await demandSame(entries, under, `session ${seed} (${pattern})${isDouble ? ' with another one' : ''}`);
      tally('sessions');
      tally('requests', entries.length);
    });
  },
};

/** A quirk alone, two of them, a profile, or neither; any known state; a life now and then. Each quirk has its turn with each pattern. */
function drawnBank(index: number, random: Seeded, profile: string | undefined): DrawnBank {
  const withValue = (name: Quirk): string => {
    const { value } = quirkTable[name];
    return value === undefined ? name : `${name}=${random.pick([value.usual, ...value.words])}`;
  };
  // A bank under maintenance answers nothing.
  const names = quirkNames.filter((name) => name !== 'maintenance');
  const own = withValue(names[index % names.length] ?? 'order');
  const pair = [own, withValue(random.pick(names))];
  const quirks = random.pick([[own], [own], pair, []]);
  const isAlone = quirks.length === 0 || quirksOf(quirks) === null;
  const fixtures = random.pick(['known-state', 'known-state', 'twins']);
  const persona = random.pick(['family', 'student', 'shop', 'short-of-funds']);
  return {
    ...(isAlone ? profile !== undefined && { profile } : { quirks }),
    fixtures,
    // A life of a year is long in the making.
    ...(random.below(12) === 0 && fixtures === 'known-state' && { life: { '09232911044': persona } }),
  };
}

/** Every second recording as `sandbank proxy --record` writes it. */
function replacedIn(entries: readonly HarEntry[], index: number, random: Seeded): readonly HarEntry[] {
  const standIns = new StandIns(new Set(), String(random.below(2 ** 31)));
  return index % 2 === 0 ? entries : entries.map((entry) => rewrittenEntry(entry, standIns.of));
}

/** Replays entries under the settings of the bank that they were recorded from. */
async function demandSame(entries: readonly HarEntry[], under: RecordingBank, what: string): Promise<void> {
  const { profile, quirks = [] } = under;
  const exchanges = exchangesOf(entries);
  // A story of certificates has nothing to replay.
  if (exchanges.length === 0) return;
  const ofProfile = profile === undefined ? [] : quirkTexts(quirksOfProfile(await loadProfile(profile)));
  const on = [...ofProfile, ...quirks];
  const known = { asked: await askAll(exchanges, { quirks: on }), guesses: await guessesByName() };
  const checked = checkAll(exchanges, { ...known, quirks: quirksOf(on) ?? noQuirks });
  const found = checked.flatMap(({ exchange, differences }) =>
    differences.map((one) => {
      const values = [one.recorded, one.expected].map((value) => JSON.stringify(value)?.slice(0, 160)).join(' / ');
      return `${keyOf(one)} ${values} in ${exchange.number} ${exchange.method} ${exchange.target} ${exchange.status}`;
    }),
  );
  demand(found.length === 0, () => `${what} under ${profile ?? 'no profile'}: ${found.slice(0, 4).join('; ')}`);
}
