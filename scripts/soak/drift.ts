import { catalogue } from '../../api/catalogue/catalogue.ts';
import { createBank } from '../../api/harness/create-bank.ts';
import { listedProfiles } from '../../api/start/profile.ts';
import { type Exchange, exchangeOf, membersOf } from '../drift/exchange.ts';
import type { HarEntry } from '../drift/har.ts';
import { rewrittenEntry } from '../drift/places.ts';
import { StandIns } from '../drift/stand-ins.ts';
import { keyOf } from '../drift/tell.ts';
import { type Outcome, Search } from '../drift/search.ts';
import {
  bulkItem,
  bulkPath,
  bulkPayment,
  periodicPath,
  periodicPayment,
  singlePath,
  singlePayment,
} from '../lab/bodies.ts';
import { Recorder, type RecordingBank, recordScenario } from '../lab/recorder.ts';
import { seeded, type Seeded } from '../lab/seeded.ts';
import { type Campaign, demand } from './campaign.ts';

/** People of the known state with accounts in kroner, and with a card. */
const people = [
  { number: '13039319955', accounts: ['09232911044', '70323119469'] },
  { number: '12085592767', accounts: ['74712699947', '24628359081'] },
  { number: '01819050062', accounts: ['34300000012'] },
] as const;
const strangers = ['90491105991', '95360573002'] as const;

interface Made {
  readonly path: string;
  readonly sca: string | null;
  readonly psu: string;
}

/** A client that does what comes to its mind, in a bank under these habits. Returns what was recorded: about twenty requests. */
export async function recordSession(seed: number, under: RecordingBank): Promise<readonly HarEntry[]> {
  const random = seeded(seed);
  await using bank = await createBank({
    now: `2027-0${1 + random.below(9)}-1${random.below(10)}T${random.pick(['05:00', '10:15', '14:00', '22:30'])}:00Z`,
    idSeed: String(seed),
    ...(under.profile !== undefined && { profile: under.profile }),
    ...(under.quirks !== undefined && { quirks: under.quirks as never }),
  });
  const session = new Session(new Recorder(bank), random);
  await session.consent();
  const moves = 8 + random.below(8);
  for (let move = 0; move < moves; move += 1) await session.move();
  return session.recorder.entries;
}

class Session {
  readonly recorder: Recorder;
  readonly #random: Seeded;
  #psu: (typeof people)[number] = people[0];
  #psuId = '';
  #accounts: readonly string[] = [];
  readonly #payments: Made[] = [];
  #number = 0;

  constructor(recorder: Recorder, random: Seeded) {
    this.recorder = recorder;
    this.#random = random;
  }

  async move(): Promise<void> {
    const moves = [
      () => this.#pay(),
      () => this.#pay(),
      () => this.#pay(),
      () => this.#read(),
      () => this.#read(),
      () => this.#list(),
      () => this.#list(),
      () => this.#look(),
      () => this.#sign(),
      () => this.#remove(),
      () => this.#advance(),
      () => this.#advance(),
      () => this.#book(),
      () => this.#slip(),
      () => this.consent(),
    ];
    await this.#random.pick(moves)();
  }

  async consent(): Promise<void> {
    this.#psu = this.#random.pick(people);
    const asked = await this.#call('POST', '/v1/bank-offered-consents');
    const accounts = this.#psu.accounts.slice(0, 1 + this.#random.below(2));
    const redirect = await this.#answer(scaIn(asked), accounts);
    this.#psuId = new URL(redirect ?? 'http://none.test').searchParams.get('psu-id') ?? '';
    const { accounts: found } = membersOf(await this.#call('GET', '/v1/accounts', { headers: this.#own() }));
    this.#accounts = (Array.isArray(found) ? found : []).map((one) => String(membersOf(one)['resourceId']));
  }

  #own(): Record<string, string> {
    return { 'PSU-ID': this.#psuId };
  }

  async #call(
    method: string,
    target: string,
    sent: { headers?: Record<string, string>; body?: unknown } = {},
  ): Promise<unknown> {
    const { answer } = await this.recorder.send(`/sandbox/as/shop${target}`, { method, ...sent });
    return answer;
  }

