import { beforeEach, describe, expect, test } from '@jest/globals';
import { knownState } from '../lab/bank.ts';
import { testTppId } from '../../api/signing/test-tpp.ts';
import { did } from '../lab/server.ts';
import { testBank } from '../support/test-bank.ts';

const nora = '13039319955';
const order = { from: '09232911044', to: '90491105991', amount: '250.00' };
const company = '34330000017';

const bank = testBank('2027-03-24T12:00:00+01:00');
beforeEach(() => bank.reset());

// eslint-disable-next-line @typescript-eslint/no-explicit-any
async function made(changes: object = {}, path = ''): Promise<any> {
  const { status, body } = await bank.control('POST', `${path}/sandbox/payments`, { ...order, ...changes });
  expect([status, body.detail]).toEqual([200, undefined]);
  return body;
}

describe('C22: one call initiates a payment and signs it', () => {
  test('a single payment: what the TPP was told, the SCA with its redirect, the signed payment; it settles', async () => {
    const { told, payment, scas, refusal } = await made({ kid: '12345678903', creditorName: 'Company 123' });
    expect(told).toMatchObject({ status: 201, body: { paymentId: payment.paymentId, transactionStatus: 'RCVD' } });
    expect(payment).toMatchObject({
      status: 'PDNG',
      tpp: { id: testTppId('pay') },
      signatures: [{ psu: nora }],
      initiation: {
        creditorName: 'Company 123',
        remittanceInformationStructuredArray: [{ reference: '12345678903', referenceType: 'SCOR' }],
      },
    });
    expect(scas).toEqual([
      {
        id: expect.any(String),
        address: `${bank.address}/sca/${scas[0].id}`,
        psu: nora,
        redirect: expect.stringContaining('psu-id='),
      },
    ]);
    expect(told.body._links.scaRedirect.href).toBe(scas[0].address);
    expect(refusal).toBe(null);
    const until = { paymentId: payment.paymentId, status: 'ACSC' };
    expect((await bank.advance({ until })).status).toBe(200);
  });

  test('the initiation is in the journal, as that of the TPP named', async () => {
    const { told, payment } = await made({ tpp: 'shop' });
    expect(payment.tpp.id).toBe(testTppId('shop'));
    const { body } = await bank.control('GET', `/sandbox/requests/${told.requestId}`);
    expect(body.requests).toMatchObject([{ method: 'POST', status: 201, tpp: testTppId('shop') }]);
  });

  test('everybody who must signs; named PSUs sign in their order, and a missing signature stays missing', async () => {
    const both = await made({ from: company });
    expect(both.payment.signatures.map(({ psu }: { psu: string }) => psu)).toEqual(['17818050100', '20818850094']);
    expect(both.scas).toHaveLength(2);
    const one = await made({ from: company, sign: ['20818850094'], amount: '3.00' });
    expect(one).toMatchObject({ payment: { status: 'PATC' }, scas: [{ psu: '20818850094' }], refusal: null });
  });

  test('false: nobody signs, and the SCA is open for the PSU named, in the context of an agreement', async () => {
    const { payment, scas, refusal } = await made({ sign: false, psu: nora });
    expect([payment.status, refusal, scas]).toEqual(['RCVD', null, [expect.objectContaining({ redirect: null })]]);
    const [sca] = scas;
    expect(sca.psu).toBe(null);
    expect((await bank.control('GET', '/sandbox/sca')).body.scas).toMatchObject([
      { id: sca.id, signers: [{ number: nora }] },
    ]);
    const approval = { outcome: 'approve', psu: nora, context: 'PRIVATE' };
    expect((await bank.control('POST', `/sandbox/sca/${sca.id}`, approval)).status).toBe(200);
    const agreements = (await bank.control('GET', '/sandbox/agreements')).body.agreements;
    const agreement = agreements.find(({ owner }: { owner: { number: string } }) => owner.number === '11111111').id;
    const corporate = await made({ from: '34110000016', sign: false, psu: '18129215603', agreement });
    const open = (await bank.control('GET', '/sandbox/sca')).body.scas;
    expect(open.find(({ id }: { id: string }) => id === corporate.scas[0].id)).toMatchObject({
      context: 'CORPORATE',
      agreement,
    });
  });

  test.each<[string, object, object]>([
    ['a wrong amount', { amount: '0' }, { status: 400, tppMessages: [{ code: 'FORMAT_ERROR' }] }],
    ['an account of no bank', { from: '99999999999' }, { status: 400, tppMessages: [{ code: 'RESOURCE_UNKNOWN' }] }],
    ['a passed date', { on: '2020-01-01' }, { status: 400, tppMessages: [{ code: 'EXECUTION_DATE_INVALID' }] }],
    ['two texts', { kid: '12345678903', text: 'both' }, { status: 400, tppMessages: [{ code: 'FORMAT_ERROR' }] }],
  ])('what the bank refuses, as its TPP reads it: %s', async (_what, changes, wanted) => {
    const { told, payment, scas, refusal } = await made(changes);
    expect(refusal).toMatchObject(wanted);
    expect(told).toMatchObject({ status: refusal.status, body: { tppMessages: refusal.tppMessages } });
    expect([payment, scas]).toEqual([null, []]);
  });

  test('an account of a company from which nobody may pay is refused at from, unless the caller names who signs', async () => {
    const agreements = knownState.agreements.filter(({ owner }) => owner !== '22222222');
    await did(bank.control('POST', '/sandbox/banks', { name: 'alone', fixtures: { ...knownState, agreements } }));
    const from = '34220000011';
    const detail = `Nobody may pay from ${from}: no agreement has the account with REGISTER. Name who signs in sign.`;
    for (const changes of [{}, { psu: nora }, { sign: false }, { sign: [] }]) {
      const sent = { ...order, from, ...changes };
      const { status, body } = await bank.control('POST', '/banks/alone/sandbox/payments', sent);
      expect([changes, status, body.errors]).toEqual([changes, 400, [{ path: 'from', detail }]]);
    }
    const named = await made({ from, sign: [nora] }, '/banks/alone');
    expect(named).toMatchObject({ payment: { status: 'RCVD' }, refusal: { tppMessages: [{ code: 'FORBIDDEN' }] } });
    const unsigned = await made({ from, sign: false, psu: nora, amount: '2.00' }, '/banks/alone');
    expect(unsigned).toMatchObject({ payment: { status: 'RCVD' }, refusal: null, scas: [{ psu: null }] });
  });

  test('a PSU who may not sign: the payment stays, with the failure', async () => {
    const { payment, scas, refusal } = await made({ sign: ['12085592767'] });
    expect(refusal).toMatchObject({ status: 403, tppMessages: [{ code: 'FORBIDDEN' }] });
    expect([payment.status, scas]).toEqual(['RCVD', [expect.objectContaining({ psu: '12085592767' })]]);
    expect(scas[0].redirect).toContain('code=FORBIDDEN');
  });

  test('the same payment again, with allowDuplicate alone', async () => {
    await made();
    expect(await made()).toMatchObject({ refusal: { tppMessages: [{ code: 'CONFLICT' }] } });
    expect(await made({ allowDuplicate: true })).toMatchObject({ refusal: null });
  });

  test.each<[string, object, object]>([
    [
      'a standing order, from today, with its rule',
      { every: 'Monthly', dayOfExecution: 15, executionRule: 'preceeding', until: '2028-01-01' },
      {
        service: 'periodic-payments',
        initiation: {
          startDate: '2027-03-24',
          endDate: '2028-01-01',
          dayOfExecution: '15',
          executionRule: 'preceeding',
        },
      },
    ],
    [
      'one in some months',
      { every: 'MonthlyVariable', on: '2027-04-20', monthsOfExecution: [4, 6] },
      { initiation: { monthsOfExecution: [4, 6] } },
    ],
    [
      'a bulk payment',
      {
        to: undefined,
        amount: undefined,
        payments: [
          { to: order.to, amount: '1.00', text: 'one' },
          { to: order.to, amount: '2.00', more: { creditorName: 'Anne' } },
        ],
      },
      {
        service: 'bulk-payments',
        initiation: {
          payments: [
            { creditorName: 'Payee', remittanceInformationUnstructured: 'one' },
            { creditorName: 'Anne', instructedAmount: { amount: '2.00', currency: 'NOK' } },
          ],
        },
      },
    ],
    [
      'a SEPA payment from an account in EUR',
      { from: '85523166859', product: 'sepa-credit-transfers', to: 'DE89370400440532013000', amount: '1.00' },
      { initiation: { instructedAmount: { currency: 'EUR' }, debtorAccount: { currency: 'EUR' } } },
    ],
    [
      'one abroad',
      { product: 'cross-border-credit-transfers', to: 'SE4550000000058398257466', currency: 'SEK', amount: '25.00' },
      { initiation: { creditorAccount: { iban: 'SE4550000000058398257466', currency: 'SEK' } } },
    ],
    ['more members of the body', { more: { purposeCode: 'SALA' } }, { initiation: { purposeCode: 'SALA' } }],
  ])('%s', async (_what, changes, wanted) => {
    const { payment, refusal } = await made(changes);
    expect(refusal).toBe(null);
    expect(payment).toMatchObject(wanted);
  });

  test.each<[string, object, string]>([
    ['no amount', { amount: undefined }, 'amount is missing.'],
    ['a creditor beside payments', { payments: [{ to: order.to, amount: '1.00' }] }, 'to goes with one creditor'],
    ['a name that is none', { tpp: 'my shop' }, 'tpp'],
    ['an agreement that no header can have', { agreement: '😀' }, 'expected the id of the agreement'],
    ['an agreement in two lines', { agreement: 'a\nb' }, 'expected the id of the agreement'],
    ['a PSU that no header can have', { psu: '\u0100' }, 'expected the customer number of the PSU'],
    [
      'the spelling of others',
      { every: 'Monthly', executionRule: 'preceding' },
      'expected one of following, preceeding',
    ],
  ])('a wrong order is a problem: %s', async (_what, changes, text) => {
    const { status, body } = await bank.control('POST', '/sandbox/payments', { ...order, ...changes });
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(text)]);
  });

  test('Q3: with ids of the wire, both are told; in a named bank its pages are below its path', async () => {
    await bank.quirks({ 'id-lengths': 'payment:69/unpadded' });
    const { told, payment } = await made();
    expect(told.body.paymentId).toBe(payment.wirePaymentId);
    expect(payment.paymentId).toHaveLength(49);
    await bank.quirks({ 'id-lengths': false });
    await bank.control('POST', '/sandbox/banks', { name: 'other' });
    const { scas, refusal } = await made({}, '/banks/other');
    expect(refusal).toBe(null);
    expect(scas[0].address).toMatch(new RegExp(`^${bank.address}/banks/other/sca/`));
  });

  test('whoever may pay signs, in a bank of more PSUs than /sandbox/info lists', async () => {
    const { customers, agreements } = knownState;
    const others = Array.from({ length: 100 }, (_, index) => {
      return {
        customerNumber: String(index + 1).padStart(11, '0'),
        name: `Nobody ${index}`,
        type: 'private',
        accounts: [],
      };
    });
    const fixtures = { customers: [...others, ...customers], agreements };
    await did(bank.control('POST', '/sandbox/banks', { name: 'many', fixtures }));
    const info = await bank.control('GET', '/banks/many/sandbox/info');
    expect(info.body.psus.map((psu: { customerNumber: string }) => psu.customerNumber)).not.toContain('17818050100');
    const { payment } = await made({ from: company }, '/banks/many');
    expect(payment.signatures.map(({ psu }: { psu: string }) => psu)).toEqual(['17818050100', '20818850094']);
  });
});

