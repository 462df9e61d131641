import type { Recorder, Answer } from '../lab/recorder.ts';
import {
  bulkItem,
  bulkPath,
  bulkPayment,
  periodicPath,
  periodicPayment,
  singlePath,
  singlePayment,
} from '../lab/bodies.ts';
import { crossBorderPayment, productPath, sepaPayment } from '../lab/products.ts';
import { anyOf, type Search } from './campaign.ts';

/** People with accounts in kroner, the first of them in each fixture. The last one is in no fixture of two people. */
const people = [
  { number: '13039319955', accounts: ['09232911044', '70323119469'] },
  { number: '12085592767', accounts: ['74712699947', '24628359081'] },
  { number: '01819050062', accounts: ['34300000012'] },
] as const;
const strangers = ['90491105991', '95360573002'] as const;

interface Session extends Pick<Search, 'random' | 'tally'> {
  readonly recorder: Recorder;
  readonly fixtures: string;
}

/** Sizes of a page. */
const limits = [1, 2, 3, 5, 20, 100, 200] as const;

type Move = () => Promise<void>;

/**
 * A client reads three times in one way: page after page by link or by offset, or with the details of each transaction; perhaps again each
 * day or each week. It makes drawn calls between and afterwards.
 */
export async function readAgain({ recorder, random, tally, fixtures }: Session): Promise<void> {
  const known: readonly (typeof people)[number][] = fixtures === 'twins' ? people.slice(0, 2) : people;
  const hasOneAccount = fixtures !== 'known-state';
  let psu: (typeof people)[number] = people[0];
  /** Headers of a read. */
  let asPsu: Record<string, string> = {};
  let opened: readonly string[] = [];
  let ordered = 0;
  const payments: { readonly path: string; readonly psu: string }[] = [];
  const anything: Move = () => random.pick([book, pay, advance])();
  const [read, wait] = random.pick<readonly [read: Move, wait: Move]>([
    [list, anything],
    [offsets, anything],
    [details, anything],
    [list, () => advance('P1D')],
    [details, () => advance('P7D')],
  ]);
  /** What it may do. Some moves are drawn more often. */
  const moves: readonly Move[] = [
    ...[pay, pay, pay, ...[status, status, sign, remove].map(onPayment)],
    ...[list, list, look, advance, advance, book, slip, consent],
  ];
  await consent();
  await book();
  await pay();
  for (let round = 0; round < 3; round += 1) {
    await read();
    await look();
    await wait();
  }
  for (let left = random.below(6); left > 0; left -= 1) await random.pick(moves)();

  async function consent(): Promise<void> {
    psu = random.pick(known);
    const asked = await recorder.call('POST', '/v1/bank-offered-consents');
    const some = psu.accounts.slice(0, hasOneAccount ? 1 : 1 + random.below(2));
    asPsu = { 'PSU-ID': await approve(asked, random.below(3) === 0 ? undefined : some) };
    const { accounts = [] } = await call('GET', '/v1/accounts');
    opened = accounts.map(({ resourceId }: { readonly resourceId: string }) => resourceId);
  }

  async function pay(): Promise<void> {
    ordered += 1;
    const amount = `${random.pick([9, 99, 250, 30_000])}.${10 + ordered}`;
    const debtorAccount = { bban: psu.accounts[0], currency: 'NOK' };
    const changes = {
      instructedAmount: { amount, currency: 'NOK' },
      debtorAccount,
      creditorAccount: { bban: random.pick(strangers), currency: 'NOK' },
      ...(random.below(2) === 0 && { remittanceInformationUnstructured: 'Husleie' }),
    };
    const abroad = (currency: string): object => ({
      debtorAccount,
      instructedAmount: { amount: `1${amount}`, currency },
    });
    const [path, body] = random.pick([
      [singlePath, singlePayment(changes)],
      [singlePath, singlePayment({ ...changes, requestedExecutionDate: '2027-11-26' })],
      [productPath('straks'), singlePayment(changes)],
      [productPath('sepa'), sepaPayment(abroad('EUR'))],
      [productPath('crossBorder'), crossBorderPayment(abroad('SEK'))],
      [periodicPath, periodicPayment({ ...changes, startDate: '2027-11-01', frequency: 'Monthly' })],
      [bulkPath, bulkPayment([bulkItem(amount), bulkItem('5.00')], { debtorAccount })],
    ]);
    const byNumber = { 'X-PSU-IDENTITY': psu.number, 'PSU-Context': 'PRIVATE' };
    const named = random.below(3) === 0 && asPsu['PSU-ID'] !== '' ? asPsu : byNumber;
    const own = { ...named, 'x-accept-fix': 'longer-names', 'TPP-Session-ID': 'session-1' };
    const answer = await recorder.call('POST', path, { headers: own, body });
    if (answer.paymentId === undefined) return;
    tally(`ordered: ${path.slice('/v1/'.length)}`);
    const made = `${path}/${answer.paymentId}`;
    payments.push({ path: made, psu: psu.number });
    if (random.below(4) > 0) await finish(made, answer);
  }

  async function status(path: string): Promise<void> {
    await call('GET', path + random.pick(['', '/status']), {});
  }

  async function sign(path: string): Promise<void> {
    await finish(path, await call('POST', `${path}/authorisations`, {}));
  }

  async function remove(path: string): Promise<void> {
    const answer = await call('DELETE', path, {});
    if (answer?._links?.startAuthorisation === undefined) return;
    await finish(path, await call('POST', `${path}/cancellation-authorisations`, {}));
  }

  async function list(): Promise<void> {
    const status = random.pick(['both', 'booked', 'pending']);
    const from = random.pick(['', '', '&dateFrom=2026-12-20', '&dateFrom=2026-11-20&dateTo=2027-01-20']);
    const list = `${anyAccount()}/transactions?bookingStatus=${status}${from}`;
    await recorder.pages(`${list}&limit=${random.pick(limits)}`, asPsu);
  }

  async function offsets(): Promise<void> {
    const [account, limit] = [anyAccount(), random.pick(limits)];
    const first = random.pick([0, 0, 1, 5]);
    for (let page = 0; page < 3; page += 1)
      await call('GET', `${account}/transactions?bookingStatus=booked&limit=${limit}&offset=${first + page * limit}`);
  }

  /** The details of each of the first transactions, and the cards. */
  async function details(): Promise<void> {
    const account = anyAccount();
    const answer = await call('GET', `${account}/transactions?bookingStatus=both&dateFrom=2026-12-20`);
    for (const { transactionId } of (answer.transactions?.booked ?? []).slice(0, 5))
      if (transactionId !== undefined) await call('GET', `${account}/transactions/${transactionId}`);
    const { cardAccounts = [] } = await call('GET', '/v1/card-accounts?withBalance=true');
    for (const { resourceId } of cardAccounts)
      await call('GET', `/v1/card-accounts/${resourceId}/transactions?bookingStatus=both&limit=${random.pick(limits)}`);
  }

  async function look(): Promise<void> {
    const account = anyAccount();
    await call('GET', random.pick(['/v1/accounts?withBalance=true', account, `${account}/balances`, '/v1/agreements']));
  }

  async function book(): Promise<void> {
    const body = Array.from({ length: 1 + random.below(3) }, (_, at) => ({
      ...{ amount: -10 - at, currency: 'NOK', bookingDate: `2026-12-0${1 + at}`, valueDate: '2026-12-09' },
      remittanceInformationUnstructured: random.pick(['Kiosken', '12.12 Rema', 'Husleie desember']),
    }));
    const target = `${anyAccount().replace('/v1/', '/v1/sandbox/')}/transactions`;
    await recorder.call('POST', target, { body });
  }

  /** A call that is refused. */
  async function slip(): Promise<void> {
    const [method, target, body] = random.pick<readonly [method: string, target: string, body?: object]>([
      ['GET', '/v1/nothing'],
      ['PUT', '/v1/accounts'],
      ['GET', `${singlePath}/nothing`],
      ['POST', singlePath, singlePayment({ creditorName: 7 })],
      ['POST', singlePath, singlePayment({ requestedExecutionDate: '2020-01-01' })],
      ['GET', '/v1/accounts?colour=red'],
    ]);
    await recorder.call(method, target, { headers: asPsu, ...(body !== undefined && { body }) });
  }

  async function advance(by?: string): Promise<void> {
    const steps = [{ by: 'PT1M' }, { runs: 1 }, { runs: 2 }, { by: 'PT5H' }, { by: 'P1D' }, { by: 'P10D' }];
    await recorder.control('/clock/advance', by === undefined ? random.pick(steps) : { by });
  }

  function call(method: string, target: string, headers: Record<string, string> = asPsu): Promise<Answer> {
    return recorder.call(method, target, { headers });
  }

  function anyAccount(): string {
    return `/v1/accounts/${anyOf(random, opened) ?? 'nothing'}`;
  }

  /** Does it with a payment of the PSU, if there is one. */
  function onPayment(work: (path: string) => Promise<void>): Move {
    return async () => {
      const own = payments.filter((made) => made.psu === psu.number);
      if (own.length > 0) await work(random.pick(own).path);
    };
  }

  /** The PSU signs what an answer begins, mostly, and the client reads the status when the PSU comes back. */
  async function finish(path: string, answer: Answer): Promise<void> {
    if (random.below(5) > 0) await approve(answer);
    await call('GET', `${path}/status`, {});
  }

  /** By the bank's page, or by a call of the control plane. */
  async function approve(answer: Answer, accounts?: readonly string[]): Promise<string> {
    if (answer?._links?.scaRedirect === undefined) return '';
    const isByPage = random.below(2) === 0;
    tally(isByPage ? 'signed by page' : 'signed by call');
    return isByPage ? recorder.approveOnPages(answer, psu.number) : recorder.approve(answer, psu.number, accounts);
  }
}