  async #answer(sca: string | null, accounts?: readonly string[]): Promise<string | null> {
    if (sca === null) return null;
    const { answer } = await this.recorder.send(`/sandbox/sca/${sca}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: {
        outcome: 'approve',
        psu: this.#psu.number,
        context: 'PRIVATE',
        ...(accounts !== undefined && { accounts }),
      },
    });
    const { redirect } = membersOf(answer);
    return typeof redirect === 'string' ? redirect : null;
  }

  async #pay(): Promise<void> {
    this.#number += 1;
    const amount = `${this.#random.pick([9, 99, 250, 30_000])}.${10 + this.#number}`;
    const [debtor = ''] = this.#psu.accounts;
    const changes = {
      instructedAmount: { amount, currency: 'NOK' },
      debtorAccount: { bban: debtor, currency: 'NOK' },
      creditorAccount: { bban: this.#random.pick(strangers), currency: 'NOK' },
      ...(this.#random.below(2) === 0 && { remittanceInformationUnstructured: 'Husleie' }),
    };
    const [path, body] = this.#random.pick([
      [singlePath, singlePayment(changes)],
      [singlePath, singlePayment({ ...changes, requestedExecutionDate: '2027-11-26' })],
      ['/v1/payments/instant-norwegian-domestic-credit-transfers-straks', singlePayment(changes)],
      [periodicPath, periodicPayment({ ...changes, startDate: '2027-11-01', frequency: 'Monthly' })],
      [bulkPath, bulkPayment([bulkItem(amount), bulkItem('5.00')], { debtorAccount: changes.debtorAccount })],
    ]);
    const headers = {
      'X-PSU-IDENTITY': this.#psu.number,
      'PSU-Context': 'PRIVATE',
      'x-accept-fix': 'longer-names',
      'TPP-Session-ID': 'session-1',
    };
    const answer = await this.#call('POST', path, { headers, body });
    const { paymentId } = membersOf(answer);
    if (typeof paymentId !== 'string') return;
    const made = { path: `${path}/${paymentId}`, sca: scaIn(answer), psu: this.#psu.number };
    this.#payments.push(made);
    // A client reads the status when the PSU comes back.
    if (this.#random.below(4) === 0) return;
    await this.#answer(made.sca);
    await this.#call('GET', `${made.path}/status`);
  }

  async #read(): Promise<void> {
    const [payment] = this.#some();
    if (payment !== undefined) await this.#call('GET', payment.path + this.#random.pick(['', '/status']));
  }

  async #sign(): Promise<void> {
    const [payment] = this.#some();
    if (payment === undefined) return;
    const answer = await this.#call('POST', `${payment.path}/authorisations`);
    if (this.#random.below(3) > 0) await this.#answer(scaIn(answer));
    await this.#call('GET', `${payment.path}/status`);
  }

  async #remove(): Promise<void> {
    const [payment] = this.#some();
    if (payment === undefined) return;
    const answer = await this.#call('DELETE', payment.path);
    if (!Object.hasOwn(membersOf(membersOf(answer)['_links']), 'startAuthorisation')) return;
    const started = await this.#call('POST', `${payment.path}/cancellation-authorisations`);
    if (this.#random.below(3) > 0) await this.#answer(scaIn(started));
    await this.#call('GET', `${payment.path}/status`);
  }

  #some(): readonly Made[] {
    const own = this.#payments.filter(({ psu }) => psu === this.#psu.number);
    return own.length === 0 ? [] : [this.#random.pick(own)];
  }

  async #list(): Promise<void> {
    if (this.#accounts.length === 0) return;
    const account = this.#random.pick(this.#accounts);
    const query = `bookingStatus=${this.#random.pick(['both', 'booked', 'pending'])}&limit=${1 + this.#random.below(3)}`;
    let target = `/v1/accounts/${account}/transactions?${query}`;
    for (let page = 0; page < 3; page += 1) {
      const answer = await this.#call('GET', target, { headers: this.#own() });
      const links = membersOf(membersOf(membersOf(answer)['transactions'])['_links']);
      const { href } = membersOf(links['next']);
      if (typeof href !== 'string') return;
      target = href;
    }
  }

  async #look(): Promise<void> {
    const account = this.#accounts.length === 0 ? 'nothing' : this.#random.pick(this.#accounts);
    const target = this.#random.pick([
      '/v1/accounts?withBalance=true',
      `/v1/accounts/${account}`,
      `/v1/accounts/${account}/balances`,
      '/v1/agreements',
    ]);
    await this.#call('GET', target, { headers: this.#own() });
  }

  async #book(): Promise<void> {
    if (this.#accounts.length === 0) return;
    const account = this.#random.pick(this.#accounts);
    const body = Array.from({ length: 1 + this.#random.below(3) }, (_, at) => ({
      amount: -10 - at,
      currency: 'NOK',
      bookingDate: `2026-12-0${1 + at}`,
      valueDate: '2026-12-09',
      remittanceInformationUnstructured: this.#random.pick(['Kiosken', '12.12 Rema', 'Husleie desember']),
    }));
    await this.#call('POST', `/v1/sandbox/accounts/${account}/transactions`, { body });
  }

  async #slip(): Promise<void> {
    const wrong: readonly (readonly [method: string, target: string, body?: unknown])[] = [
      ['GET', '/v1/nothing'],
      ['PUT', '/v1/accounts'],
      ['GET', `${singlePath}/nothing`],
      ['POST', singlePath, singlePayment({ creditorName: 7 })],
      ['POST', singlePath, singlePayment({ requestedExecutionDate: '2020-01-01' })],
      ['GET', '/v1/accounts?colour=red'],
    ];
    const [method, target, body] = this.#random.pick(wrong);
    await this.#call(method, target, { headers: this.#own(), ...(body !== undefined && { body }) });
  }

  async #advance(): Promise<void> {
    await this.recorder.send('/sandbox/clock/advance', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: this.#random.pick([
        { by: 'PT1M' },
        { runs: 1 },
        { runs: 2 },
        { by: 'PT5H' },
        { by: 'P1D' },
        { by: 'P10D' },
      ]),
    });
  }
}

