import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { ScaSteps } from '../../api/sca/sca-steps.ts';
import { findPayment } from '../../engine/payments/rows/payments.ts';
import { findSca } from '../../engine/sca/rows/scas.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { at, manualClock } from '../lab/bank.ts';
import { pay, people } from '../lab/payments.ts';
import { startTestBank } from '../lab/server.ts';
import { answer, headingOf, openPage, openPages, pagesForEach, read, redirectOf, wantConsent } from './pages.ts';

const now = '2027-03-24T12:00:00+01:00';
const nora = people.nora.psu;
const wall = manualClock(at(now));
beforeEach(() => wall.set(at(now)));
const { bank, pages } = pagesForEach(now, { wall });

async function newSca(): Promise<{ scaId: string; paymentId: string }> {
  const { payment, scaId } = await pay(bank, { from: 'nora', to: 'shop', amount: '12345.50' });
  return { scaId: scaId ?? '', paymentId: payment.resource_id };
}

const identify = (scaId: string, psu: string = nora) => pages.submit(scaId, { action: 'identify', psu });
const wrongNumbers = (scaId: string) =>
  bank.ledger.read(async (reader) => (await findSca(reader, { resourceId: scaId }))?.wrong_numbers);

describe('A2c: steps are post-redirect-get', () => {
  test('a POST answers 303 to the same path with an unguessable step, and no cookie', async () => {
    const { scaId } = await newSca();
    const token = pages.steps.formTokens.of(scaId, null);
    const body = new URLSearchParams({ token, action: 'identify', psu: nora });
    const sent = await fetch(`${pages.address}/${scaId}`, { method: 'POST', body, redirect: 'manual' });
    expect(sent.status).toBe(303);
    expect(sent.headers.get('location')).toMatch(/^\?step=[\w-]{32}$/);
    expect(sent.headers.get('set-cookie')).toBeNull();
    expect(await sent.text()).toBe('');
  });

  test('the number of a person is in no address and in no field of a page after the first', async () => {
    const page = await identify(await wantConsent(bank), people.sigrid.psu);
    const next = await answer(page, { action: 'choose', context: 'PRIVATE' });
    for (const seen of [page, next]) {
      expect(seen.url).not.toContain(people.sigrid.psu);
      expect(await seen.text()).not.toMatch(/name="psu"|value="\d{11}"/);
    }
  });

  test('Reload and Back show the step of their address, as often as they like', async () => {
    const scaId = await wantConsent(bank);
    const first = await pages.get(scaId);
    const context = await identify(scaId, people.sigrid.psu);
    const consent = await answer(context, { action: 'choose', context: 'PRIVATE' });
    const seen = { [first.url]: 'Who are you?', [context.url]: 'Who do you act for?' };
    const headings = { ...seen, [consent.url]: 'Which accounts do you share?' };
    expect(Object.keys(headings)).toHaveLength(3);
    for (let round = 0; round < 2; round += 1) {
      for (const [url, heading] of Object.entries(headings).reverse()) {
        const again = await openPage(url);
        expect([again.status, headingOf(await again.text())]).toEqual([200, heading]);
      }
    }
  });

  test('who goes back and answers otherwise goes on from there', async () => {
    const { scaId, paymentId } = await newSca();
    const first = await pages.get(scaId);
    await answer(first, { action: 'identify', psu: '123' });
    const page = await answer(first, { action: 'identify', psu: nora });
    expect(redirectOf(await answer(page, { action: 'approve' }))).toMatchObject({ context: 'PRIVATE' });
    expect((await bank.ledger.read((reader) => findPayment(reader, { resourceId: paymentId })))?.status).toBe('PDNG');
    const back = await openPage(page.url);
    expect([back.status, headingOf(await back.text())]).toEqual([400, 'This link was already used']);
  });

  test('to approve without having identified, or before the context is chosen, leads to what is missing', async () => {
    const scaId = await wantConsent(bank);
    for (const form of [{ action: 'approve' }, { action: 'choose', context: 'PRIVATE' }]) {
      const page = await answer(await pages.get(scaId), form);
      expect(headingOf(await page.text())).toBe('Who are you?');
    }
    const context = await identify(scaId, people.sigrid.psu);
    const page = await answer(context, { action: 'approve', account: 'x' });
    expect(headingOf(await page.text())).toBe('Who do you act for?');
    const wrong = await answer(await identify(scaId, '12345678901'), { action: 'approve' });
    expect(headingOf(await wrong.text())).toBe('Who are you?');
  });

  test('A4b: a step lives as long as its SCA link: it is answered 15 minutes after both began', async () => {
    const { scaId } = await newSca();
    const page = await identify(scaId);
    wall.set(at('2027-03-24T12:15:00.000+01:00'));
    expect(redirectOf(await answer(page, { action: 'approve' }))).toMatchObject({ context: 'PRIVATE' });
  });

  test.each(['', 'nonsense', 'x'.repeat(5_000), '%00', '../..', '%ff'])(
    'an address with a step that is none begins with the first page: %j',
    async (step) => {
      const page = await openPage(`${pages.address}/${await wantConsent(bank)}?step=${step}`);
      expect([page.status, headingOf(await page.text())]).toEqual([200, 'Who are you?']);
    },
  );

  test('a step of another SCA, and one that is there twice in the address, are none', async () => {
    const { url } = await identify(await wantConsent(bank));
    const other = `${pages.address}/${await wantConsent(bank)}${new URL(url).search}`;
    for (const address of [other, `${url}&step=x`]) {
      expect(headingOf(await (await openPage(address)).text())).toBe('Who are you?');
    }
  });

  test('a server that was started again shows the first step, and takes it', async () => {
    const { scaId } = await newSca();
    const before = await identify(scaId);
    await using restarted = await openPages(bank);
    const page = await openPage(`${restarted.address}/${scaId}${new URL(before.url).search}`);
    expect([page.status, headingOf(await page.text())]).toEqual([200, 'Who are you?']);
    const next = await answer(page, { action: 'identify', psu: nora });
    expect(headingOf(await next.text())).toBe('Approve this payment?');
  });

  test('steps are bounded by their number and their age', () => {
    const steps = new ScaSteps(wall);
    const step = { psu: nora, context: null, askedAgain: null, problem: null, method: null };
    const first = steps.keep('sca', step);
    const others = Array.from({ length: 999 }, () => steps.keep('sca', step));
    expect(steps.find('sca', first)).toEqual(step);
    const last = steps.keep('sca', step);
    expect([steps.find('sca', first), steps.find('sca', others[0] ?? '')]).toEqual([null, step]);
    wall.set(at('2027-03-24T12:15:00.001+01:00'));
    expect(steps.find('sca', last)).toBeNull();
    expect(steps.find('other', steps.keep('sca', step))).toBeNull();
  });
});

