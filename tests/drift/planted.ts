import { createBank } from '../../api/harness/create-bank.ts';
import type { HarEntry } from '../../scripts/drift/har.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { type Answer, Recorder } from '../lab/recorder.ts';

/** A recording of forty calls, whose answers are named. */
export interface BaseRecording {
  readonly entries: readonly HarEntry[];
  readonly places: ReadonlyMap<string, number>;
}

const psu = { 'X-PSU-IDENTITY': '13039319955', 'PSU-Context': 'PRIVATE' };

/** Records what a client of accounts and payments does in a day and a night. */
export async function baseRecording(quirks: readonly string[] = []): Promise<BaseRecording> {
  await using bank = await createBank({ now: '2027-03-01T12:00:00+01:00', idSeed: 'base', quirks: quirks as never });
  const recorder = new Recorder(bank);
  const places = new Map<string, number>();
  let own: Record<string, string> = { 'TPP-Session-ID': 'session-1' };
  const call = (name: string, method: string, target: string, body?: unknown, headers = own): Promise<Answer> => {
    places.set(name, recorder.entries.length);
    return recorder.call(method, target, { headers, body });
  };
  const sign = (answer: Answer, accounts?: readonly string[]) => recorder.approve(answer, '13039319955', accounts);
  const read = ['09232911044', '70323119469', '123456******1234'];
  own = { ...own, 'PSU-ID': await sign(await call('consent', 'POST', '/v1/bank-offered-consents'), read) };
  const { accounts } = await call('accounts', 'GET', '/v1/accounts?withBalance=true');
  await call('agreements', 'GET', '/v1/agreements');
  const account = `/v1/accounts/${accounts[0].resourceId}`;
  await call('account', 'GET', account);
  await call('balances', 'GET', `${account}/balances`);
  const mock = (day: string, amount: number, text: string): object => ({
    amount,
    currency: 'NOK',
    bookingDate: `2027-02-${day}`,
    valueDate: `2027-02-${day}`,
    creditorName: 'Kiosken',
    bankTransactionCode: 'PMNT',
    remittanceInformationUnstructured: text,
  });
  const list = [mock('08', -45, '08.02 Kiosken'), mock('09', -46, 'Rema'), mock('10', -47, '10.02 Bok')];
  await call('posted', 'POST', `/v1/sandbox/accounts/${accounts[0].resourceId}/transactions`, list);
  const page = await call('page', 'GET', `${account}/transactions?bookingStatus=booked&limit=2`);
  const { next } = page.transactions._links;
  await call('next', 'GET', next?.href ?? `${account}/transactions?bookingStatus=booked&limit=2&offset=2`);
  await call('transaction', 'GET', `${account}/transactions/${page.transactions.booked[0].transactionId}`);
  const sunday = singlePayment({ requestedExecutionDate: '2027-03-07' });
  const payment = await call('payment', 'POST', singlePath, sunday, psu);
  const path = `${singlePath}/${payment.paymentId}`;
  await sign(payment);
  await call('status', 'GET', `${path}/status`);
  await call('details', 'GET', path);
  const small = (amount: string): object => singlePayment({ instructedAmount: { amount, currency: 'NOK' } });
  const second = await call('second', 'POST', singlePath, small('7.00'), psu);
  await call('deleted', 'DELETE', `${singlePath}/${second.paymentId}`);
  await call('refused', 'POST', singlePath, singlePayment({ creditorName: 7 }), psu);
  await call('signed', 'POST', `${path}/authorisations`, undefined, psu);
  await call('deletion', 'DELETE', path);
  const cancelling = await call('cancelling', 'POST', `${path}/cancellation-authorisations`);
  await sign(cancelling);
  await call('cancelled', 'GET', `${path}/status`);
  const { cardAccounts } = await call('cards', 'GET', '/v1/card-accounts');
  const purchases = `/v1/card-accounts/${cardAccounts[0].resourceId}/transactions?bookingStatus=both`;
  await call('purchases', 'GET', purchases);
  const straks = '/v1/payments/instant-norwegian-domestic-credit-transfers-straks';
  await sign(await call('straks', 'POST', straks, small('8.00'), psu));
  await call('both', 'GET', `${account}/transactions?bookingStatus=both`);
  await recorder.control('/clock/advance', { runs: 1 });
  const rent = await call('rent', 'POST', singlePath, small('9.00'), psu);
  await sign(rent);
  await call('pending', 'GET', `${singlePath}/${rent.paymentId}/status`);
  await recorder.control('/clock/advance', { runs: 1 });
  await call('settled', 'GET', `${singlePath}/${rent.paymentId}/status`);
  await call('again', 'GET', `${account}/transactions?bookingStatus=booked&limit=5`);
  await call('later', 'GET', '/v1/accounts?withBalance=true');
  for (let read = 0; read < 4; read += 1)
    await call(`unattended ${read}`, 'GET', `${account}/balances`, undefined, { ...own, 'PSU-IP-Address': '' });
  await call('exceeded', 'GET', `${account}/balances`, undefined, { ...own, 'PSU-IP-Address': '' });
  await call('unknown', 'GET', `${account}/transactions/nothing`);
  return { entries: recorder.entries, places };
}

