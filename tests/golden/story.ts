import { periodicPath, bulkPath, bulkItem, bulkPayment, periodicPayment, singlePayment } from '../lab/bodies.ts';
import { accounts, crossBorderPayment, even, nora, productPath, sepaPayment } from '../lab/products.ts';
import { cards, sandboxCards } from '../cards/card-client.ts';
import { cardMocks, mock, mocks } from '../quirks/mocks.ts';
import type { Teller } from './teller.ts';

/*
 * A story of some 300 calls: what TPPs, PSUs and testers do to a bank from Monday before Easter 2027 until a consent is over. Each step is
 * taken in every bank, also where an earlier one was refused there.
 */

const [anne, kari, sigrid, tor] = ['01819050062', '02818550068', '17818050100', '20818850094'] as const;
const privately = (psu: string) => ({ 'x-psu-identity': psu, 'psu-context': 'PRIVATE' });
const approve = (psu: string, more: object = {}) => ({ outcome: 'approve', psu, context: 'PRIVATE', ...more });
const corporately = (psu: string) => ({ outcome: 'approve', psu, context: 'CORPORATE', agreement: 'To Nøkler AS' });
const forCompany = corporately(sigrid);
const nok = (amount: string) => ({ instructedAmount: { amount, currency: 'NOK' } });
const unattended = { 'psu-ip-address': null };
const domestic = productPath('domestic');
const kid = { remittanceInformationStructuredArray: [{ reference: '2345676', referenceType: 'SCOR' }] };
const inside = { creditorAccount: accounts.evenNok };
const company = { debtorAccount: { bban: '34330000017', currency: 'NOK' } };
const own = { creditorAccount: accounts.noraOther };

/** The whole story. */
export async function tellStory(teller: Teller): Promise<void> {
  await new Story(teller).tell();
}

/** A part of it that shows what each quirk changes. The bank goes back to the snapshot `before` first. */
export async function tellRound(teller: Teller, quirks: object): Promise<void> {
  await teller.control('POST', '/snapshots/before/restore');
  await teller.control('PUT', '/quirks', { quirks });
  await new Story(teller).round();
}

class Story {
  readonly #teller: Teller;
  #psu = '';
  #account = '';
  #card = '';

  constructor(teller: Teller) {
    this.#teller = teller;
  }

  async tell(): Promise<void> {
    await this.#look();
    await this.#consents();
    await this.#sandboxData();
    await this.#readAll();
    await this.#refusals();
    await this.#read(`${this.#transactions}?bookingStatus=information`);
    const made = await this.#payments();
    await this.#inspect(made);
    for (const runs of [1, 1]) await this.#advance({ runs }, made.slice(0, 4));
    await this.#faults();
    await this.#bankSide();
    await this.#advance({ to: '2027-03-24T15:00:00+01:00' }, made);
    await this.#teller.control('GET', '/forecast?to=2027-03-31');
    await this.#late();
    await this.#advance({ to: '2027-03-30T12:00:00+02:00' }, made);
    await this.#readAll();
    await this.#books();
    await this.#time();
  }

  /** What quirks change: refusals, dates, lists, statuses and the consent. */
  async round(): Promise<void> {
    await this.#sandboxData();
    await this.#refusals();
    const made = [
      await this.#pay(domestic, singlePayment({ ...nok('61.00'), ...own })),
      await this.#pay(domestic, singlePayment({ ...nok('62.00'), ...inside })),
      await this.#pay(domestic, singlePayment({ ...nok('63.00'), ...inside, ...kid })),
      await this.#pay(domestic, singlePayment({ ...nok('65.00'), ...own, ...kid })),
      await this.#pay(productPath('sepa'), sepaPayment()),
      await this.#pay(periodicPath, periodicPayment({ ...nok('64.00') })),
    ];
    await this.#readAll();
    await this.#advance({ runs: 1 }, made);
    await this.#advance({ to: '2027-03-22T16:00:00+01:00' }, []);
    // After the last run.
    made.push(await this.#pay(domestic, singlePayment(nok('66.00'))));
    await this.#advance({ to: '2027-03-31T12:00:00+02:00' }, made);
    await this.#others();
    await this.#readAll();
    await this.#time();
  }

  /** Signatures, a PSU without cards, purchases of a life abroad, and a fee after the last run of a month. */
  async #others(): Promise<void> {
    await this.#teller.changed('GET', '/v1/users', () => 'none');
    await this.#teller.changed('GET', '/v1/users', (signature) => signature.replace('rsa-sha256', 'RSA-SHA256'));
    const offered = await this.#teller.v1('POST', '/v1/bank-offered-consents', privately(anne));
    const back = await this.#teller.sca(offered, approve(anne));
    await this.#teller.v1('GET', cards, back.searchParams.get('psu-id') ?? '');
    await this.#teller.control('POST', '/life', { account: accounts.noraOther.bban, persona: 'family', months: 1 });
    await this.#advance({ to: '2027-03-31T14:00:00+02:00' }, []);
    await this.#pay(productPath('sepa'), sepaPayment({ instructedAmount: { amount: '7.00', currency: 'EUR' } }));
    await this.#advance({ runs: 2 }, []);
    for (const { bban } of [accounts.noraOther, accounts.noraNok])
      await this.#teller.control('GET', `/accounts/${bban}?from=2027-03-10&to=2027-04-02`);
  }

