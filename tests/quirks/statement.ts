import { quirkNames } from '../../engine/bank/rules/quirk.ts';
import { bulkItem, bulkPayment, bulkPath, debtorBban, singlePath, singlePayment } from '../lab/bodies.ts';
import { paid, sepaPayment } from '../lab/products.ts';
import { did, startTestBank, type TestBank } from '../lab/server.ts';
import { forAll, forEach } from '../support/test-bank.ts';
import { cardMocks, kid, mock, mocks } from './mocks.ts';
import { cards, consentedHeaders, sandboxCards } from '../cards/card-client.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- tests read members of answers whose shape they assert
export type Shown = any;

/** A page of transactions. */
export interface List {
  readonly booked: Shown[];
  readonly pending: Shown[];
  readonly _links: Shown;
}

export class Statement {
  readonly bank: TestBank;
  readonly headers: Readonly<Record<string, string>>;
  private account = '';
  private card = '';

  private constructor(bank: TestBank, headers: Readonly<Record<string, string>>) {
    this.bank = bank;
    this.headers = headers;
  }

  static async begin(): Promise<Statement> {
    const bank = await startTestBank('2027-03-16T12:00:00+01:00');
    const statement = new Statement(bank, await consentedHeaders(bank));
    await statement.find();
    await statement.ok(
      'POST',
      statement.mocks,
      Object.values(mocks).map((each) => ({ ...mock, ...each })),
    );
    await statement.ok('POST', statement.cardMocks, cardMocks);
    await bank.pays(
      singlePath,
      singlePayment({ instructedAmount: nok('11.00'), remittanceInformationUnstructured: 'Husleie' }),
    );
    await bank.pays(
      singlePath,
      singlePayment({ instructedAmount: nok('12.00'), remittanceInformationStructuredArray: [kid] }),
    );
    await paid(bank, 'sepa', sepaPayment());
    await bank.pays(bulkPath, bulkPayment([bulkItem('13.00', { remittanceInformationUnstructured: 'Del' })]));
    await statement.advance('2027-03-17T12:00:00+01:00');
    await bank.pays(
      singlePath,
      singlePayment({ instructedAmount: nok('14.00'), remittanceInformationUnstructured: 'Strøm' }),
    );
    await bank.pays(
      singlePath,
      singlePayment({ instructedAmount: nok('15.00'), remittanceInformationStructuredArray: [kid] }),
    );
    await statement.advance('2027-03-17T13:45:00+01:00');
    return statement;
  }

  /** Finds account and card by the ids that they have now. */
  async find(): Promise<void> {
    const { accounts } = await this.ok('GET', '/v1/accounts');
    this.account = accounts.find(({ bban }: Shown) => bban === debtorBban).resourceId;
    const { cardAccounts } = await this.ok('GET', cards);
    this.card = cardAccounts[0].resourceId;
  }

  async advance(to: string): Promise<void> {
    await did(this.bank.advance({ to }));
  }

  /** Switches these quirks on and all others off. */
  async under(quirks: Readonly<Record<string, string | true>>): Promise<void> {
    const off = Object.fromEntries(quirkNames.map((name) => [name, false]));
    await did(this.bank.quirks({ ...off, ...quirks }));
  }

  /** Posts these amounts to the account, booked on a day, with these members. */
  async post(amounts: readonly number[], day: string, members: object = {}): Promise<void> {
    const posted = amounts.map((amount) => ({ ...mock, amount, bookingDate: day, valueDate: day, ...members }));
    await this.ok('POST', this.mocks, posted);
  }

  /** Posts these amounts to the card, booked on a day. */
  async postToCard(amounts: readonly string[], day: string): Promise<void> {
    const posted = amounts.map((amount) => ({ ...bought(amount), bookingDate: day, transactionDate: day }));
    await this.ok('POST', this.cardMocks, posted);
  }

  /** The list of the account: what is booked and what is pending. */
  list(query = 'bookingStatus=both'): Promise<List> {
    return this.follow({ href: `/v1/accounts/${this.account}/transactions?${query}` });
  }

  /** The page of a link of such a list. */
  async follow({ href }: { readonly href: string }): Promise<List> {
    return (await this.ok('GET', href)).transactions;
  }

  /** The list of the card account. */
  cardList(query = 'bookingStatus=both'): Promise<List> {
    return this.followCard({ href: `${cards}/${this.card}/transactions?${query}` });
  }

  async followCard({ href }: { readonly href: string }): Promise<List> {
    return (await this.ok('GET', href)).cardTransactions;
  }

  async details(id: string): Promise<Shown> {
    return (await this.ok('GET', `/v1/accounts/${this.account}/transactions/${id}`)).transactionsDetails;
  }

  /** The booked transaction of this amount. */
  async one(amount: string): Promise<Shown> {
    const { booked } = await this.list('bookingStatus=booked');
    return booked.find(({ transactionAmount }) => transactionAmount.amount === amount);
  }

  private get mocks(): string {
    return `/v1/sandbox/accounts/${this.account}/transactions`;
  }

  private get cardMocks(): string {
    return `${sandboxCards}/${this.card}/transactions`;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  stop(): Promise<void> {
    return this.bank.stop();
  }

  private async ok(method: string, path: string, body?: unknown): Promise<Shown> {
    return (await did(this.bank.signed(method, path, { headers: this.headers, body }))).body;
  }
}

function bought(amount: string): object {
  return { transactionAmount: { currency: 'NOK', amount: Number(amount) } };
}

function nok(amount: string): object {
  return { amount, currency: 'NOK' };
}

/** A statement for all tests of a file or of a `describe`. */
export function statementForAll(): Statement {
  return forAll(
    () => Statement.begin(),
    (statement) => statement.stop(),
  );
}

/** A statement for each test. */
export function statementForEach(): Statement {
  return forEach(
    () => Statement.begin(),
    (statement) => statement.stop(),
  );
}
