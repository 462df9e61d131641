import { describe, expect, test } from '@jest/globals';
import { testBank } from '../support/test-bank.ts';
import { periodicPath, periodicPayment, singlePath, singlePayment } from '../lab/bodies.ts';
import { validCertificate, type Reply } from '../lab/server.ts';

const psu = '13039319955';
const singleSca = { 'x-psu-identity': psu, 'psu-context': 'PRIVATE' };

// A Wednesday, 12:00, the day before the Easter of 2027 begins.
const bank = testBank('2027-03-24T12:00:00+01:00');

const initiate = (body: object, headers: Record<string, string | null> = singleSca): Promise<Reply> =>
  bank.signed('POST', singlePath, { body, headers });

describe('interface, What the service does 1: a single payment from initiation to booked transaction', () => {
  let payment: Reply;

  test('interface, Link, Other operations 4: S1, P2: it is RCVD with the links of the interface, and A6: with scaRedirect', async () => {
    payment = await initiate(singlePayment());
    expect(payment.status).toBe(201);
    const self = `${singlePath}/${payment.body.paymentId}`;
    expect(payment.body).toEqual({
      paymentId: expect.stringMatching(/^enc!![\w-]{42}==$/),
      transactionStatus: 'RCVD',
      transactionFees: { amount: '0.00', currency: 'NOK' },
      transactionFeeIndicator: false,
      _links: {
        self: { href: self, verbs: ['GET', 'DELETE'] },
        status: { href: `${self}/status`, verbs: ['GET'] },
        startAuthorisation: { href: `${self}/authorisations`, verbs: ['POST'] },
        scaRedirect: { href: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/sca\/[\w-]{32}$/), verbs: ['GET'] },
      },
    });
  });

  test('interface, Other operations 2: S9: its status cannot be read before approval, its details can', async () => {
    const status = await bank.signed('GET', `${singlePath}/${payment.body.paymentId}/status`);
    expect(status).toMatchObject({ status: 403, body: { tppMessages: [{ code: 'RESOURCE_UNKNOWN' }] } });
    expect(status.body.tppMessages[0].text).toContain('known issue');
    const details = await bank.signed('GET', `${singlePath}/${payment.body.paymentId}`);
    expect(details).toMatchObject({ status: 200, body: { ...singlePayment(), paymentId: payment.body.paymentId } });
  });

  test('interface, Redirect query parameters: A2, S2: signed and due today it is PDNG, and the TPP gets the PSU-ID back', async () => {
    const redirect = await bank.approve(payment.body, psu);
    expect(redirect.origin + redirect.pathname).toBe('https://tpp.example/callback');
    expect(Object.fromEntries(redirect.searchParams)).toEqual({
      state: 'abc',
      'psu-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'tpp-session-id': 'session-1',
      context: 'PRIVATE',
    });
    const status = await bank.signed('GET', `${singlePath}/${payment.body.paymentId}/status`);
    expect(status.body.transactionStatus).toBe('PDNG');
    expect(status.body._links.self.verbs).toEqual(['GET']);
    expect(status.body._links).not.toHaveProperty('startAuthorisation');
  });

  test('interface, What the service does 3, Versioning 1: P2: the short forms of the interface answer too, and so does the sandbox prefix', async () => {
    const { paymentId } = payment.body;
    for (const path of [
      `/v1/payment/${paymentId}`,
      `/api-sandbox/v1/payments/norwegian-domestic-credit-transfers/${paymentId}`,
    ]) {
      expect(await bank.signed('GET', path)).toMatchObject({ status: 200, body: { paymentId } });
    }
    expect(await bank.signed('GET', `/v1/payment/${encodeURIComponent(paymentId)}/status`)).toMatchObject({
      status: 200,
    });
  });

  test('A2: SCA twice is refused and signs once', async () => {
    const id = payment.body._links.scaRedirect.href.split('/').at(-1);
    const again = await bank.control('POST', `/sandbox/sca/${id}`, { outcome: 'approve', psu, context: 'PRIVATE' });
    expect(again).toMatchObject({ status: 400, body: { code: 'SCA_INVALID' } });
    const start = await bank.signed('POST', `${singlePath}/${payment.body.paymentId}/authorisations`);
    expect(start).toMatchObject({ status: 409, body: { tppMessages: [{ code: 'STATUS_INVALID' }] } });
  });

  test('P12, H36, register 50: PDNG cannot be deleted', async () => {
    const answer = await bank.signed('DELETE', `${singlePath}/${payment.body.paymentId}`);
    expect(answer).toMatchObject({ status: 405, body: { tppMessages: [{ code: 'CANCELLATION_INVALID' }] } });
  });

  test('G8: another TPP does not know it', async () => {
    const certificate = validCertificate({ organizationIdentifier: 'PSDNO-FSA-111111111' });
    for (const suffix of ['', '/status']) {
      const answer = await bank.signed('GET', `${singlePath}/${payment.body.paymentId}${suffix}`, { certificate });
      expect(answer).toMatchObject({ status: 403, body: { tppMessages: [{ code: 'RESOURCE_UNKNOWN' }] } });
    }
  });

  test('interface, Events 2: S3, S6: the next run settles it, the one after books it, and it leaves the payment API', async () => {
    const settled = await bank.advance({ runs: 1 });
    expect(settled.body.runs).toMatchObject([{ id: '2027-03-24/4', settled: 1, booked: 0 }]);
    const status = await bank.signed('GET', `${singlePath}/${payment.body.paymentId}/status`);
    expect(status.body.transactionStatus).toBe('ACSC');
    expect(await bank.signed('DELETE', `${singlePath}/${payment.body.paymentId}`)).toMatchObject({ status: 405 });
    const booked = await bank.advance({ runs: 1 });
    expect(booked.body.runs).toMatchObject([{ id: '2027-03-24/5', settled: 0, booked: 1 }]);
    expect(await bank.signed('GET', `${singlePath}/${payment.body.paymentId}`)).toMatchObject({
      status: 403,
      body: { tppMessages: [{ code: 'RESOURCE_UNKNOWN' }] },
    });
    const proof = await bank.control('GET', '/sandbox/ledger/proof');
    expect(proof.body).toMatchObject({ ok: true, currencies: { NOK: { sum: { amount: '0.00', currency: 'NOK' } } } });
  });
});