  get #transactions(): string {
    return `/v1/accounts/${this.#account}/transactions`;
  }

  /** Reads account information as Nora's TPP. */
  #read(path: string, more = {}) {
    return this.#teller.v1('GET', path, this.#psu, undefined, more);
  }

  async #look(): Promise<void> {
    const paths = ['/info', '/clock', '/quirks', '/accounts', '/agreements', '/life', '/consents', '/banks'];
    for (const path of paths) await this.#teller.control('GET', path);
    await this.#teller.control('GET', '/calendar?from=2027-03-24&to=2027-03-30');
    await this.#teller.control('GET', '/calendar?from=2027-12-23&to=2027-12-24');
    await this.#teller.control('GET', '/accounts/09232911044');
    await this.#teller.control('GET', '/accounts/00000000000');
  }

  /** A consent that is cancelled, and one that holds; then finds the account and the card that the story reads. */
  async #consents(): Promise<void> {
    const offer = () => this.#teller.v1('POST', '/v1/bank-offered-consents', privately(nora));
    await this.#teller.v1('GET', '/v1/users');
    await this.#teller.v1('GET', '/v1/accounts');
    for (const outcome of ['cancel', 'fail', 'expire']) await this.#teller.sca(await offer(), { outcome });
    await this.#teller.control('GET', '/sca');
    await this.#teller.sca(await offer(), approve(nora, { accounts: ['00000000000'] }));
    await this.#consent();
    await this.#teller.v1('GET', '/v1/users', this.#psu);
    await this.#teller.v1('GET', '/v1/agreements', this.#psu);
    await this.#teller.control('GET', '/consents');
  }

  async #consent(): Promise<void> {
    const offered = await this.#teller.v1('POST', '/v1/bank-offered-consents', privately(nora));
    const back = await this.#teller.sca(offered, approve(nora));
    this.#psu = back.searchParams.get('psu-id') ?? '';
    await this.#find();
  }

  /** Finds account and card by the ids that they have now. */
  async #find(): Promise<void> {
    const { accounts: all = [] } = await this.#read('/v1/accounts');
    this.#account = all.find(({ bban }: { bban: string }) => bban === '09232911044')?.resourceId ?? 'none';
    const { cardAccounts = [] } = await this.#read(cards);
    this.#card = cardAccounts[0]?.resourceId ?? 'none';
  }

  async #sandboxData(): Promise<void> {
    if (this.#account === '') await this.#consent();
    const post = (path: string, body: unknown) => this.#teller.v1('POST', path, this.#psu, body);
    const posted = Object.values(mocks).map((each) => ({ ...mock, ...each }));
    await post(this.#transactions.replace('/v1', '/v1/sandbox'), posted);
    const others = [
      { ...mock, amount: -20.5, originalAmount: { amount: -2, currency: 'EUR' }, creditorName: 'Farmacia' },
      { ...mock, amount: -10, remittanceInformationUnstructured: 'Kiosken' },
      { ...mock, amount: -10, remittanceInformationUnstructured: 'Kiosken' },
      { ...mock, amount: -11, bookingDate: '2026-11-02', valueDate: '2026-11-02' },
      { ...mock, amount: -12, bookingDate: '', remittanceInformationUnstructured: '21.03 Kaffe' },
    ];
    await post(this.#transactions.replace('/v1', '/v1/sandbox'), others);
    await post(`${sandboxCards}/${this.#card}/transactions`, cardMocks);
    const wrong = { ...mock, amount: -1, bookingDate: '2027-03-21', valueDate: '2027-03-16' };
    await post(this.#transactions.replace('/v1', '/v1/sandbox'), [wrong]);
    await post('/v1/sandbox/customers', { customerNumber: '01078900497', name: 'Test Testperson 1', type: 'PRIVATE' });
    await this.#teller.v1('GET', '/v1/sandbox/customers', this.#psu);
    await this.#teller.v1('GET', this.#transactions.replace('/v1', '/v1/sandbox'), this.#psu);
  }

  /** Account and card information, with pages, details and dates. */
  async #readAll(): Promise<void> {
    await this.#find();
    const account = `/v1/accounts/${this.#account}`;
    for (const path of [account, `${account}/balances`]) await this.#read(path);
    await this.#read(`${this.#transactions}?bookingStatus=pending`);
    const { transactions } = await this.#read(`${this.#transactions}?bookingStatus=both&dateFrom=2027-03-01`);
    const ids = [...(transactions?.booked ?? []), ...(transactions?.pending ?? [])].map((one) => one.transactionId);
    for (const id of [ids[0], ids[6], ids[12], ids.at(-1)]) await this.#read(`${this.#transactions}/${id ?? 'none'}`);
    const page = await this.#read(`${this.#transactions}?bookingStatus=both&limit=3`);
    const next = page?.transactions?._links?.next?.href;
    await this.#read(next ?? `${this.#transactions}?limit=3&offset=3`);
    await this.#read(`${this.#transactions}?limit=3&offset=1`);
    await this.#read(`${this.#transactions}?bookingStatus=booked&dateFrom=2026-10-01&dateTo=2026-12-01`);
    await this.#read(`${this.#transactions}?limit=2`, { ...unattended });
    await this.#read(`${this.#transactions}?limit=2`, { 'x-accept-fix': null });
    const card = `${cards}/${this.#card}`;
    for (const path of [card, `${card}/balances`, `${card}/transactions`]) await this.#read(path);
    await this.#read(`${card}/transactions?bookingStatus=pending`, { 'x-accept-fix': null });
  }

  async #refusals(): Promise<void> {
    const v1 = this.#teller.v1.bind(this.#teller);
    await v1('GET', `${this.#transactions}?dateFrom=2027-04-01&dateTo=2027-03-01`, this.#psu);
    await v1('GET', '/v1/accounts/none', this.#psu);
    await v1('GET', `${this.#transactions}/none`, this.#psu);
    await v1('GET', '/v1/nowhere');
    await v1('GET', '/v1/accounts', '00000000-0000-4000-8000-ffffffffffff');
    await v1('POST', domestic, privately(nora), { nothing: true });
    await v1('POST', domestic, privately(nora), singlePayment(nok('-1.00')));
    await v1('POST', domestic, privately(nora), singlePayment({ creditorAccount: { bban: '90491105992' } }));
    await v1('POST', domestic, privately(nora), singlePayment({ requestedExecutionDate: '2027-03-01' }));
    await v1('POST', domestic, { 'x-psu-identity': nora }, singlePayment(nok('41.00')));
    await v1('POST', periodicPath, privately(nora), periodicPayment(nok('42.00')), { 'x-accept-fix': null });
    const months = { frequency: 'MonthlyVariable', monthsOfExecution: [2, 12], dayOfExecution: '5' };
    await v1('POST', periodicPath, privately(nora), periodicPayment({ ...nok('43.00'), ...months }));
    await this.#teller.changed('GET', '/v1/users', () => 'none');
    await v1('GET', `${domestic}/none/status`);
    await v1('DELETE', `${domestic}/none`);
  }

  /** Initiates, lets the PSU answer, and reads status and details; gives the path of the payment. */
  async #pay(path: string, body: object, psu: string = nora, outcome: object = approve(psu)): Promise<string> {
    const headers = { ...privately(psu), ...(outcome === forCompany && { 'psu-context': 'CORPORATE' }) };
    const initiated = await this.#teller.v1('POST', `${path}?allowLogicalDuplicate=true`, headers, body);
    const payment = `${path}/${initiated?.paymentId ?? 'none'}`;
    await this.#teller.v1('GET', `${payment}/status`);
    await this.#teller.sca(initiated, outcome);
    await this.#teller.v1('GET', `${payment}/status`);
    await this.#teller.v1('GET', payment);
    return payment;
  }

  /** Payments of each product and service, with every end of an SCA. */
  async #payments(): Promise<string[]> {
    const later = { requestedExecutionDate: '2027-04-15' };
    const made = [
      await this.#pay(domestic, singlePayment()),
      await this.#pay(domestic, singlePayment({ ...nok('11.00'), ...own })),
      await this.#pay(domestic, singlePayment({ ...nok('12.00'), ...inside })),
      await this.#pay(domestic, singlePayment({ ...nok('13.00'), ...inside, ...kid })),
      await this.#pay(domestic, singlePayment({ ...nok('14.00'), requestedExecutionDate: '2027-03-25' })),
      await this.#pay(domestic, singlePayment({ ...nok('15.00'), ...later })),
      await this.#pay(domestic, singlePayment(nok('16.00')), nora, { outcome: 'cancel' }),
      await this.#pay(domestic, singlePayment(nok('17.00')), nora, { outcome: 'reject' }),
      await this.#pay(domestic, singlePayment({ debtorAccount: { bban: '34300000012', currency: 'NOK' } }), anne),
      await this.#pay(productPath('straks'), singlePayment(nok('18.00'))),
      await this.#pay(productPath('sepa'), sepaPayment()),
      await this.#pay(productPath('crossBorder'), crossBorderPayment()),
      await this.#pay(periodicPath, periodicPayment()),
      await this.#pay(periodicPath, periodicPayment({ ...nok('19.00'), frequency: 'Daily', startDate: '2027-03-23' })),
      await this.#pay(bulkPath, bulkPayment([bulkItem('20.00'), bulkItem('9000000.00'), bulkItem('21.00', kid)])),
      await this.#pay(domestic, singlePayment({ ...nok('22.00'), ...company }), sigrid, forCompany),
    ];
    await this.#repeats(made);
    await this.#baskets();
    return made;
  }

  /** The same payment again, deletion before and after signing, and the second signature. */
  async #repeats([, , , , , signed = '', , , , , , , order = '', , , second = '']: readonly string[]): Promise<void> {
    const v1 = this.#teller.v1.bind(this.#teller);
    await v1('POST', domestic, privately(nora), singlePayment());
    const open = await v1('POST', domestic, privately(even), {
      ...singlePayment(nok('23.00')),
      debtorAccount: accounts.evenNok,
    });
    const unsigned = `${domestic}/${open?.paymentId ?? 'none'}`;
    await v1('POST', `${unsigned}/authorisations`, privately(even));
    await v1('DELETE', unsigned);
    await v1('GET', `${unsigned}/status`);
    for (const path of [signed, order]) {
      await v1('DELETE', path);
      await this.#teller.sca(await v1('POST', `${path}/cancellation-authorisations`, privately(nora)), approve(nora));
      await v1('GET', `${path}/status`);
    }
    await this.#teller.sca(
      await v1('POST', `${second}/authorisations`, { 'x-psu-identity': tor, 'psu-context': 'CORPORATE' }),
      corporately(tor),
    );
    await v1('GET', `${second}/status`);
  }

  async #baskets(): Promise<void> {
    const v1 = this.#teller.v1.bind(this.#teller);
    const made = [await v1('POST', domestic, this.#psu, singlePayment(nok('31.00')))];
    made.push(await v1('POST', domestic, this.#psu, singlePayment(nok('32.00'))));
    const paymentIds = made.map((each) => each?.paymentId ?? 'none');
    const basket = await v1('POST', '/v1/signing-baskets', this.#psu, { paymentIds });
    const path = `/v1/signing-baskets/${basket?.basketId ?? 'none'}`;
    await v1('GET', path, this.#psu);
    await this.#teller.sca(await v1('POST', `${path}/authorisations`, this.#psu), approve(nora));
    await v1('GET', path, this.#psu);
    await v1('POST', '/v1/signing-baskets', this.#psu, { paymentIds: ['none'] });
    for (const id of paymentIds) await v1('GET', `/v1/payment/${id}`, this.#psu);
  }

  async #inspect(made: readonly string[]): Promise<void> {
    for (const path of made.slice(3, 14)) await this.#teller.control('GET', `/payments/${path.split('/').at(-1)}`);
    for (const query of ['', '?status=RCVD', '?service=bulk-payments', '?account=09232911044&limit=2'])
      await this.#teller.control('GET', `/payments${query}`);
  }

  /** Moves the clock, and reads the statuses of payments. */
  async #advance(by: object, made: readonly string[]): Promise<void> {
    await this.#teller.control('POST', '/clock/advance', by);
    for (const path of made) await this.#teller.v1('GET', `${path}/status`);
  }

  async #faults(): Promise<void> {
    await this.#teller.control('POST', '/faults', { code: 'SERVICE_BLOCKED', method: 'GET', path: '/v1/accounts' });
    await this.#teller.control('POST', '/faults', { status: 503, when: 'before' });
    await this.#teller.control('GET', '/faults');
    await this.#read('/v1/accounts');
    await this.#read(cards);
    await this.#teller.control('POST', '/faults', { code: 'NONE' });
    await this.#teller.control('DELETE', '/faults');
  }

  /** What the bank's own channels do, and provoked rejections. */
  async #bankSide(): Promise<void> {
    const later = { requestedExecutionDate: '2027-04-13' };
    const paths = [];
    for (const amount of ['51.00', '52.00', '53.00', '54.00'])
      paths.push(await this.#pay(domestic, singlePayment({ ...nok(amount), ...later })));
    const ids = paths.map((path) => path.split('/').at(-1));
    await this.#teller.control('PATCH', `/payments/${ids[0]}`, { requestedExecutionDate: '2027-04-14' });
    await this.#teller.control('POST', `/payments/${ids[1]}/cancel`);
    await this.#teller.control('POST', `/payments/${ids[2]}/reject`, { reason: 'the account is closed' });
    await this.#teller.control('POST', `/payments/${ids[3]}/status`, { status: 'ACWC' });
    for (const path of paths) await this.#teller.v1('GET', `${path}/status`);
    await this.#teller.control('POST', '/accounts/34300000012/top-up', {
      amount: { amount: '500.00', currency: 'NOK' },
    });
    await this.#teller.control('POST', '/schedule?count=4', periodicPayment({ startDate: '2027-03-28' }));
    await this.#teller.control('POST', '/life', { account: '34400000036', persona: 'student', months: 1 });
  }

  /** After the last run before Easter, on Wednesday at 15:00. */
  async #late(): Promise<void> {
    await this.#pay(domestic, singlePayment(nok('71.00')));
    await this.#pay(domestic, singlePayment({ ...nok('72.00'), ...inside }));
    await this.#pay(productPath('sepa'), sepaPayment({ instructedAmount: { amount: '7.00', currency: 'EUR' } }));
    await this.#pay(domestic, singlePayment({ debtorAccount: { bban: '34400000036', currency: 'NOK' } }), kari);
  }

  async #books(): Promise<void> {
    const paths = ['/runs', '/runs/2027-03-30-1', '/ledger/proof', '/accounts', '/consents', '/life'];
    for (const path of paths) await this.#teller.control('GET', path);
    await this.#teller.control('GET', '/accounts/09232911044?from=2027-03-22&to=2027-03-31');
    await this.#teller.control('GET', '/search?q=Testperson');
  }

  /** The consent gets old, is revoked and given again. */
  async #time(): Promise<void> {
    const [first] =
      (await this.#read(`${this.#transactions}?bookingStatus=booked&limit=1`))?.transactions?.booked ?? [];
    const old = `${this.#transactions}?bookingStatus=booked&dateFrom=2026-10-01`;
    for (const by of ['PT2H', 'P61D', 'P30D', 'P89D', 'P2D']) {
      await this.#teller.control('POST', '/clock/advance', { by });
      await this.#read('/v1/accounts', unattended);
      await this.#read(old);
      await this.#read(`${this.#transactions}/${first?.transactionId ?? 'none'}`, unattended);
    }
    await this.#consent();
    await this.#read(`${this.#transactions}?bookingStatus=both&limit=2`);
    const { consents = [] } = (await this.#teller.control('GET', '/consents')) ?? {};
    for (const { consentId } of consents) await this.#teller.control('DELETE', `/consents/${consentId}`);
    for (const path of ['/v1/accounts', this.#transactions, cards]) await this.#read(path);
  }
}
