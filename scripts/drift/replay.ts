import { createHash } from 'node:crypto';
import { createBank } from '../../api/harness/create-bank.ts';
import type { Bank } from '../../api/harness/types.ts';
import { ConfigError } from '../../api/start/config.ts';
import { reasonOf } from '../../api/start/error-text.ts';
import { testTppId } from '../../api/signing/test-tpp.ts';
import { formatInstant, type Instant } from '../../engine/values/instant.ts';
import { unescaped } from '../../engine/values/text.ts';
import { type Answered, compareAnswers, type Comparison, type Difference } from './compare.ts';
import { bodyOf, type Implied, type LedgerGuess, psuKeyOf } from './implied.ts';
import { codeOf, type Exchange, itemsOf, type Members, membersOf, parsed } from './exchange.ts';
import { type Act, grantedIn, scaOf } from './acts.ts';

/** The settings of the bank of a replay. */
export interface ReplaySettings {
  readonly profile?: string | object;
  readonly quirks: readonly string[];
  /** The kinds of values that the recording did not replace. */
  readonly keeps: ReadonlySet<string>;
}

/** An exchange as it went in our bank. */
export interface Replayed {
  readonly exchange: Exchange;
  readonly answered: Answered;
  readonly differences: readonly Difference[];
  /** Its request has an id that an earlier answer of ours should have had. */
  readonly isLost: boolean;
}

/** What people and the bank did between the requests. `before`: the index of the next exchange. */
export type Plan = readonly { readonly before: number; readonly act: Act }[];

/** An SCA of our bank. */
interface OpenSca {
  /** Index of the exchange that offered it. */
  readonly birth: number;
  readonly id: string;
  isOver: boolean;
}

/** The interface as a TPP that the recording does not have. */
const another = '/as/drift/v1';

/** Headers that the door, the bank or the connection sets, or that tell of another connection. */
const notSent =
  /^(?::|date$|digest$|signature$|tpp-signature-certificate$|host$|content-length$|connection$|keep-alive$|transfer-encoding$|te$|trailer$|upgrade$|expect$|accept-encoding$|authorization$|proxy-|cookie$|sandbank-control-token$)/;
const offered = ['x-request-id', 'tpp-redirect-uri', 'psu-ip-address'];

/**
 * One life of a bank in memory: the exchanges of a recording happen in order, and between them the acts of a plan. It opens no
 * connection: requests go through the unsigned door over streams of this process.
 */
export class Replay implements AsyncDisposable {
  readonly #bank: Bank;
  readonly #exchanges: readonly Exchange[];
  readonly #implied: Implied;
  readonly #settings: ReplaySettings;
  #now: number;
  readonly #tpps: readonly string[];
  /** Recorded texts, and our texts in their place. */
  readonly #ours = new Map<string, string>();
  /** By {@link Pair} path and our text: what the recording had in its place last. */
  readonly #theirs = new Map<string, string>();
  /** Texts of recorded answers that our answers have no counterpart of. */
  readonly #missing = new Set<string>();
  readonly #scas: OpenSca[] = [];
  /** The last answers to each read: their scalar values by place, recorded and ours. */
  readonly #reads = new Map<string, { readonly recorded: Leaves; readonly replayed: Leaves }>();

  private constructor(
    bank: Bank,
    { exchanges, implied }: { readonly exchanges: readonly Exchange[]; readonly implied: Implied },
    settings: ReplaySettings,
  ) {
    this.#bank = bank;
    this.#exchanges = exchanges;
    this.#implied = implied;
    this.#settings = settings;
    this.#now = exchanges[0]?.at ?? 0;
    this.#tpps = [...new Set(exchanges.map(({ tpp }) => tpp))];
  }

  /** Opens the bank. Throws an Error for settings that cannot be. */
  static async open(
    recording: { readonly exchanges: readonly Exchange[]; readonly implied: Implied },
    settings: ReplaySettings,
    ledger: LedgerGuess,
  ): Promise<Replay> {
    const { profile, quirks } = settings;
    const bank = await createBank({
      now: formatInstant((recording.exchanges[0]?.at ?? 0) as Instant),
      fixtures: recording.implied.fixtures(ledger) as never,
      quirks: quirks as never,
      idSeed: 'drift',
      ...(profile !== undefined && { profile }),
    });
    return new Replay(bank, recording, settings);
  }

