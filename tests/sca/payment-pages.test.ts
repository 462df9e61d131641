import { describe, expect, test } from '@jest/globals';
import { localDate } from '../../engine/values/local-date.ts';
import { findPayment } from '../../engine/payments/rows/payments.ts';
import { advanceClock } from '../../engine/runs/advance-clock.ts';
import { at } from '../lab/bank.ts';
import { approve, beginSigning, order, pay, people, remove } from '../lab/payments.ts';
import { answer, openPage, pagesForEach, read, redirectOf } from './pages.ts';

const nora = people.nora.psu;
const shop = { from: 'nora', to: 'shop', amount: '12345.50' } as const;
const approval = { action: 'approve', psu: nora, context: 'PRIVATE' };

const { bank, pages } = pagesForEach('2027-03-24T12:00:00+01:00');

async function newSca(on?: string): Promise<{ scaId: string; paymentId: string }> {
  const { payment, scaId } = await pay(bank, shop, on === undefined ? undefined : localDate(on));
  return { scaId: scaId ?? '', paymentId: payment.resource_id };
}

async function statusOf(paymentId: string): Promise<string | undefined> {
  return (await bank.ledger.read((reader) => findPayment(reader, { resourceId: paymentId })))?.status;
}

describe('A2: the pages of a payment', () => {
  test('interface, PSU identification 13: the first page names the TPP and shows nothing of the payment', async () => {
    const { scaId } = await newSca();
    const response = await pages.get(scaId);
    const text = read(await response.text()).replaceAll('\u00a0', ' ');
    expect(response.status).toBe(200);
    expect(text).toContain('Test TPP asks you to approve a payment.');
    expect(text).not.toContain('12,345');
    expect(text).not.toContain('9049');
  });

  test('interface, PSU identification 4: A6: the PSU whom the TPP named is filled in and first among those to try', async () => {
    const { scaId } = await newSca();
    const text = await (await pages.get(scaId)).text();
    expect(/<input[^>]*id="psu"[^>]*>/.exec(text)?.[0]).toContain(`value="${nora}"`);
    expect(/<button name="psu" value="(\d+)"/.exec(text)?.[1]).toBe(nora);
    expect(text).not.toContain('11111111');
  });

  test('the last page shows amount, payee, both accounts and the date', async () => {
    const { scaId } = await newSca('2027-03-31');
    const response = await pages.submit(scaId, { action: 'identify', psu: nora });
    const text = read(await response.text()).replaceAll('\u00a0', ' ');
    expect(response.status).toBe(200);
    for (const shown of ['12,345.50 NOK', 'To shop 9049 11 05991', 'From Totalkonto 0923 29 11044']) {
      expect(text).toContain(shown);
    }
    expect(text).toContain('Date Wed 31 Mar 2027');
    expect(text).not.toContain('Moved');
  });

  test.each([
    ['2027-03-27', 'Tue 30 Mar 2027 Moved from Sat 27 Mar 2027: the bank is closed.'],
    ['2027-03-25', 'Tue 30 Mar 2027 Moved from Thu 25 Mar 2027: the bank is closed ( skjærtorsdag ).'],
  ])('P3: a payment asked for on %s says where its date went', async (asked, shown) => {
    const { scaId } = await newSca(asked);
    const response = await pages.submit(scaId, { action: 'identify', psu: nora });
    expect(read(await response.text()).toLowerCase()).toContain(shown.toLowerCase());
  });

  test('P13: a payment that is opened after its day shows today', async () => {
    const { paymentId } = await newSca('2027-03-31');
    await advanceClock(bank, at('2027-04-02T12:00:00+02:00'));
    const scaId = await beginSigning(bank, paymentId, 'payment');
    const response = await pages.submit(scaId, { action: 'identify', psu: nora });
    expect(read(await response.text())).toContain('Date Fri 2 Apr 2027 Moved from Wed 31 Mar 2027, which has passed.');
  });

  test('a number with blanks is read, as people write it', async () => {
    const { scaId } = await newSca();
    const response = await pages.submit(scaId, { action: 'identify', psu: ' 130393 19955 ' });
    expect(await response.text()).toContain('Approve this payment?');
  });

  test('approving leads back with 303 and signs the payment', async () => {
    const { scaId, paymentId } = await newSca('2027-03-31');
    const response = await pages.submit(scaId, approval);
    expect(redirectOf(response)).toEqual({
      at: '303 https://tpp.example/back',
      'psu-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'tpp-session-id': 'session-1',
      context: 'PRIVATE',
    });
    expect(await statusOf(paymentId)).toBe('ACSP');
  });

  test.each([{ action: 'cancel' }, { action: 'cancel', psu: nora, context: 'PRIVATE' }])(
    'A4b: cancelling from any page leads back with a code, and the payment stays RCVD: %j',
    async (form) => {
      const { scaId, paymentId } = await newSca();
      const response = await pages.submit(scaId, form);
      expect(redirectOf(response)).toMatchObject({
        at: '303 https://tpp.example/back',
        code: 'SCA_INVALID',
        status: '400',
      });
      expect(await statusOf(paymentId)).toBe('RCVD');
      expect(await approve(bank, await beginSigning(bank, paymentId, 'payment'), 'nora')).toBeNull();
    },
  );
});