describe('deleting', () => {
  test('interface, Other operations 10: P12: before it is signed: 204, CANC, and its SCA ends with it', async () => {
    const payment = await initiate(singlePayment({ instructedAmount: { amount: '2.00', currency: 'NOK' } }));
    expect((await bank.signed('DELETE', `${singlePath}/${payment.body.paymentId}`)).status).toBe(204);
    const status = await bank.signed('GET', `${singlePath}/${payment.body.paymentId}/status`);
    expect(status.body.transactionStatus).toBe('CANC');
    const late = await bank.approve(payment.body, psu);
    expect(late.searchParams.get('code')).toBe('STATUS_INVALID');
    await expect(bank.approve(payment.body, psu)).rejects.toThrow('SCA_INVALID');
  });

  test('P12: after it is signed: 202, and CANC once the cancellation is signed', async () => {
    const payment = await initiate(singlePayment({ requestedExecutionDate: '2027-04-08' }));
    await bank.approve(payment.body, psu);
    const self = `${singlePath}/${payment.body.paymentId}`;
    const early = await bank.signed('POST', `${self}/cancellation-authorisations`);
    expect(early).toMatchObject({ status: 409, body: { tppMessages: [{ code: 'STATUS_INVALID' }] } });
    const asked = await bank.signed('DELETE', self);
    expect(asked.status).toBe(202);
    expect(asked.body).toEqual({
      transactionStatus: 'ACSP',
      _links: { startAuthorisation: { href: `${self}/cancellation-authorisations`, verbs: ['POST'] } },
    });
    const started = await bank.signed('POST', asked.body._links.startAuthorisation.href);
    expect(started).toMatchObject({ status: 201, body: { scaStatus: 'started' } });
    await bank.approve(started.body, psu);
    expect((await bank.signed('GET', `${self}/status`)).body.transactionStatus).toBe('CANC');
  });

  test('P12: a payment that settles before the cancellation is signed: failure redirect', async () => {
    const payment = await initiate(singlePayment({ requestedExecutionDate: '2027-04-09' }));
    await bank.approve(payment.body, psu);
    const self = `${singlePath}/${payment.body.paymentId}`;
    const asked = await bank.signed('DELETE', self);
    const started = await bank.signed('POST', asked.body._links.startAuthorisation.href);
    await bank.advance({
      until: { paymentId: payment.body.paymentId, status: 'ACSC' },
    });
    const redirect = await bank.approve(started.body, psu);
    expect(redirect.searchParams.get('code')).toBe('CANCELLATION_INVALID');
    expect(redirect.searchParams.get('status')).toBe('405');
    expect((await bank.signed('GET', `${self}/status`)).body.transactionStatus).toBe('ACSC');
  });
});