describe('C23: an armed fault that strikes a call of the TPP is told, with what was carried out', () => {
  const arm = (fault: object) => bank.control('POST', '/sandbox/faults', fault);
  const count = async () => (await bank.control('GET', '/sandbox/payments')).body.total;

  test.each<[string, object, string, number | null]>([
    ['an answer cut', { cut: true }, 'ended the answer in its middle, after the commit. The payment is made.', null],
    [
      'a closed connection',
      { close: true, when: 'after' },
      'closed the connection, after the commit. The payment',
      null,
    ],
    ['a gateway', { status: 503 }, 'answered 503 as a gateway does, after the commit. The payment is made.', 503],
    [
      'a gateway, before',
      { status: 503, when: 'before' },
      '503 as a gateway does, before the commit. Nothing was',
      503,
    ],
    ['a code', { code: 'SYSTEM_ERROR' }, 'refused the call with SYSTEM_ERROR. Nothing was carried out.', 500],
    ['close, before', { close: true, when: 'before' }, 'closed the connection, before the commit. Nothing was', null],
  ])('%s', async (_what, fault, text, status) => {
    const { id } = (await arm(fault)).body;
    const { told, struck, payment, scas, refusal } = await made();
    expect([struck, told.status, scas]).toEqual([expect.stringContaining(`Armed fault ${id} `), status, []]);
    expect(refusal?.status ?? null).toBe(status);
    expect(struck).toContain(text);
    expect([payment?.status ?? null, await count()]).toEqual(text.includes('Nothing') ? [null, 0] : ['RCVD', 1]);
    // The next call is not struck.
    expect(await made({ allowDuplicate: true })).toMatchObject({ struck: null, payment: { status: 'PDNG' } });
  });

  test('a delay, and a spoilt signature of the answer, are no failure', async () => {
    await arm({ delay: 'PT0.01S', path: '/v1' });
    expect(await made()).toMatchObject({ struck: null, payment: { status: 'PDNG' } });
    await arm({ badSignature: 'key' });
    expect(await made({ amount: '2.00' })).toMatchObject({ struck: null, payment: { status: 'PDNG' } });
  });

  test('the authorisation of the second signer: the first signature stays', async () => {
    await arm({ close: true, path: '/v1/payments/*/*/authorisations' });
    const { struck, payment } = await made({ from: company });
    expect(struck).toMatch(/closed the connection, after the commit. The SCA of the next signer is open.$/);
    expect(payment).toMatchObject({ status: 'PATC', signatures: [{}] });
  });

  test('Q3: a bank with ids of the wire finds the payment all the same', async () => {
    await bank.quirks({ 'id-lengths': 'payment:69/unpadded' });
    await arm({ cut: true });
    expect(await made()).toMatchObject({ struck: expect.any(String), payment: { wirePaymentId: expect.any(String) } });
    await bank.quirks({ 'id-lengths': false });
  });
});
