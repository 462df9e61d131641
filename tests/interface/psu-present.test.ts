import { describe, expect, test } from '@jest/globals';
import { endpoints } from '../../api/interface/index.ts';
import { operationOf } from '../../api/pipeline/endpoint.ts';
import {
  bulkItem,
  bulkPath,
  bulkPayment,
  periodicPath,
  periodicPayment,
  singlePath,
  singlePayment,
} from '../lab/bodies.ts';
import { psuHeaders, type Reply } from '../lab/server.ts';
import { kept } from '../support/journal.ts';
import { testBank } from '../support/test-bank.ts';

/* A8c over signed HTTP: calls without PSU-IP-Address. */
const now = '2027-03-24T12:00:00+01:00';
const banks = { usual: testBank(now), strict: testBank(now, ['--quirks', 'strict-signing']) };
type Bank = keyof typeof banks;

const note = 'accepted, but the document demands the PSU here; send PSU-IP-Address (psu-absent)';
const refusal = { status: 400, body: { tppMessages: [{ code: 'HTTP_HEADER_REQUIRED', path: 'psu-ip-address' }] } };
const bodies = {
  [singlePath]: singlePayment,
  [periodicPath]: periodicPayment,
};
type Path = keyof typeof bodies | typeof bulkPath;
let amounts = 0;
const amount = (): string => `${(amounts += 1)}.00`;

/** A new payment, which is not signed. */
async function initiated(bank: Bank, path: Path = singlePath): Promise<string> {
  const instructedAmount = { amount: amount(), currency: 'NOK' };
  const later = path === periodicPath ? { startDate: '2027-04-01' } : { requestedExecutionDate: '2027-04-01' };
  const body =
    path === bulkPath
      ? bulkPayment([bulkItem(amount())], later)
      : bodies[path]({ instructedAmount, ...later } as never);
  return (await banks[bank].initiates(path, body)).paymentId;
}

const alone = (bank: Bank, method: string, path: string, body?: object): Promise<Reply> =>
  banks[bank].signed(method, path, { body, headers: { ...psuHeaders(), 'psu-ip-address': null } });

async function basket(bank: Bank): Promise<string> {
  const paymentIds = [await initiated(bank), await initiated(bank)];
  return (await banks[bank].signed('POST', '/v1/signing-baskets', { body: { paymentIds } })).body.basketId;
}

type Ask = (bank: Bank) => Promise<Reply>;
const ofPayments: Record<string, Ask> = {};
for (const path of [singlePath, periodicPath, bulkPath] as const) {
  const service = path.replace(/[^/]*$/, '{product}');
  const on = async (bank: Bank) => `${path}/${await initiated(bank, path)}`;
  ofPayments[`DELETE ${service}/{paymentId}`] = async (bank) => alone(bank, 'DELETE', await on(bank));
  ofPayments[`POST ${service}/{paymentId}/authorisations`] = async (bank) =>
    alone(bank, 'POST', `${await on(bank)}/authorisations`);
  ofPayments[`POST ${service}/{paymentId}/cancellation-authorisations`] = async (bank) => {
    const payment = await on(bank);
    const { body } = await banks[bank].signed('POST', `${payment}/authorisations`);
    await banks[bank].approve(body);
    await banks[bank].signed('DELETE', payment);
    return alone(bank, 'POST', `${payment}/cancellation-authorisations`);
  };
}

/** Every call that begins or ends something with the PSU. */
const withPsu: Record<string, Ask> = {
  ...ofPayments,
  'POST /v1/signing-baskets': async (bank) =>
    alone(bank, 'POST', '/v1/signing-baskets', { paymentIds: [await initiated(bank), await initiated(bank)] }),
  'POST /v1/signing-baskets/{basketId}/authorisations': async (bank) =>
    alone(bank, 'POST', `/v1/signing-baskets/${await basket(bank)}/authorisations`),
  'GET /v1/users': (bank) => alone(bank, 'GET', '/v1/users'),
  'GET /v1/user': (bank) => alone(bank, 'GET', '/v1/user'),
  'POST /v1/bank-offered-consents': (bank) => alone(bank, 'POST', '/v1/bank-offered-consents'),
  'POST /v1/consents': (bank) => alone(bank, 'POST', '/v1/consents'),
};

const notesOf = async (bank: Bank, reply: Reply): Promise<string[]> =>
  (await kept(banks[bank], reply.headers.get('x-request-id') ?? ''))[0].notes;

describe('A8c: what begins or ends something with a PSU, without PSU-IP-Address', () => {
  test('the calls are these, and the document demands the header of initiations alone', () => {
    const declared = endpoints.filter((each) => each.withPsu === true).map(operationOf);
    expect(declared.toSorted()).toEqual(Object.keys(withPsu).toSorted());
  });

  test.each(Object.entries(withPsu))('%s is carried out and noted; strict-signing refuses it', async (_name, ask) => {
    const done = await ask('usual');
    expect([done.status < 300, done.body?.tppMessages]).toEqual([true, undefined]);
    expect(await notesOf('usual', done)).toEqual([note]);
    const refused = await ask('strict');
    expect(refused).toMatchObject(refusal);
    expect(await notesOf('strict', refused)).toEqual([]);
  });

  test.each(['usual', 'strict'] as const)('lists and statuses need no PSU: %s', async (bank) => {
    const headers = await banks[bank].consents();
    const payment = `${singlePath}/${await initiated(bank)}`;
    await banks[bank].approve((await banks[bank].signed('POST', `${payment}/authorisations`)).body);
    const reads = ['/v1/accounts', '/v1/card-accounts', '/v1/agreements', payment, `${payment}/status`];
    for (const path of [...reads, `/v1/signing-baskets/${await basket(bank)}`]) {
      const read = await banks[bank].signed('GET', path, { headers: { ...headers, 'psu-ip-address': null } });
      expect([path, read.status, read.body.tppMessages, await notesOf(bank, read)]).toEqual([path, 200, undefined, []]);
    }
  });

  test('what the bank refuses is not noted', async () => {
    const gone = `${singlePath}/${await initiated('usual')}`;
    await banks.usual.signed('DELETE', gone);
    const refusals = await Promise.all([
      alone('usual', 'DELETE', gone),
      alone('usual', 'POST', `${singlePath}/nope/authorisations`),
      alone('usual', 'POST', '/v1/signing-baskets', { paymentIds: ['nope', 'neither'] }),
      alone('usual', 'POST', '/v1/signing-baskets', {}),
    ]);
    for (const refused of refusals)
      expect([refused.status >= 400, await notesOf('usual', refused)]).toEqual([true, []]);
    await banks.usual.control('POST', '/sandbox/faults', { code: 'SERVICE_BLOCKED' });
    expect(await notesOf('usual', await alone('usual', 'POST', '/v1/consents'))).not.toContain(note);
  });

  test('with the header nothing is noted', async () => {
    const made = await banks.usual.signed('POST', '/v1/bank-offered-consents');
    expect([made.status, await notesOf('usual', made)]).toEqual([201, []]);
  });
});