interface Changeable {
  status: number;
  headers: { name: string; value: string }[];
}

/** A change of one recorded answer, and the line that must tell it. */
export interface Planted {
  readonly at: string;
  /** Changes the parsed answer in place. */
  readonly change?: (answer: Answer) => void;
  /** Changes the status or the headers. */
  readonly response?: (response: Changeable) => void;
  /** `kind path`. */
  readonly tells: string;
}

/** The recording with the changes. */
export function withPlanted({ entries, places }: BaseRecording, planted: readonly Planted[]): HarEntry[] {
  const changed = structuredClone(entries) as HarEntry[];
  for (const { at, change, response } of planted) {
    const place = places.get(at);
    const entry = place === undefined ? undefined : changed[place];
    if (place === undefined || entry === undefined) throw new Error(`there is no ${at}`);
    const answer = { ...entry.response, headers: [...entry.response.headers] };
    response?.(answer);
    const value: unknown = answer.content.text === '' ? undefined : JSON.parse(answer.content.text ?? '');
    change?.(value);
    const text = value === undefined ? '' : JSON.stringify(value);
    changed[place] = { ...entry, response: { ...answer, content: { ...answer.content, text } } };
  }
  return changed;
}

const status =
  (code: number) =>
  (response: Changeable): void =>
    void (response.status = code);
const without =
  (header: string) =>
  (response: Changeable): void =>
    void (response.headers = response.headers.filter(({ name }) => name.toLowerCase() !== header));
const longer = (id: string): string => `enc!!${'A'.repeat(id.length)}==`;
const booked = 'transactions.booked[]';