  /** Does the acts, moves the clock and sends the request of an exchange. Throws a ConfigError for one that gets no answer. */
  async step(index: number, acts: readonly Act[]): Promise<Replayed> {
    const exchange = this.#exchanges[index];
    if (exchange === undefined) throw new RangeError(`there is no exchange ${index}`);
    for (const act of acts) await this.#act(act);
    await this.#identify(exchange, index);
    this.#nameOurs(exchange);
    await this.#moveTo(exchange.at);
    const { answered, isLost } = await this.#send(exchange);
    const comparison = compareAnswers(exchange, answered, this.#settings.keeps);
    const changed = this.#learn(exchange, answered, comparison);
    this.#noteSca(exchange, answered, index);
    return { exchange, answered, isLost, differences: [...comparison.differences, ...changed] };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#bank.close();
  }

  async #moveTo(at: number): Promise<void> {
    if (at <= this.#now) return;
    this.#now = at;
    await this.#control('POST', '/clock/advance', { to: formatInstant(at as Instant) });
  }

  /** Calls the control plane, or the interface through its unsigned door. */
  #call(
    method: string,
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    return this.#bank.fetch(`/sandbox${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }

  /** The members of the answer of {@link #call}. */
  async #control(method: string, path: string, body?: object): Promise<Members> {
    return membersOf(await (await this.#call(method, path, body)).json());
  }

  async #send(exchange: Exchange): Promise<{ readonly answered: Answered; readonly isLost: boolean }> {
    const lost = { found: false };
    const headers: Record<string, string | null> = { 'content-type': null };
    for (const name of offered) headers[name] = '';
    for (const [name, value] of exchange.headers) {
      if (notSent.test(name) || !/^[\w!#$%&'*+.^`|~-]+$/.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(value)) continue;
      headers[name] = standingFor(name, this.#mapped(value, lost), exchange);
    }
    const target = `/sandbox/as/${this.#tppOf(exchange)}${this.#targetOf(exchange.target, lost)}`;
    const body = exchange.body === '' ? {} : { body: this.#bodyOf(exchange, lost) };
    const answer = await this.#bank
      .fetch(target, { method: exchange.method, headers, ...body })
      .catch((error: unknown) => {
        throw new ConfigError(`entry ${exchange.number} of the recording cannot be replayed${reasonOf(error)}`);
      });
    const text = await answer.text();
    const answered = {
      status: answer.status,
      answerHeaders: new Map(answer.headers),
      answer: text === '' ? undefined : parsed(text),
    };
    return { answered, isLost: lost.found };
  }

  /** TPPs are told apart by their certificates, whatever stands in their place. */
  #tppOf({ tpp }: Exchange): string {
    return `tpp-${this.#tpps.indexOf(tpp) + 1}`;
  }

  #mapped(text: string, lost: { found: boolean }): string {
    const ours = this.#ours.get(text);
    if (ours === undefined && this.#missing.has(text)) lost.found = true;
    return ours ?? text;
  }

  #targetOf(target: string, lost: { found: boolean }): string {
    const [path = '', search] = target.split(/\?(.*)/s);
    const part = (text: string): string => {
      const decoded = unescaped(text);
      const ours = this.#mapped(decoded, lost);
      return ours === decoded ? text : encodeURIComponent(ours);
    };
    const ownPath = path.split('/').map(part).join('/');
    if (search === undefined) return ownPath;
    const query = search.split('&').map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return value.length === 0 ? name : `${name}=${part(value.join('='))}`;
    });
    return `${ownPath}?${query.join('&')}`;
  }

  #bodyOf(exchange: Exchange, lost: { found: boolean }): string {
    const value = bodyOf(exchange);
    if (value === undefined) return exchange.body;
    let isChanged = false;
    const own = JSON.stringify(value, (_, inner: unknown) => {
      if (typeof inner !== 'string') return inner;
      const ours = this.#mapped(inner, lost);
      isChanged ||= ours !== inner;
      return ours;
    });
    return isChanged ? own : exchange.body;
  }

  /** Notes our id for each recorded id. Returns what changed in only one of the two banks. */
  #learn(exchange: Exchange, answered: Answered, { pairs, differences }: Comparison): Difference[] {
    if (pairs.length === 0 && differences.some(({ kind }) => kind === 'status')) {
      for (const text of idsIn(exchange.answer)) if (!this.#ours.has(text)) this.#missing.add(text);
      return [];
    }
    const changed: Difference[] = [];
    for (const { recorded, replayed, path } of pairs) {
      const name = path.split('.').at(-1) ?? '';
      const before = this.#ours.get(recorded);
      const beforeTheirs = this.#theirs.get(`${name} ${replayed}`);
      const isSame = (before ?? replayed) === replayed && (beforeTheirs ?? recorded) === recorded;
      if (!isSame && path !== '' && !path.endsWith('href')) changed.push({ kind: 'changed', path, recorded, replayed });
      this.#ours.set(recorded, replayed);
      this.#theirs.set(`${name} ${replayed}`, recorded);
      this.#missing.delete(recorded);
    }
    return [...changed, ...this.#changedSince(exchange, answered)];
  }

  /** For a repeated request: texts and sums that changed in only one of the two answers. */
  #changedSince(exchange: Exchange, answered: Answered): Difference[] {
    if (exchange.method !== 'GET' || exchange.status !== 200) return [];
    const key = `${exchange.tpp} ${exchange.target} ${psuKeyOf(exchange) ?? ''}`;
    const now = { recorded: leavesOf(exchange.answer), replayed: leavesOf(answered.answer) };
    const before = this.#reads.get(key);
    this.#reads.set(key, now);
    if (before === undefined) return [];
    return [...now.recorded].flatMap(([place, recorded]): Difference[] => {
      const [old, own, oldOwn] = [before.recorded.get(place), now.replayed.get(place), before.replayed.get(place)];
      if (old === undefined || own === undefined || oldOwn === undefined) return [];
      if ((old === recorded) === (oldOwn === own)) return [];
      return [{ kind: 'changed', path: place.replaceAll(/\[\d+\]/g, '[]'), recorded, replayed: own }];
    });
  }

