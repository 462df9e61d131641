import { describe, expect, test } from '@jest/globals';
import { localDate } from '../../engine/values/local-date.ts';
import { offerSca } from '../../engine/sca/sca.ts';
import { startAuthorisationIn } from '../../engine/approval/start-sca.ts';
import { approve, pay, tpp, beginSigning, people, remove } from '../lab/payments.ts';
import { answer, boxesOf, pagesForEach, read, redirectOf, wantConsent } from './pages.ts';
import { writeBank } from '../../engine/bank/bank-context.ts';

const { psu } = people.sigrid;
const toNokler = { from: 'sigrid', to: 'shop', amount: '100.00' } as const;

const { bank, pages } = pagesForEach('2027-03-24T12:00:00+01:00');

/** The values of the choices on the context page, and which one is chosen. */
function choicesOf(text: string): { all: string[]; checked: string[] } {
  const inputs = text.match(/<input[^>]*type="radio"[^>]*>/g) ?? [];
  const values = (some: string[]): string[] => some.map((input) => /value="([^"]*)"/.exec(input)?.[1] ?? '');
  return { all: values(inputs), checked: values(inputs.filter((input) => / checked\b/.test(input))) };
}

async function textAfter(scaId: string, fields: Readonly<Record<string, string>>): Promise<string> {
  return (await pages.submit(scaId, fields)).text();
}

describe('A2: the context and the agreement', () => {
  test('are asked for where there is a choice: its own, then each agreement', async () => {
    const text = await textAfter(await wantConsent(bank), { action: 'identify', psu });
    expect(text).toContain('<h1>Who do you act for?</h1>');
    expect(read(text)).toContain('Sigrid Signerer Private To Nøkler AS Corporate');
    const { all, checked } = choicesOf(text);
    expect([all.length, all[0], checked]).toEqual([2, 'PRIVATE', ['PRIVATE']]);
  });

  test('the one that the request named is chosen already', async () => {
    const scaId = await wantConsent(bank, { context: 'CORPORATE' });
    const { all, checked } = choicesOf(await textAfter(scaId, { action: 'identify', psu }));
    expect(checked).toEqual([all[1]]);
  });

  test('the choice is kept for the next page, and the redirect tells it', async () => {
    const scaId = await wantConsent(bank);
    const [, context = ''] = choicesOf(await textAfter(scaId, { action: 'identify', psu })).all;
    const text = await textAfter(scaId, { action: 'choose', psu, context });
    expect(read(text)).toContain('You are Sigrid Signerer, 17818050100, for To Nøkler AS.');
    expect(read(text)).toContain('Driftskonto');
    const { all, ticked } = boxesOf(text);
    expect([all.length, ticked]).toEqual([1, all]);
    const response = await pages.submit(scaId, { action: 'approve', psu, context, account: all });
    expect(redirectOf(response)).toMatchObject({
      context: 'CORPORATE',
      'psu-corporate-id': context.replace('CORPORATE ', ''),
    });
    const again = await textAfter(await wantConsent(bank), { action: 'choose', psu, context });
    expect(again).toContain('shared now');
  });

  test.each(['CORPORATE', 'CORPORATE 4eba4445-1a4b-47b8-bdd5-4e56ef026b19', '<script>', ''])(
    'a context that the PSU has not comes back as a problem: %j',
    async (context) => {
      for (const action of ['choose', 'approve']) {
        const response = await pages.submit(await wantConsent(bank), { action, psu, context });
        expect(response.status).toBe(200);
        expect(await response.text()).toContain('<a href="#context-0">Choose who you act for</a>');
      }
    },
  );

  test('an agreement that holds nothing to share says so', async () => {
    await bank.ledger.write((tx) => tx.updateTable('engagement').set({ may_view: 0 }).execute());
    const scaId = await wantConsent(bank);
    const [, context = ''] = choicesOf(await textAfter(scaId, { action: 'identify', psu })).all;
    expect(read(await textAfter(scaId, { action: 'choose', psu, context }))).toContain(
      'Sigrid Signerer may share no account of To Nøkler AS.',
    );
  });
});

