import { describe, expect, test } from '@jest/globals';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { anne, harnessBank, nora, stranger } from './harness-bank.ts';

/* What the harness refuses by itself has the status and the code of the bank's own refusal of the same call. */
const held = harnessBank();

/** Status and code of a refusal of the bank. */
async function refusalIn(answer: Response): Promise<object> {
  const body = (await answer.json()) as { code?: string; tppMessages?: readonly { code: string }[] };
  return { name: 'BankError', status: answer.status, code: body.code ?? body.tppMessages?.[0]?.code };
}

describe('an account that is not there', () => {
  test('A7: a reader asks for one that the PSU has not granted', async () => {
    const tpp = held.bank.tpp();
    const reader = await tpp.consent({ psu: nora.psu, accounts: [nora.bban] });
    const path = `/v1/accounts/${anne.bban}/balances`;
    const refusal = await refusalIn(await tpp.fetch(path, { headers: reader.headers }));
    expect(refusal).toMatchObject({ status: 404, code: 'RESOURCE_UNKNOWN' });
    for (const reading of [reader.balances(anne.bban), reader.transactions(anne.bban)]) {
      await expect(reading).rejects.toMatchObject(refusal);
    }
    await expect(reader.balances(anne.bban)).rejects.toThrow(
      `The PSU has not granted ${anne.bban}. Granted: ${nora.bban}. The reading was refused, 404: RESOURCE_UNKNOWN`,
    );
    for (const odd of ['', '..', 'a/b?c']) {
      await expect(reader.balances(odd)).rejects.toMatchObject({ name: 'BankError', status: 404 });
    }
  });

  test('bank.account and topUp of one that this bank does not have', async () => {
    const refusal = await refusalIn(await held.bank.fetch(`/sandbox/accounts/${stranger}`));
    expect(refusal).toMatchObject({ status: 404 });
    await expect(held.bank.account(stranger)).rejects.toMatchObject(refusal);
    await expect(held.bank.topUp(stranger, '1.00')).rejects.toMatchObject(refusal);
    await expect(held.bank.account('09232911045')).rejects.toThrow('The nearest is 09232911044;');
  });

  test('P5b: a payment from one that this bank does not have', async () => {
    const headers = { 'x-psu-identity': nora.psu, 'psu-context': 'PRIVATE' };
    const body = singlePayment({ debtorAccount: { bban: stranger, currency: 'NOK' } });
    const refusal = await refusalIn(await held.bank.tpp().fetch(singlePath, { method: 'POST', headers, body }));
    expect(refusal).toMatchObject({ status: 400 });
    const payment = held.bank.tpp().pay({ from: stranger, to: nora.bban, amount: '1.00' });
    await expect(payment).rejects.toMatchObject(refusal);
  });
});

describe('A7c: a consent to nothing', () => {
  const signer = '17818050100';

  test('of a PSU without private accounts: told with what it can grant, and not granted', async () => {
    const consent = held.bank.tpp().consent({ psu: signer });
    await expect(consent).rejects.toMatchObject({ name: 'BankError', status: 401, code: 'CONSENT_INVALID' });
    await expect(consent).rejects.toThrow(
      `The PSU ${signer} has no private account or card to grant. context: 'CORPORATE' grants the accounts of To Nøkler AS.`,
    );
    const reader = await held.bank.tpp().consent({ psu: signer, context: 'CORPORATE' });
    expect(await reader.accounts()).toMatchObject([{ bban: '34330000017' }]);
  });

  test('that a test asks for is granted: reading is refused with the same code', async () => {
    const reader = await held.bank.tpp().consent({ psu: nora.psu, accounts: [] });
    await expect(reader.accounts()).rejects.toMatchObject({ status: 401, code: 'CONSENT_INVALID' });
  });
});

describe('advance to a status that the payment cannot get', () => {
  test('tells why, and lists no status when there is none', async () => {
    const unsigned = await held.bank.tpp().pay({ from: nora.bban, to: stranger, amount: '1.00', signedBy: [] });
    const advance = held.bank.clock.advance({ until: { paymentId: unsigned, status: 'ACSC' } });
    await expect(advance).rejects.toMatchObject({ status: 409, code: 'CONFLICT' });
    await expect(advance).rejects.toThrow(
      /^The payment cannot get there: it is RCVD, and runs leave it alone until the PSU has signed it\.$/,
    );
  });

  test('lists those that it can get', async () => {
    const payment = await held.bank.tpp().pay({ from: nora.bban, to: stranger, amount: '2.00' });
    await expect(held.bank.clock.advance({ until: { paymentId: payment, status: 'PATC' } })).rejects.toThrow(
      'Allowed: ACCP, ACSC, RJCT.',
    );
  });
});

test('G11: a bank without a port names no address in a refusal that nobody could open', async () => {
  const answer = await held.bank.tpp().fetch('/v1/accounts', { headers: { Signature: null } });
  const [message] = (await answer.json()).tppMessages ?? [];
  expect(message?.code).toBe('SIGNATURE_MISSING');
  expect(message?.text).not.toContain('http://');
  const requests = await (await held.bank.fetch('/sandbox/requests?limit=1')).json<{ requests: readonly object[] }>();
  expect(requests.requests).toMatchObject([{ code: 'SIGNATURE_MISSING' }]);
});
