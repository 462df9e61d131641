import { createBank } from '../../api/harness/create-bank.ts';
import type { HarEntry } from '../../scripts/drift/har-file.ts';
import {
  bulkItem,
  bulkPath,
  bulkPayment,
  periodicPath,
  periodicPayment,
  singlePath,
  singlePayment,
} from '../lab/bodies.ts';
import { type Answer, Recorder, type RecordingBank } from '../lab/recorder.ts';

/** A recording whose entries have names. */
export interface BaseRecording {
  readonly entries: readonly HarEntry[];
  readonly places: ReadonlyMap<string, number>;
}

const psu = { 'X-PSU-IDENTITY': '13039319955', 'PSU-Context': 'PRIVATE' };

const recordings = new Map<string, Promise<BaseRecording>>();

/** The calls of a client of accounts and payments, recorded once for each bank. `isOfDoor`: as they are sent to the unsigned door. */
export function baseRecording(bank: RecordingBank = {}, isOfDoor = false): Promise<BaseRecording> {
  const key = JSON.stringify([bank, isOfDoor]);
  const made = recordings.get(key) ?? record(bank, isOfDoor);
  recordings.set(key, made);
  return made;
}

async function record({ profile, quirks = [] }: RecordingBank, isOfDoor: boolean): Promise<BaseRecording> {
  await using bank = await createBank({
    now: '2027-03-01T12:00:00+01:00',
    idSeed: 'base',
    quirks: quirks as never,
    ...(profile !== undefined && { profile }),
  });
  const recorder = new Recorder(bank, isOfDoor);
  const places = new Map<string, number>();
  let own: Record<string, string> = { 'TPP-Session-ID': 'session-1', 'x-accept-fix': 'longer-names' };
  const call = (name: string, method: string, target: string, body?: unknown, headers = own): Promise<Answer> => {
    places.set(name, recorder.entries.length);
    return recorder.call(method, target, { headers, body });
  };
  const sign = (answer: Answer, accounts?: readonly string[]) => recorder.approve(answer, '13039319955', accounts);
  const identified = await sign(await call('user', 'GET', '/v1/users'));
  await call('unconsented', 'GET', '/v1/accounts', undefined, { ...own, 'PSU-ID': identified });
  const read = ['09232911044', '70323119469', '123456******1234'];
  own = { ...own, 'PSU-ID': await sign(await call('consent', 'POST', '/v1/bank-offered-consents'), read) };
  const { accounts } = await call('accounts', 'GET', '/v1/accounts?withBalance=true');
  // The list is in the order of ids, which are drawn: this one pays below.
  const { resourceId } = accounts.find(({ bban }: { readonly bban?: string }) => bban === '09232911044');
  const account = `/v1/accounts/${resourceId}`;
  await call('account', 'GET', account);
  await call('balances', 'GET', `${account}/balances`);
  const mock = (day: string, amount: number): object => ({
    ...{ amount, currency: 'NOK', bookingDate: `2027-02-${day}`, valueDate: `2027-02-${day}` },
    creditorName: 'Kiosken',
    bankTransactionCode: 'PMNT-CCRD-POSD',
    remittanceInformationStructuredArray: [{ reference: '2345676', referenceType: 'SCOR' }],
    remittanceInformationUnstructured: `${day}.02 Kiosken`,
  });
  await call('posted', 'POST', `/v1/sandbox/accounts/${resourceId}/transactions`, [mock('08', -45), mock('09', -46)]);
  const asPsu = { 'TPP-Session-ID': 'session-1', 'x-accept-fix': 'longer-names', ...psu };
  const small = singlePayment({ instructedAmount: { amount: '7.00', currency: 'NOK' } });
  const other = singlePayment({ instructedAmount: { amount: '8.00', currency: 'NOK' } });
  const payment = await call('payment', 'POST', singlePath, singlePayment(), asPsu);
  await call('authorisation', 'POST', `${singlePath}/${payment.paymentId}/authorisations`, undefined, asPsu);
  await sign(payment);
  await call('status', 'GET', `${singlePath}/${payment.paymentId}/status`);
  await call('details', 'GET', `${singlePath}/${payment.paymentId}`);
  await call(
    'periodic',
    'POST',
    periodicPath,
    periodicPayment({ frequency: 'MonthlyVariable', monthsOfExecution: [3, 6] }),
    asPsu,
  );
  const items = bulkPayment([bulkItem('3.00'), bulkItem('4.00')]);
  const bulk = await call('bulk', 'POST', bulkPath, items, asPsu);
  await call('bulk details', 'GET', `${bulkPath}/${bulk.paymentId}`);
  const creditorAccount = { iban: 'NO6290491105991', currency: 'NOK' };
  const byIban = await call('by iban', 'POST', singlePath, { ...other, creditorAccount }, asPsu);
  await call('iban details', 'GET', `${singlePath}/${byIban.paymentId}`);
  await call('unknown', 'GET', `${singlePath}/nothing`);
  await recorder.control('/faults', { method: 'GET', path: '/v1/agreements', code: 'ACCESS_EXCEEDED' });
  await call('limited', 'GET', '/v1/agreements');
  await call('refused', 'POST', singlePath, singlePayment({ creditorName: 7 }), asPsu);
  await recorder.control('/clock/advance', { runs: 2 });
  await sign(await call('second', 'POST', singlePath, small, asPsu));
  await recorder.control('/clock/advance', { runs: 1 });
  await call('transactions', 'GET', `${account}/transactions?bookingStatus=both`);
  await call('cards', 'GET', '/v1/card-accounts');
  return { entries: recorder.entries, places };
}

/** An entry that may be changed, with its bodies parsed. */
export interface Changeable {
  readonly request: { url: string; headers: { name: string; value: string }[] };
  readonly response: { status: number; headers: { name: string; value: string }[] };
  /** Undefined: there is none. */
  sent: Answer;
  answer: Answer;
}

/** The recording with one entry changed. */
export function withPlanted(
  { entries, places }: BaseRecording,
  at: string,
  change: (entry: Changeable) => void,
): HarEntry[] {
  const place = places.get(at);
  const entry = place === undefined ? undefined : entries[place];
  if (place === undefined || entry === undefined) throw new Error(`there is no ${at}`);
  const { request, response } = structuredClone(entry) as typeof entry;
  const { postData } = request;
  const changed: Changeable = {
    request: request as unknown as Changeable['request'],
    response: response as unknown as Changeable['response'],
    sent: postData === undefined ? undefined : JSON.parse(postData.text),
    answer: JSON.parse(response.content.text ?? ''),
  };
  change(changed);
  const content = { ...response.content, text: JSON.stringify(changed.answer) };
  const sent = postData !== undefined && { postData: { ...postData, text: JSON.stringify(changed.sent) } };
  return entries.with(place, {
    ...entry,
    request: { ...changed.request, ...sent } as never,
    response: { ...changed.response, content } as never,
  });
}

/** Sets the member at a path of names and places: `['booked', 0, 'name']`. JSON leaves out one that is undefined. */
export function put(root: Answer, path: readonly (string | number)[], value: unknown): void {
  const holder = path.slice(0, -1).reduce((at, name) => at[name], root);
  holder[path.at(-1) ?? ''] = value;
}

/** Removes a header, or sets it. */
export function header(headers: { name: string; value: string }[], name: string, value?: string): void {
  const at = headers.findIndex((each) => each.name.toLowerCase() === name.toLowerCase());
  if (at >= 0) headers.splice(at, 1);
  if (value !== undefined) headers.push({ name, value });
}