describe('a payment from the account of a corporation', () => {
  const submitted = async (scaId: string, number: string): Promise<string> =>
    read(await textAfter(scaId, { action: 'identify', psu: number })).replaceAll('\u00a0', ' ');

  test('has one context, the agreement; where another was preferred the page says so', async () => {
    const { payment } = await pay(bank, toNokler, localDate('2027-03-31'));
    const path = { paymentId: payment.resource_id };
    const wanted = { purpose: 'payment', tpp, path, psu: {}, redirectUri: null, sessionId: null } as const;
    expect(
      await submitted(
        await writeBank(bank, (writing) => startAuthorisationIn(writing, { ...wanted, context: 'PRIVATE' })),
        psu,
      ),
    ).toContain('Test TPP asked you to act for yourself, which you cannot do here.');
    const text = await submitted(await beginSigning(bank, payment.resource_id, 'payment'), psu);
    expect(text).toContain('Approve this payment?');
    expect(text).toContain('For To Nøkler AS');
  });

  test('tells how many sign, and who has', async () => {
    const { payment } = await pay(bank, toNokler, localDate('2027-03-31'));
    const id = payment.resource_id;
    const first = await submitted(await beginSigning(bank, id, 'payment'), psu);
    expect(first).toContain(
      'Signatures Two signatures are required. One remains after yours. Sigrid Signerer you, now Tor Signerer can sign too',
    );
    await approve(bank, await beginSigning(bank, id, 'payment'), 'sigrid');
    const second = await submitted(await beginSigning(bank, id, 'payment'), people.tor.psu);
    expect(second).toContain(
      'Two signatures are required. You are the last to sign. Sigrid Signerer signed Wed 24 Mar 2027, 12:00 Tor Signerer you, now',
    );
    await approve(bank, await beginSigning(bank, id, 'payment'), 'tor');
    await remove(bank, id);
    expect(await submitted(await beginSigning(bank, id, 'cancellation'), psu)).not.toContain('Signatures');
  });

  test('A4e: leads a PSU who has signed, or who may not, back only if the PSU insists', async () => {
    const { payment } = await pay(bank, toNokler);
    const newSca = () => beginSigning(bank, payment.resource_id, 'payment');
    await approve(bank, await newSca(), 'sigrid');
    for (const [number, code] of [
      [psu, 'STATUS_INVALID'],
      [people.nora.psu, 'FORBIDDEN'],
    ] as const) {
      const scaId = await newSca();
      const asked = await pages.submit(scaId, { action: 'identify', psu: number });
      expect(read(await asked.text())).toContain(`This person cannot approve this (${code}).`);
      const insists = { action: 'identify', psu: number, insist: 'yes' };
      expect(redirectOf(await answer(asked, insists))).toMatchObject({ code });
    }
  });

  test('A4: the PSU whom the request names is the one awaited', async () => {
    const { payment } = await pay(bank, toNokler);
    const path = { paymentId: payment.resource_id };
    const wanted = { purpose: 'payment', tpp, path, redirectUri: null, sessionId: null } as const;
    const scaId = await writeBank(bank, (writing) =>
      startAuthorisationIn(writing, { ...wanted, psu: { psuIdentity: people.tor.psu } }),
    );
    const response = await pages.submit(scaId, { action: 'identify', psu });
    expect(read(await response.text())).toContain('This waits for another person');
  });
});

describe('an SCA that only identifies (interface: GET /v1/users)', () => {
  const returnTo = { redirectUri: 'https://tpp.example/back', sessionId: 'session-1' };
  const newSca = (): Promise<string> => offerSca(bank, 'identification', { tpp, psu: {}, context: null, returnTo });

  test('says what it is for, and approving makes the PSU known', async () => {
    const scaId = await newSca();
    expect(read(await (await pages.get(scaId)).text())).toContain('Test TPP asks who you are.');
    const text = await textAfter(scaId, { action: 'identify', psu: people.nora.psu });
    expect(text).toContain('<h1>Do you want to identify yourself?</h1>');
    const response = await pages.submit(scaId, { action: 'approve', psu: people.nora.psu, context: 'PRIVATE' });
    expect(redirectOf(response)).toMatchObject({ 'psu-id': expect.any(String), context: 'PRIVATE' });
    expect(await bank.ledger.read((reader) => reader.selectFrom('consent').selectAll().execute())).toEqual([]);
  });

  test('can be cancelled', async () => {
    expect(redirectOf(await pages.submit(await newSca(), { action: 'cancel' }))).toMatchObject({ code: 'SCA_INVALID' });
  });
});