/** Sixty differences that a bank could have, each in one answer. */
export const plantedDifferences: readonly Planted[] = [
  // Members that are gone, or more.
  { at: 'accounts', change: (answer) => delete answer.accounts[0].product, tells: 'absent accounts[].product' },
  { at: 'accounts', change: (answer) => delete answer.accounts[1].iban, tells: 'absent accounts[].iban' },
  { at: 'accounts', change: (answer) => (answer.accounts[0].ownerName = 'Kari'), tells: 'extra accounts[].ownerName' },
  { at: 'account', change: (answer) => delete answer.account.bic, tells: 'absent account.bic' },
  { at: 'balances', change: (answer) => delete answer.account.currency, tells: 'absent account.currency' },
  {
    at: 'balances',
    change: (answer) => (answer.balances[0].referenceDate = '2027-03-01'),
    tells: 'extra balances[].referenceDate',
  },
  {
    at: 'page',
    change: (answer) => delete answer.transactions.booked[0].valueDate,
    tells: `absent ${booked}.valueDate`,
  },
  {
    at: 'next',
    change: (answer) => delete answer.transactions.booked[0].creditorName,
    tells: `absent ${booked}.creditorName`,
  },
  {
    at: 'transaction',
    change: (answer) => (answer.transactionsDetails.mcc = '5411'),
    tells: 'extra transactionsDetails.mcc',
  },
  { at: 'payment', change: (answer) => delete answer.transactionFees, tells: 'absent transactionFees' },
  { at: 'details', change: (answer) => delete answer.creditorName, tells: 'absent creditorName' },
  { at: 'details', change: (answer) => (answer.endToEndId = 'x'), tells: 'extra endToEndId' },
  { at: 'status', change: (answer) => delete answer.paymentId, tells: 'absent paymentId' },
  { at: 'refused', change: (answer) => delete answer.tppMessages[0].path, tells: 'absent tppMessages[].path' },
  {
    at: 'cards',
    change: (answer) => delete answer.cardAccounts[0].creditLimit,
    tells: 'absent cardAccounts[].creditLimit',
  },
  {
    at: 'both',
    change: (answer) => delete answer.transactions.pending[0].creditorAccount,
    tells: 'absent transactions.pending[].creditorAccount',
  },
  // Other types.
  {
    at: 'balances',
    change: (answer) => (answer.balances[0].balanceAmount.amount = 18_000),
    tells: 'type balances[].balanceAmount.amount',
  },
  {
    at: 'payment',
    change: (answer) => (answer.transactionFeeIndicator = 'false'),
    tells: 'type transactionFeeIndicator',
  },
  { at: 'accounts', change: (answer) => (answer.accounts[0].name = null), tells: 'type accounts[].name' },
  {
    at: 'page',
    change: (answer) => (answer.transactions.booked[0].remittanceInformationUnstructured = ['Bok']),
    tells: `type ${booked}.remittanceInformationUnstructured`,
  },
  { at: 'refused', change: (answer) => (answer.tppMessages = answer.tppMessages[0]), tells: 'type tppMessages' },
  { at: 'agreements', change: (answer) => (answer.agreements = {}), tells: 'type agreements' },
  // Forms.
  {
    at: 'accounts',
    change: (answer) => (answer.accounts[0].resourceId = longer(answer.accounts[0].resourceId)),
    tells: 'form accounts[].resourceId',
  },
  {
    at: 'transaction',
    change: (answer) => (answer.transactionsDetails.transactionId = '4711'),
    tells: 'form transactionsDetails.transactionId',
  },
  {
    at: 'second',
    change: (answer) => (answer.paymentId = '6ba7b810-9dad-41d1-80b4-00c04fd430c8'),
    tells: 'form paymentId',
  },
  {
    at: 'balances',
    change: (answer) => (answer.balances[1].balanceAmount.amount = '18000.0'),
    tells: 'form balances[].balanceAmount.amount',
  },
  {
    at: 'later',
    change: (answer) => (answer.accounts[0].balances[3].balanceAmount.amount = '18000'),
    tells: 'form accounts[].balances[].balanceAmount.amount',
  },
  {
    at: 'page',
    change: (answer) => (answer.transactions.booked[0].transactionAmount.amount = '-47.000'),
    tells: `form ${booked}.transactionAmount.amount`,
  },
  {
    at: 'next',
    change: (answer) => (answer.transactions.booked[0].transactionAmount.amount = '45.00'),
    tells: `changed ${booked}.transactionAmount`,
  },
  {
    at: 'page',
    change: (answer) => (answer.transactions.booked[1].bookingDate = '2027-02-09T00:00:00+01:00'),
    tells: `form ${booked}.bookingDate`,
  },
  {
    at: 'details',
    change: (answer) => (answer.requestedExecutionDate = '07.03.2027'),
    tells: 'form requestedExecutionDate',
  },
  {
    at: 'page',
    change: (answer) => (answer.transactions.booked[0].remittanceInformationUnstructured = '10.02 BOK'),
    tells: `form ${booked}.remittanceInformationUnstructured`,
  },
  {
    at: 'next',
    change: (answer) => (answer.transactions.booked[0].remittanceInformationUnstructured = 'Kiosken'),
    tells: `form ${booked}.remittanceInformationUnstructured`,
  },
  { at: 'accounts', change: (answer) => (answer.accounts[1].bban = '7032311946'), tells: 'changed accounts[].bban' },
  // Words.
  {
    at: 'balances',
    change: (answer) => (answer.balances[2].balanceType = 'authorised'),
    tells: 'value balances[].balanceType',
  },
  {
    at: 'payment',
    change: (answer) => (answer.transactionFeeIndicator = true),
    tells: 'value transactionFeeIndicator',
  },
  { at: 'status', change: (answer) => (answer.transactionStatus = 'ACTC'), tells: 'value transactionStatus' },
  { at: 'settled', change: (answer) => (answer.transactionStatus = 'PDNG'), tells: 'value transactionStatus' },
  { at: 'cancelled', change: (answer) => (answer.transactionStatus = 'RJCT'), tells: 'value transactionStatus' },
  { at: 'cancelling', change: (answer) => (answer.scaStatus = 'received'), tells: 'value scaStatus' },
  {
    at: 'page',
    change: (answer) => (answer.transactions.booked[0].bankTransactionCode = 'PMNT-ICDT'),
    tells: `value ${booked}.bankTransactionCode`,
  },
  {
    at: 'payment',
    change: (answer) => (answer.tppMessages[0].code = 'FORMAT_ERROR'),
    tells: 'code tppMessages[].code',
  },
  { at: 'refused', change: (answer) => (answer.tppMessages[0].path = 'creditor'), tells: 'path tppMessages[].path' },
  { at: 'refused', change: (answer) => (answer.tppMessages[0].code = 'BAD_REQUEST'), tells: 'code tppMessages[].code' },
  {
    at: 'accounts',
    change: (answer) => (answer.accounts[1].cashAccountType = 'Current'),
    tells: 'value accounts[].cashAccountType',
  },
  // Statuses.
  { at: 'payment', response: status(200), tells: 'status /v1/payments/:product' },
  { at: 'deleted', response: status(202), tells: 'status /v1/payments/:product/:paymentId' },
  { at: 'signed', response: status(400), tells: 'status /v1/payments/:product/:paymentId/authorisations' },
  { at: 'exceeded', response: status(403), tells: 'status /v1/accounts/:accountId/balances' },
  { at: 'unknown', response: status(404), tells: 'status /v1/accounts/:accountId/transactions/:transactionId' },
  // Order, links, verbs, paging.
  { at: 'page', change: (answer) => answer.transactions.booked.reverse(), tells: `order ${booked}` },
  { at: 'accounts', change: (answer) => answer.accounts.reverse(), tells: 'order accounts[]' },
  { at: 'page', change: (answer) => delete answer.transactions._links.next, tells: 'link transactions._links.next' },
  {
    at: 'page',
    change: (answer) =>
      (answer.transactions._links.next.href = answer.transactions._links.next.href.replace('cursor', 'page')),
    tells: 'link transactions._links.next.href',
  },
  { at: 'status', change: (answer) => (answer._links.self.verbs = ['GET']), tells: 'verbs _links.self.verbs' },
  {
    at: 'payment',
    change: (answer) => (answer._links.self.href = `https://bank.example${answer._links.self.href}`),
    tells: 'link _links.self.href',
  },
  {
    at: 'second',
    change: (answer) => (answer._links.startAuthorization = answer._links.startAuthorisation),
    tells: 'link _links.startAuthorization',
  },
  {
    at: 'next',
    change: (answer) => (answer.transactions.booked[0].transactionId = 'PAGE'),
    tells: `changed ${booked}.transactionId`,
  },
  // Headers, and what changes between two reads.
  { at: 'exceeded', response: without('retry-after'), tells: 'header retry-after' },
  { at: 'balances', response: without('x-request-id'), tells: 'header x-request-id' },
  {
    at: 'accounts',
    response: (response) =>
      (response.headers = response.headers.map(({ name, value }) => ({
        name,
        value: name === 'content-type' ? 'text/json' : value,
      }))),
    tells: 'header content-type',
  },
  {
    at: 'later',
    change: (answer) => (answer.accounts[0].resourceId = answer.accounts[0].resourceId.replace(/.{4}=/, 'AAAA=')),
    tells: 'changed accounts[].resourceId',
  },
  {
    at: 'again',
    change: (answer) =>
      (answer.transactions.booked[1].transactionId = answer.transactions.booked[1].transactionId.replace(
        /.{4}=/,
        'AAAA=',
      )),
    tells: `changed ${booked}.transactionId`,
  },
  // Values that follow from the request, or from an earlier answer.
  {
    at: 'details',
    change: (answer) => (answer.instructedAmount.amount = '78.00'),
    tells: 'value instructedAmount.amount',
  },
  {
    at: 'details',
    change: (answer) => (answer.instructedAmount.currency = 'SEK'),
    tells: 'value instructedAmount.currency',
  },
  { at: 'details', change: (answer) => (answer.creditorName = 'Another'), tells: 'value creditorName' },
  { at: 'details', change: (answer) => (answer.debtorAccount.bban = '70323119469'), tells: 'value debtorAccount.bban' },
  {
    at: 'details',
    change: (answer) => delete answer.creditorAccount.currency,
    tells: 'absent creditorAccount.currency',
  },
  {
    at: 'details',
    change: (answer) => (answer.requestedExecutionDate = '2027-03-06'),
    tells: 'value requestedExecutionDate',
  },
  {
    at: 'details',
    change: (answer) => (answer.paymentId = answer.paymentId.replace(/.{4}==/, 'AAAA==')),
    tells: 'value paymentId',
  },
  {
    at: 'status',
    change: (answer) => (answer.paymentId = answer.paymentId.replace(/.{4}==/, 'AAAA==')),
    tells: 'value paymentId',
  },
  { at: 'status', change: (answer) => (answer.transactionStatus = 'PATC'), tells: 'link _links.startAuthorisation' },
  { at: 'status', change: (answer) => (answer.fundsAvailable = false), tells: 'extra fundsAvailable' },
  { at: 'details', change: (answer) => (answer.transactionStatus = 'RCVD'), tells: 'value transactionStatus' },
  {
    at: 'pending',
    change: (answer) => (answer.transactionStatus = 'RCVD'),
    tells: 'status /v1/payments/:product/:paymentId/status',
  },
  { at: 'payment', change: (answer) => (answer.transactionStatus = 'ACSC'), tells: 'value transactionStatus' },
  { at: 'payment', change: (answer) => (answer.transactionStatus = 'PART'), tells: 'value transactionStatus' },
  {
    at: 'payment',
    change: (answer) => (answer.transactionFees.amount = '5.00'),
    tells: 'value transactionFeeIndicator',
  },
  { at: 'payment', change: (answer) => delete answer.tppMessages, tells: 'absent tppMessages' },
  {
    at: 'payment',
    change: (answer) => (answer.tppMessages[0].path = 'executionDate'),
    tells: 'path tppMessages[].path',
  },
  {
    at: 'payment',
    change: (answer) => (answer.tppMessages[0].category = 'INFO'),
    tells: 'value tppMessages[].category',
  },
  {
    at: 'refused',
    change: (answer) => (answer.tppMessages[0].category = 'WARNING'),
    tells: 'value tppMessages[].category',
  },
  { at: 'refused', change: (answer) => (answer.tppMessages[0].text = ''), tells: 'form tppMessages[].text' },
  { at: 'refused', response: status(422), tells: 'status /v1/payments/:product' },
  { at: 'cancelling', change: (answer) => delete answer.scaStatus, tells: 'absent scaStatus' },
  { at: 'accounts', change: (answer) => (answer.accounts[0].currency = 'nok'), tells: 'value accounts[].currency' },
  { at: 'accounts', change: (answer) => (answer.accounts[0].name = 'Sparekonto'), tells: 'changed account.name' },
  { at: 'account', change: (answer) => (answer.account.product = 'Konto'), tells: 'changed account.product' },
  { at: 'account', change: (answer) => (answer.account.iban = 'NO9386011117947'), tells: 'value account.iban' },
  {
    at: 'account',
    change: (answer) => (answer.account.resourceId = answer.account.resourceId.replace(/.{4}==/, 'AAAA==')),
    tells: 'value account.resourceId',
  },
  { at: 'account', change: (answer) => (answer.account.balances = []), tells: 'extra account.balances' },
  { at: 'later', change: (answer) => delete answer.accounts[0].balances, tells: 'absent accounts[].balances' },
  {
    at: 'balances',
    change: (answer) => (answer.balances[0].balanceAmount.currency = 'EUR'),
    tells: 'value balances[].balanceAmount.currency',
  },
  { at: 'balances', change: (answer) => answer.balances.pop(), tells: 'absent balances[]' },
  { at: 'balances', change: (answer) => (answer.account.bban = '70323119469'), tells: 'changed account.bban' },
  {
    at: 'transaction',
    change: (answer) => (answer.transactionsDetails.bookingDate = '2027-02-11'),
    tells: 'changed transactionsDetails.bookingDate',
  },
  {
    at: 'transaction',
    change: (answer) => (answer.transactionsDetails.transactionAmount.amount = '-48.00'),
    tells: 'changed transactionsDetails.transactionAmount',
  },
  {
    at: 'transaction',
    change: (answer) => delete answer.transactionsDetails.creditorName,
    tells: 'absent transactionsDetails.creditorName',
  },
  {
    at: 'again',
    change: (answer) => (answer.transactions.booked[2].valueDate = '2027-02-01'),
    tells: `changed ${booked}.valueDate`,
  },
  {
    at: 'page',
    change: (answer) => (answer.transactions.booked[0].transactionAmount.currency = 'EUR'),
    tells: `value ${booked}.transactionAmount.currency`,
  },
  {
    at: 'page',
    change: (answer) => (answer.transactions.booked[0].remittanceInformationUnstructuredArray = ['Another']),
    tells: `value ${booked}.remittanceInformationUnstructuredArray[]`,
  },
  {
    at: 'page',
    change: (answer) => delete answer.transactions.booked[0].remittanceInformationUnstructuredArray,
    tells: `absent ${booked}.remittanceInformationUnstructuredArray`,
  },
  {
    at: 'cards',
    change: (answer) => (answer.cardAccounts[0].maskedPan = '1234'),
    tells: 'form cardAccounts[].maskedPan',
  },
  // Order and paging.
  { at: 'balances', change: (answer) => answer.balances.reverse(), tells: 'order balances[]' },
  { at: 'later', change: (answer) => answer.accounts.reverse(), tells: 'order accounts[]' },
  { at: 'again', change: (answer) => answer.transactions.booked.reverse(), tells: `order ${booked}` },
  { at: 'again', change: (answer) => answer.transactions.booked.splice(1, 1), tells: `absent ${booked}` },
  {
    at: 'page',
    change: (answer) => answer.transactions.booked.push(answer.transactions.booked[0]),
    tells: `extra ${booked}`,
  },
  { at: 'page', change: (answer) => delete answer.transactions.booked, tells: 'absent transactions.booked' },
  { at: 'page', change: (answer) => (answer.transactions.pending = []), tells: 'extra transactions.pending' },
  {
    at: 'page',
    change: (answer) => (answer.transactions._links.previous = answer.transactions._links.next),
    tells: 'link transactions._links.previous',
  },
  {
    at: 'next',
    change: (answer) => delete answer.transactions._links.previous,
    tells: 'link transactions._links.previous',
  },
  {
    at: 'page',
    change: (answer) =>
      (answer.transactions._links.self.href = answer.transactions._links.self.href.replace('limit=2', 'limit=200')),
    tells: 'link transactions._links.self.href',
  },
  {
    at: 'page',
    change: (answer) => (answer.transactions._links.next.verbs = ['POST']),
    tells: 'verbs transactions._links.next.verbs',
  },
  // Links and headers.
  { at: 'account', change: (answer) => delete answer.account._links.balances, tells: 'link account._links.balances' },
  {
    at: 'account',
    change: (answer) => (answer.account._links.balances.href += '/now'),
    tells: 'link account._links.balances.href',
  },
  { at: 'status', change: (answer) => (answer._links.status.href += '/'), tells: 'link _links.status.href' },
  {
    at: 'consent',
    change: (answer) => (answer._links.scaRedirect.href = '/sca/1'),
    tells: 'link _links.scaRedirect.href',
  },
  { at: 'unknown', response: without('content-type'), tells: 'header content-type' },
  {
    at: 'accounts',
    response: (response) => void response.headers.push({ name: 'Location', value: '/v1/accounts' }),
    tells: 'header location',
  },
];
