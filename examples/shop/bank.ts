import { signingFetch } from 'sandbank/client';

/** Who is at the shop, and where the bank sends the browser back to. */
export interface Visit {
  /** The PSU as the bank knows them for this shop: `psu-id` of the redirect after their consent. */
  readonly psuId: string | null;
  /** One for each visit: the bank ties the PSU's session to it. */
  readonly sessionId: string;
  readonly ip: string;
  readonly returnTo: string;
}

/** What the shop asks the bank to pay. */
export interface Order {
  /** Also the X-Request-ID: sent twice, it is still one payment. */
  readonly id: string;
  readonly account: string;
  readonly amount: string;
  readonly text: string;
  /** Of a standing order. */
  readonly startDate: string | null;
}

export interface Payment {
  readonly paymentId: string;
  readonly path: string;
  /** It is null if the bank needs no approval. */
  readonly authorisationPath: string | null;
}

export interface PaymentStatus {
  readonly transactionStatus: string;
  /** In plain words, for the customer. */
  readonly psuMessage?: string;
}

export interface Account {
  readonly resourceId: string;
  readonly bban?: string;
  readonly name: string;
  readonly currency: string;
  readonly balances: readonly { readonly balanceType: string; readonly balanceAmount: Money }[];
}

export interface Money {
  readonly amount: string;
  readonly currency: string;
}

export interface Transaction {
  readonly bookingDate?: string;
  readonly transactionAmount: Money;
  readonly creditorName?: string;
  readonly debtorName?: string;
  readonly remittanceInformationUnstructured?: string;
}

/** What the bank refused, with the first of its codes. */
export class BankRefusal extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

interface Links {
  readonly _links: Readonly<Record<string, { readonly href: string } | undefined>>;
}

/** The shop's own account, at another bank. */
const shopAccount = { bban: '90491105991', currency: 'NOK' };

/** The bank, for a TPP with this certificate and key (PEM). Each call throws a BankRefusal when the bank refuses. */
export class Bank {
  readonly #fetch: typeof fetch;

  constructor(base: string, { certificate, key }: { readonly certificate: string; readonly key: string }) {
    // Signs what it sends: Digest, Signature and the certificate, and an X-Request-ID where there is none.
    this.#fetch = signingFetch({ base, certificate, key });
  }

  /** Asks for a consent to read accounts. Returns the bank's page, on which the PSU says who they are and which accounts. */
  async consentPage(visit: Visit): Promise<string> {
    const { _links } = await this.#call<Links>(visit, 'POST', '/v1/bank-offered-consents');
    return href(_links, 'scaRedirect');
  }

  async accounts(visit: Visit): Promise<readonly Account[]> {
    const answer = await this.#call<{ accounts: readonly Account[] }>(visit, 'GET', '/v1/accounts?withBalance=true');
    return answer.accounts;
  }

  /** The latest transactions of an account: those that are pending have no date yet. */
  async transactions(visit: Visit, accountId: string): Promise<readonly Transaction[]> {
    type Answer = { transactions: { booked: readonly Transaction[]; pending: readonly Transaction[] } };
    const path = `/v1/accounts/${encodeURIComponent(accountId)}/transactions?bookingStatus=both`;
    const { transactions } = await this.#call<Answer>(visit, 'GET', path);
    return [...transactions.pending, ...transactions.booked];
  }

  /** Initiates a payment, or a standing order on a day of each month. Nothing is paid before the PSU approves. */
  async initiate(visit: Visit, { id, account, amount, text, startDate }: Order): Promise<Payment> {
    const body = {
      instructedAmount: { amount, currency: 'NOK' },
      debtorAccount: { bban: account, currency: 'NOK' },
      creditorAccount: shopAccount,
      creditorName: 'Fjord Coffee',
      remittanceInformationUnstructured: text,
      ...(startDate !== null && { startDate, frequency: 'Monthly' }),
    };
    // Two bags on one day are two payments. That a form is sent twice, the X-Request-ID tells.
    const path =
      startDate === null
        ? '/v1/payments/norwegian-domestic-credit-transfers?allowLogicalDuplicate=true'
        : '/v1/periodic-payments/norwegian-domestic-credit-transfers';
    const headers = { 'X-Request-ID': id, ...(startDate !== null && { 'x-accept-fix': 'status' }) };
    type Answer = Links & { readonly paymentId: string };
    const { paymentId, _links } = await this.#call<Answer>(visit, 'POST', path, headers, body);
    return {
      paymentId,
      path: href(_links, 'self'),
      authorisationPath: _links['startAuthorisation']?.href ?? null,
    };
  }

  /** Starts the approval of a payment. Returns the bank's page for it. */
  async approvalPage(visit: Visit, authorisationPath: string): Promise<string> {
    return href((await this.#call<Links>(visit, 'POST', authorisationPath))._links, 'scaRedirect');
  }

  /** Where a payment stands. Once it is booked it was paid, and the bank shows it among the transactions alone. */
  async status(visit: Visit, path: string): Promise<PaymentStatus> {
    try {
      return await this.#call<PaymentStatus>(visit, 'GET', path);
    } catch (error) {
      if (error instanceof BankRefusal && error.code === 'RESOURCE_UNKNOWN') return { transactionStatus: 'ACSC' };
      throw error;
    }
  }

  async #call<Answer>(visit: Visit, method: string, path: string, more: object = {}, body?: object): Promise<Answer> {
    const headers = {
      Accept: 'application/json',
      'TPP-Redirect-URI': visit.returnTo,
      'TPP-Session-ID': visit.sessionId,
      'PSU-IP-Address': visit.ip,
      'PSU-Context': 'PRIVATE',
      ...(visit.psuId !== null && { 'PSU-ID': visit.psuId }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...more,
    };
    const answer = await this.#fetch(path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const said = (await answer.json()) as Answer & { tppMessages?: readonly { code: string; text: string }[] };
    if (answer.ok) return said;
    const [first] = said.tppMessages ?? [];
    throw new BankRefusal(first?.code ?? String(answer.status), first?.text ?? 'The bank gave no reason.');
  }
}

function href(links: Links['_links'], name: string): string {
  const link = links[name];
  if (link === undefined) throw new Error(`The bank gave no link ${name}.`);
  return link.href;
}