describe('authorising', () => {
  test('interface, Other operations 12, PSU identification 6: A1, A4b: the link of startAuthorisation works with the request own redirect address', async () => {
    const payment = await initiate(singlePayment({ instructedAmount: { amount: '3.00', currency: 'NOK' } }));
    const started = await bank.signed('POST', payment.body._links.startAuthorisation.href, {
      headers: { 'tpp-redirect-uri': 'myapp://back', 'tpp-session-id': 'session-2' },
    });
    expect(started.body).toEqual({
      scaStatus: 'started',
      _links: { scaRedirect: { href: expect.any(String), verbs: ['GET'] } },
    });
    const redirect = await bank.approve(started.body, psu);
    expect(redirect.href).toMatch(/^myapp:\/\/back\?psu-id=.*&tpp-session-id=session-2&context=PRIVATE$/);
  });
});

describe('a periodic payment', () => {
  test('interface, Periodic payment initiation: S2, R1: it becomes ACSP when signed and pays on its days, seen through the account of the payer', async () => {
    const answer = await bank.signed('POST', periodicPath, {
      body: periodicPayment({ startDate: '2027-05-17', endDate: '2027-06-30', dayOfExecution: '17' }),
      headers: singleSca,
    });
    expect(answer.status).toBe(201);
    await bank.approve(answer.body, psu);
    const self = `${periodicPath}/${answer.body.paymentId}`;
    expect((await bank.signed('GET', `${self}/status`)).body.transactionStatus).toBe('ACSP');
    await bank.advance({ to: '2027-07-01' });
    const seen = await bank.control('GET', `/sandbox/payments/${answer.body.paymentId}`);
    expect(seen.body.occurrences).toMatchObject([
      { nominalDate: '2027-05-17', executionDate: '2027-05-18', status: 'ACSC' },
      { nominalDate: '2027-06-17', executionDate: '2027-06-17', status: 'ACSC' },
    ]);
    expect(await bank.signed('GET', self)).toMatchObject({ status: 403 });
  });

  test('R3, R5: what the frequency ignores is accepted with a WARNING', async () => {
    const body = periodicPayment({
      startDate: '2027-08-02',
      frequency: 'Weekly',
      dayOfExecution: '12',
      monthsOfExecution: [1],
    });
    const answer = await bank.signed('POST', periodicPath, { body, headers: singleSca });
    expect(answer.status).toBe(201);
    expect(answer.body.tppMessages).toMatchObject([
      { category: 'WARNING', code: 'FORMAT_ERROR', path: 'dayOfExecution' },
      { category: 'WARNING', code: 'FORMAT_ERROR', path: 'monthsOfExecution' },
    ]);
  });
});