describe('what a person can put right comes back as the same page', () => {
  test.each([
    ['', 'Enter a national identity number'],
    ['1303931995', 'A national identity number has 11 digits'],
    ['1303931995x', 'A national identity number has 11 digits'],
    ['<b>', 'A national identity number has 11 digits'],
  ])('the number %j: %s', async (psu, problem) => {
    const { scaId } = await newSca();
    const response = await pages.submit(scaId, { action: 'identify', psu });
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(text).toContain('<title>Error: ');
    expect(text).toContain(`<a href="#psu">${problem}</a>`);
    expect(text).toContain('aria-invalid="true"');
    expect(text).not.toContain('<b>');
    expect((await pages.submit(scaId, approval)).status).toBe(303);
  });
});

describe('A4: what the bank refuses is a failure redirect, and ends the SCA', () => {
  test('a PSU without a right on the debtor account', async () => {
    const { scaId, paymentId } = await newSca();
    await bank.ledger.write((tx) => tx.updateTable('sca').set({ customer_id: null }).execute());
    const asked = await pages.submit(scaId, { action: 'identify', psu: people.even.psu });
    const response = await answer(asked, { action: 'identify', psu: people.even.psu, insist: 'yes' });
    expect(redirectOf(response)).toMatchObject({
      at: '303 https://tpp.example/back',
      system: 'sandbank',
      code: 'FORBIDDEN',
      status: '403',
    });
    expect((await pages.get(scaId)).status).toBe(400);
    expect(await statusOf(paymentId)).toBe('RCVD');
  });

  test('A4e: it ends only if the PSU insists; the page asks for another person, and offers those who may sign', async () => {
    const { scaId, paymentId } = await newSca();
    await bank.ledger.write((tx) => tx.updateTable('sca').set({ customer_id: null }).execute());
    const [offered = '', rest = ''] = (await (await pages.get(scaId)).text()).split('<details');
    expect([offered.includes(nora), offered.includes(people.even.psu)]).toEqual([true, false]);
    expect(rest).toContain(people.even.psu);
    for (let count = 0; count < 4; count += 1) {
      const page = await pages.submit(scaId, { action: 'identify', psu: people.even.psu });
      expect(await openPage(page.url).then((shown) => shown.text())).toMatch(
        /This person cannot approve this \(FORBIDDEN\)[^]*Send the refusal to/,
      );
    }
    expect((await pages.submit(scaId, approval)).status).toBe(303);
    expect(await statusOf(paymentId)).not.toBe('RCVD');
  });

  test('a PSU whose right was taken away while the page was open', async () => {
    const { scaId, paymentId } = await newSca();
    const page = await pages.submit(scaId, { action: 'identify', psu: nora });
    await bank.ledger.write((tx) =>
      tx.updateTable('account').set({ customer_id: 2 }).where('bban', '=', '09232911044').execute(),
    );
    const reloaded = await openPage(page.url);
    expect([reloaded.status, await reloaded.text()]).toEqual([403, expect.stringContaining('href="?"')]);
    expect(redirectOf(await answer(page, { action: 'approve' }))).toMatchObject({ code: 'FORBIDDEN', status: '403' });
    expect(await statusOf(paymentId)).toBe('RCVD');
  });

  test('a payment that another window has signed meanwhile', async () => {
    const { scaId, paymentId } = await newSca();
    const page = await pages.submit(scaId, { action: 'identify', psu: nora });
    await approve(bank, await beginSigning(bank, paymentId, 'payment'), 'nora');
    expect(redirectOf(await answer(page, { action: 'approve' }))).toMatchObject({
      code: 'STATUS_INVALID',
      status: '409',
    });
  });
});

describe('a cancellation', () => {
  test('says so, and approving it cancels', async () => {
    const { scaId, paymentId } = await newSca('2027-03-31');
    await approve(bank, scaId, 'nora');
    await remove(bank, paymentId);
    const cancellation = await beginSigning(bank, paymentId, 'cancellation');
    const text = await (await pages.submit(cancellation, { action: 'identify', psu: nora })).text();
    expect(text).toContain('<h1>Cancel this payment?</h1>');
    expect((await pages.submit(cancellation, approval)).status).toBe(303);
    expect(await statusOf(paymentId)).toBe('CANC');
  });

  test('P12: of a payment that has settled meanwhile it fails with a code', async () => {
    const { scaId, paymentId } = await newSca('2027-03-31');
    await approve(bank, scaId, 'nora');
    await remove(bank, paymentId);
    const page = await pages.submit(await beginSigning(bank, paymentId, 'cancellation'), {
      action: 'identify',
      psu: nora,
    });
    await advanceClock(bank, at('2027-03-31T12:00:00+02:00'));
    const response = await answer(page, { action: 'approve' });
    expect(redirectOf(response)).toMatchObject({ code: 'CANCELLATION_INVALID', status: '405' });
  });
});

test('a periodic payment shows frequency, period, rule and first dates', async () => {
  const plan = {
    startDate: localDate('2027-03-31'),
    endDate: localDate('2027-07-31'),
    frequency: 'Monthly',
    dayOfExecution: '31',
  } as const;
  const { scaId } = await order(bank, shop, plan);
  const response = await pages.submit(scaId ?? '', { action: 'identify', psu: nora });
  const text = read(await response.text());
  expect(text).toContain('Approve this periodic payment?');
  expect(text).toContain('How often Every month, on day 31 or the month’s last day');
  expect(text).toContain('Start Wed 31 Mar 2027 End Sat 31 Jul 2027');
  expect(text).toContain('If the bank is closed Paid on the next banking day');
  expect(text).toContain(
    'First dates Wed 31 Mar 2027 Fri 30 Apr 2027 Mon 31 May 2027 Wed 30 Jun 2027 ' +
      'Mon 2 Aug 2027 moved from Sat 31 Jul 2027 You',
  );
});