describe('A2c: the third wrong national identity number ends the SCA', () => {
  test.each([
    ['a number of nobody', '12345678901', 'Nobody at this bank has this number.'],
    [
      'a person whom the TPP did not name',
      people.even.psu,
      'This waits for another person, the one named in the request.',
    ],
  ])('%s: the first two are asked again', async (_who, psu, text) => {
    const { scaId, paymentId } = await newSca();
    for (const left of ['2 more tries are left.', 'One more try is left.']) {
      const page = await identify(scaId, psu);
      const shown = await page.text();
      expect([page.status, headingOf(shown)]).toEqual([200, 'Who are you?']);
      expect(read(shown)).toContain(text);
      expect(read(shown)).toContain(left);
    }
    expect(redirectOf(await identify(scaId, psu))).toMatchObject({
      at: '303 https://tpp.example/back',
      code: 'PSU_CREDENTIALS_INVALID',
      status: '401',
    });
    expect((await pages.get(scaId)).status).toBe(400);
    expect(await wrongNumbers(scaId)).toBe(3);
    expect((await bank.ledger.read((reader) => findPayment(reader, { resourceId: paymentId })))?.status).toBe('RCVD');
  });

  test('twice wrong, then right: approved', async () => {
    const { scaId } = await newSca();
    await identify(scaId, '12345678901');
    await identify(scaId, people.even.psu);
    expect(redirectOf(await pages.submit(scaId, { action: 'approve', psu: nora, context: 'PRIVATE' }))).toMatchObject({
      context: 'PRIVATE',
    });
  });

  test('Back does not give the tries back, and each SCA has its own', async () => {
    const { scaId } = await newSca();
    const first = await pages.get(scaId);
    for (const psu of ['12345678901', '12345678902']) await answer(first, { action: 'identify', psu });
    expect(redirectOf(await answer(first, { action: 'identify', psu: '12345678903' }))).toMatchObject({
      code: 'PSU_CREDENTIALS_INVALID',
    });
    const other = await wantConsent(bank);
    expect(await wrongNumbers(other)).toBe(0);
    expect((await identify(other, '12345678901')).status).toBe(200);
  });

  test('what is no number at all is not counted, nor is a reload', async () => {
    const { scaId } = await newSca();
    for (const psu of ['', '123', 'x', '123456789012345678901234567890']) {
      const page = await identify(scaId, psu);
      await openPage(page.url);
    }
    expect(await wrongNumbers(scaId)).toBe(0);
    const wrong = await identify(scaId, '12345678901');
    await openPage(wrong.url);
    expect(await wrongNumbers(scaId)).toBe(1);
  });

  test('four wrong numbers at once are counted one by one: three, and the SCA has ended', async () => {
    const { scaId } = await newSca();
    const first = await pages.get(scaId);
    const sent = await Promise.all(
      ['1', '2', '3', '4'].map((digit) => answer(first, { action: 'identify', psu: digit.repeat(11) })),
    );
    // One is sent back to the TPP; what the others see is a page of the SCA, or that it has ended.
    expect(sent.filter(({ status }) => status === 303)).toHaveLength(1);
    expect(sent.every(({ status }) => [200, 303, 400].includes(status))).toBe(true);
    expect(await wrongNumbers(scaId)).toBe(3);
  });

  test('they are in the ledger: a restart of the server counts on', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sandbank-'));
    const ledger = join(folder, 'ledger.sqlite');
    const begin = () => startTestBank(now, ['--ledger', ledger]);
    let server = await begin();
    try {
      const psu = { 'x-psu-identity': nora, 'psu-context': 'PRIVATE' };
      const initiated = await server.signed('POST', singlePath, { body: singlePayment(), headers: psu });
      const path = new URL(initiated.body._links.scaRedirect.href).pathname;
      for (const number of ['12345678901', '12345678902']) {
        const page = await answer(await openPage(server.address + path), { action: 'identify', psu: number });
        expect(page.status).toBe(200);
        await server.stop();
        server = await begin();
        const reloaded = await openPage(server.address + path + new URL(page.url).search);
        expect([reloaded.status, headingOf(await reloaded.text())]).toEqual([200, 'Who are you?']);
      }
      const third = await answer(await openPage(server.address + path), { action: 'identify', psu: '12345678903' });
      expect(redirectOf(third)).toMatchObject({ code: 'PSU_CREDENTIALS_INVALID' });
    } finally {
      await server.stop();
      await rm(folder, { recursive: true });
    }
  }, 30_000);
});