function scaIn(answer: unknown): string | null {
  const { href } = membersOf(membersOf(membersOf(answer)['_links'])['scaRedirect']);
  return typeof href === 'string' ? (new URL(href).pathname.split('/').at(-1) ?? null) : null;
}

/** The exchanges of entries that were never written to a file. */
export function exchangesOf(entries: readonly HarEntry[]): Exchange[] {
  return entries.map((entry, at) => exchangeOf(entry, at + 1)).filter((one) => typeof one !== 'string');
}

/** Replays entries under the settings of the bank that they were recorded from. */
export function replayUnder(entries: readonly HarEntry[], { profile, quirks = [] }: RecordingBank): Promise<Outcome> {
  const settings = { quirks, keeps: new Set<string>(), ...(profile !== undefined && { profile }) };
  return new Search(exchangesOf(entries)).run(settings);
}

/** The first differences of a replay, in words; empty: there are none. */
export function differencesIn({ replayed }: Outcome): string {
  return replayed
    .flatMap(({ exchange, answered, differences }) =>
      differences.map((one) => {
        const values = [one.recorded, one.replayed].map((value) => JSON.stringify(value)?.slice(0, 80)).join(' / ');
        const statuses = `${exchange.status}/${answered.status}`;
        return `${keyOf(one)} ${values} in ${exchange.number} ${exchange.method} ${exchange.target} ${statuses}`;
      }),
    )
    .slice(0, 4)
    .join('; ');
}

/**
 * Recordings of Sandbank, replayed in Sandbank, show no difference: sessions of a client under each profile in turn, and every fifth
 * recording a story, each of them without a profile and under each rich one. Every second recording has stand-ins.
 */
export const drift: Campaign = {
  unit: 'recordings',
  usualCount: 1_250,
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
      const profile = profiles[index % profiles.length];
      const seed = random.below(1_000_000_000);
      const under = index % 3 === 0 || profile === undefined ? {} : { profile: profile.id };
      const entries = replacedIn(await recordSession(seed, under), index, random);
      await demandSame(entries, under, `session ${seed}`);
      tally('sessions');
      tally('requests', entries.length);
    });
  },
};

/** Every second recording as `sandbank proxy --record` writes it. */
function replacedIn(entries: readonly HarEntry[], index: number, random: Seeded): readonly HarEntry[] {
  const standIns = new StandIns(new Set(), String(random.below(2 ** 31)));
  return index % 2 === 0 ? entries : entries.map((entry) => rewrittenEntry(entry, standIns.of));
}

async function demandSame(entries: readonly HarEntry[], under: RecordingBank, what: string): Promise<void> {
  // A story of certificates has nothing to replay.
  if (exchangesOf(entries).length === 0) return;
  const found = differencesIn(await replayUnder(entries, under));
  demand(found === '', () => `${what} under ${under.profile ?? 'no profile'}: ${found}`);
}