  #noteSca(exchange: Exchange, answered: Answered, birth: number): void {
    if (scaOf(exchange.answer) === null) return;
    const id = scaOf(answered.answer);
    if (id !== null && !this.#scas.some((sca) => sca.id === id)) this.#scas.push({ birth, id, isOver: false });
  }

  async #act(act: Act): Promise<void> {
    if (act.does === 'approve') await this.#approve(act);
    else if (act.does === 'double') await this.#control('POST', '/faults', { run: 'double-execution' });
    else if (act.does === 'revoke') {
      const { consents } = await this.#control('GET', '/consents');
      for (const { consentId, endedAt } of itemsOf(consents).map(membersOf))
        if (endedAt === null) await this.#control('DELETE', `/consents/${String(consentId)}`);
    } else if (act.does === 'post') await this.#post(act.bban, act.transactions);
    else if (act.does === 'release') await this.#release(act.bban, act.transactions);
    else if (act.does === 'pend') await this.#pend(act.psu, act.payments);
    else if (act.does === 'top-up') {
      await this.#control('POST', `/accounts/${act.bban}/top-up`, { amount: act.amount });
    } else {
      const id = this.#ours.get(act.payment);
      if (id === undefined) return;
      const path = `/payments/${encodeURIComponent(id)}`;
      if (act.does === 'cancel') await this.#control('POST', `${path}/cancel`, {});
      else if (act.does === 'move') await this.#control('PATCH', path, { requestedExecutionDate: act.date });
      else await this.#control('POST', `${path}/reject`, { reason: 'as it was recorded', ...act.of });
    }
  }

  /** A PSU answers the SCA that an exchange offered. */
  async #approve({
    birth,
    psu,
    context,
    agreement,
    accounts,
    psuId,
    corporateId,
  }: Act & { does: 'approve' }): Promise<void> {
    const sca = this.#scas.find((one) => one.birth === birth && !one.isOver);
    if (sca === undefined) return;
    const { redirect } = await this.#control('POST', `/sca/${sca.id}`, {
      outcome: 'approve',
      psu,
      context,
      ...(agreement !== undefined && { agreement }),
      ...(accounts !== undefined && { accounts }),
    });
    if (typeof redirect !== 'string') return;
    sca.isOver = true;
    const found = new URL(redirect).searchParams;
    this.#name(psuId, found.get('psu-id'));
    this.#name(corporateId, found.get('psu-corporate-id'));
  }

  #name(recorded: string | undefined, ours: string | null): void {
    if (recorded !== undefined && ours !== null) this.#ours.set(recorded, ours);
  }

  /** A PSU-ID that no SCA of the recording gave: the PSU was known before. The same for a PSU-Corporate-ID. */
  async #identify(exchange: Exchange, index: number): Promise<void> {
    const psuId = exchange.headers.get('psu-id') ?? '';
    const corporateId = exchange.headers.get('psu-corporate-id') ?? '';
    const isKnown = (id: string): boolean => id === '' || this.#ours.has(id);
    if (
      (isKnown(psuId) && isKnown(corporateId)) ||
      ['PSU_CREDENTIALS_INVALID', 'CORPORATE_ID_INVALID'].includes(codeOf(exchange.answer))
    )
      return;
    const granted = grantedIn(this.#exchanges, index);
    const asked = await this.#bank.fetch(`/sandbox/as/${this.#tppOf(exchange)}/v1/bank-offered-consents`, {
      method: 'POST',
      headers: { 'content-type': null, 'tpp-session-id': exchange.headers.get('tpp-session-id') ?? 'before' },
    });
    const id = scaOf(await asked.json());
    if (id === null) return;
    this.#scas.push({ birth: -1, id, isOver: false });
    await this.#approve({
      does: 'approve',
      birth: -1,
      psu: this.#implied.personOf(psuKeyOf(exchange)).number,
      context: corporateId === '' ? 'PRIVATE' : 'CORPORATE',
      ...(corporateId !== '' && { agreement: this.#implied.agreementOf(corporateId), corporateId }),
      ...(granted.length > 0 && { accounts: granted }),
      psuId,
    });
  }

  /** Maps what a client knows without an answer of the bank: the id of its TPP, and the hash of a PSU's number. */
  #nameOurs(exchange: Exchange): void {
    if (exchange.status !== 200) return;
    if (exchange.endpoint === '/tpps/:tppId/contact-information')
      this.#ours.set(unescaped(exchange.target.split('/')[3] ?? ''), testTppId(this.#tppOf(exchange)));
    const { identifier } = membersOf(bodyOf(exchange));
    if (exchange.endpoint !== '/user/verification' || membersOf(exchange.answer)['verified'] !== true) return;
    const { number } = this.#implied.personOf(psuKeyOf(exchange));
    this.#ours.set(String(identifier), createHash('sha256').update(number).digest('base64'));
  }

  /** Makes payments that are pending until the next run, as another TPP. */
  async #pend(psu: string, payments: readonly object[]): Promise<void> {
    const path = '/payments/instant-norwegian-domestic-credit-transfers-straks?allowLogicalDuplicate=true';
    const headers = { 'x-psu-identity': psu, 'psu-context': 'PRIVATE' };
    for (const payment of payments) {
      const id = scaOf(await (await this.#call('POST', `${another}${path}`, payment, headers)).json());
      if (id !== null) await this.#control('POST', `/sca/${id}`, { outcome: 'approve', psu, context: 'PRIVATE' });
    }
  }

  /** Books transactions of the past that the recording shows and no request of it made. */
  async #post(bban: string, transactions: readonly object[]): Promise<void> {
    const path = await this.#mocksOf(bban);
    if (path === null) return;
    const { status } = await this.#call('POST', path, transactions);
    // Most banks value nothing before its booking (rules.md D3c), and the test data refuse it.
    if (status === 400) await this.#call('POST', path, transactions.map(valuedLater));
  }

  /** Deletes pending transactions of these amounts: what they reserved for was booked otherwise, or not at all. */
  async #release(bban: string, transactions: readonly object[]): Promise<void> {
    const path = await this.#mocksOf(bban);
    if (path === null) return;
    const mocks = itemsOf(await (await this.#call('GET', path)).json()).map(membersOf);
    const pending = mocks.filter(({ bookingStatus }) => bookingStatus === 'pending');
    for (const { amount } of transactions.map(membersOf)) {
      const at = pending.findIndex((one) => Number(one['amount']) === Number(amount));
      const [found] = at < 0 ? [] : pending.splice(at, 1);
      if (found !== undefined)
        await this.#call('DELETE', `${path}/${encodeURIComponent(String(found['transactionId']))}`);
    }
  }

  /** The path of the test data of an account; null: the bank has no such account. */
  async #mocksOf(bban: string): Promise<string | null> {
    const path = `${another}/sandbox/accounts`;
    const accounts = itemsOf(await (await this.#call('GET', path)).json()).map(membersOf);
    const found = accounts.find((account) => account['bban'] === bban);
    return found === undefined ? null : `${path}/${encodeURIComponent(String(found['id']))}/transactions`;
  }
}

function valuedLater(transaction: object): object {
  const { bookingDate, valueDate } = membersOf(transaction);
  return String(valueDate) >= String(bookingDate) ? transaction : { ...transaction, valueDate: bookingDate };
}

/** Replaces a stand-in that the bank would refuse: it accepted the original value. */
function standingFor(name: string, value: string, { status }: Exchange): string {
  if (status >= 400) return value;
  if (name === 'tpp-redirect-uri' && !URL.canParse(value)) return 'https://tpp.example/callback';
  if (name !== 'x-request-id' || /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value)) return value;
  const digits = createHash('sha256').update(value).digest('hex');
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}

type Leaves = ReadonlyMap<string, string>;

/** Texts and sums whose values are free, by their places: they may change only where ours change. */
function leavesOf(value: unknown, place = '', into = new Map<string, string>()): Map<string, string> {
  if (Array.isArray(value)) value.forEach((item, at) => leavesOf(item, `${place}[${at}]`, into));
  else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      if (['tppMessages', 'psuMessage', '_links'].includes(name)) continue;
      leavesOf(member, place === '' ? name : `${place}.${name}`, into);
    }
  } else if (typeof value === 'string' && /(?:amount|Unstructured(?:Array\[\d+\])?|transactionDetails)$/.test(place))
    into.set(place, value);
  return into;
}

/** Ids of an answer, which later requests may have. */
function idsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(idsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    typeof member === 'string' && /(?:^id|Id)$/.test(name) ? [member] : idsIn(member),
  );
}
