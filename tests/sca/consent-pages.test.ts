import { describe, expect, test } from '@jest/globals';
import { accountsOfConsent } from '../../engine/consents/rows/consents.ts';
import { people } from '../lab/payments.ts';
import { answer, boxesOf, pagesForEach, read, redirectOf, wantConsent } from './pages.ts';

const nora = people.nora.psu;

const { bank, pages } = pagesForEach('2027-03-24T12:00:00+01:00');

async function boxesFor(psu: string): Promise<{ all: string[]; ticked: string[] }> {
  const scaId = await wantConsent(bank);
  return boxesOf(await (await pages.submit(scaId, { action: 'identify', psu })).text());
}

async function grant(account: readonly string[]): Promise<Response> {
  return pages.submit(await wantConsent(bank), { action: 'approve', psu: nora, context: 'PRIVATE', account });
}

/** Account numbers of the live consents. */
async function granted(): Promise<(string | null)[]> {
  return bank.ledger.read(async (reader) => {
    const live = await reader.selectFrom('consent').select('id').where('ended_at', 'is', null).execute();
    const accounts = await Promise.all(live.map(({ id }) => accountsOfConsent(reader, { consentId: id })));
    return accounts.flat().map(({ bban }) => bban);
  });
}

describe('interface, PSU identification 9: the consent flow is a list of accounts', () => {
  test('where none was granted all of them are ticked', async () => {
    const boxes = await boxesFor(nora);
    // Four accounts and a card.
    expect(boxes.all).toHaveLength(5);
    expect(boxes.ticked).toEqual(boxes.all);
  });

  test('those granted already are ticked, and no others', async () => {
    const { all } = await boxesFor(nora);
    const chosen = [all[1] ?? '', all[3] ?? ''];
    expect(redirectOf(await grant(chosen))).toMatchObject({
      'tpp-session-id': 'session-1',
      context: 'PRIVATE',
      state: '7',
    });
    expect(await granted()).toEqual(['70323119469', '86620069552']);
    expect((await boxesFor(nora)).ticked).toEqual(chosen);
  });

  test('one TPP’s consent is not shown as another’s', async () => {
    const { all } = await boxesFor(nora);
    await grant(all.slice(0, 1));
    await bank.ledger.write((tx) => tx.updateTable('psu').set({ tpp_id: 'another' }).execute());
    expect((await boxesFor(nora)).ticked).toEqual(all);
  });

  test('A7c: to tick nothing is asked once more; then it grants none', async () => {
    const asked = await grant([]);
    const text = await asked.text();
    expect([asked.status, /<h1>(.*?)<\/h1>/.exec(text)?.[1]]).toEqual([200, 'Share no account?']);
    expect(read(text)).toContain('If you share no account, Test TPP learns who you are, and nothing else.');
    expect(await granted()).toEqual([]);
    expect(redirectOf(await answer(asked, { action: 'approve' }))).toMatchObject({ 'psu-id': expect.any(String) });
    expect(await granted()).toEqual([]);
  });

  test('A7c: where something was granted it takes that away, not before the second time', async () => {
    const { all } = await boxesFor(nora);
    await grant(all);
    const asked = await grant([]);
    expect(read(await asked.text())).toContain('If you share no account, Test TPP loses the access that it has now.');
    expect(await granted()).toHaveLength(4);
    expect(redirectOf(await answer(asked, { action: 'approve' }))).toMatchObject({ 'psu-id': expect.any(String) });
    expect(await granted()).toEqual([]);
  });

  test('A7c: from there the PSU goes back to the accounts, or cancels', async () => {
    const asked = await grant([]);
    const accounts = await answer(asked, { action: 'choose', context: 'PRIVATE' });
    const { all, ticked } = boxesOf(await accounts.text());
    expect([ticked.length, ticked]).toEqual([5, all]);
    expect((await answer(accounts, { action: 'approve', account: all.slice(0, 1) })).status).toBe(303);
    expect(await granted()).toEqual(['09232911044']);
    expect(redirectOf(await answer(await grant([]), { action: 'cancel' }))).toMatchObject({ code: 'SCA_INVALID' });
    expect(await granted()).toEqual(['09232911044']);
  });

  test('A4: an account of somebody else is a failure redirect', async () => {
    const { all } = await boxesFor(people.even.psu);
    expect(redirectOf(await grant(all.slice(0, 1)))).toMatchObject({ code: 'RESOURCE_UNKNOWN', status: '400' });
    expect(await granted()).toEqual([]);
  });

  test('a PSU without accounts can still identify to the TPP', async () => {
    const scaId = await wantConsent(bank);
    const psu = '18129215603';
    const page = await pages.submit(scaId, { action: 'choose', psu, context: 'PRIVATE' });
    expect(read(await page.text())).toContain('has no accounts of their own');
    const asked = await pages.submit(scaId, { action: 'approve', psu, context: 'PRIVATE' });
    expect(await asked.clone().text()).not.toContain('Choose accounts');
    expect(redirectOf(await answer(asked, { action: 'approve' }))).toMatchObject({ 'psu-id': expect.any(String) });
  });
});

describe('A2: the context', () => {
  test('is no question where there is one and it is the one asked for', async () => {
    const scaId = await wantConsent(bank, { context: 'PRIVATE' });
    const page = await pages.submit(scaId, { action: 'identify', psu: nora });
    expect(await page.text()).toContain('Which accounts do you share?');
  });

  test('is asked for where the request named one that the PSU has not', async () => {
    const scaId = await wantConsent(bank, { context: 'CORPORATE' });
    const page = await pages.submit(scaId, { action: 'identify', psu: nora });
    const text = await page.text();
    expect(text).toContain('<h1>Who do you act for?</h1>');
    expect(read(text)).toContain('Test TPP asked you to act for a company, which you cannot do here.');
    const next = await pages.submit(scaId, { action: 'choose', psu: nora, context: 'PRIVATE' });
    expect(await next.text()).toContain('Which accounts do you share?');
  });
});
