import { describe, expect, test } from '@jest/globals';
import { pay, people } from '../lab/payments.ts';
import { answer, headingOf, openPage, pagesForEach, read, redirectOf, wantConsent } from './pages.ts';

const nora = people.nora.psu;
const { bank, pages } = pagesForEach('2027-03-24T12:00:00+01:00');

async function newSca(): Promise<string> {
  return (await pay(bank, { from: 'nora', to: 'shop', amount: '1234.50' })).scaId ?? '';
}

const languageOf = (text: string): string | undefined => /<html lang="(\w+)">/.exec(text)?.[1];

/** The switch of a page: its address, its language and its text. */
function switchOf(text: string): { href: string; lang: string; label: string } {
  const [, href = '', lang = '', label = ''] =
    /<a\s+class="language"\s+href="([^"]*)"\s+lang="(\w+)"\s+hreflang="\w+"\s*>([^<]*)</.exec(text) ?? [];
  return { href: href.replaceAll('&amp;', '&'), lang, label };
}

async function inLanguage(path: string, accepted: string): Promise<string> {
  const response = await fetch(`${pages.address}/${path}`, { headers: { 'accept-language': accepted } });
  return (await response.text()).replaceAll('\u00a0', ' ');
}

describe('A2e: the language of a page', () => {
  test.each([
    ['nb-NO,nb;q=0.9,en;q=0.8', 'nb'],
    ['no', 'nb'],
    ['nn-NO', 'nb'],
    ['en-US,en;q=0.9', 'en'],
    ['nb;q=0.1,en;q=0.2', 'en'],
    ['de-DE,nb;q=0.3', 'nb'],
    ['de', 'en'],
    ['*', 'en'],
    ['', 'en'],
    ['nb;q=0', 'en'],
    [`${'x,'.repeat(2_000)}nb;q=0.5`, 'nb'],
    ['"><script>', 'en'],
  ])('is that which the browser prefers: %s', async (accepted, language) => {
    const text = await inLanguage(await newSca(), accepted);
    expect(languageOf(text)).toBe(language);
    expect(headingOf(text)).toBe(language === 'nb' ? 'Hvem er du?' : 'Who are you?');
    expect(switchOf(text)).toEqual(
      language === 'nb'
        ? { href: '?lang=en', lang: 'en', label: 'English' }
        : { href: '?lang=nb', lang: 'nb', label: 'Norsk' },
    );
  });

  test.each(['lang=de', 'lang=', 'lang=nb&lang=en', 'lang[]=nb', 'lang[x]=nb'])(
    'an odd choice is none: ?%s',
    async (query) => {
      expect(languageOf(await inLanguage(`${await newSca()}?${query}`, 'en'))).toBe('en');
    },
  );

  test('the switch wins over the browser, and is kept on the way through the steps, with its method', async () => {
    const scaId = await newSca();
    const start = await inLanguage(`${scaId}?method=HA2`, 'en');
    expect(switchOf(start).href).toBe('?method=HA2&lang=nb');
    const first = await openPage(`${pages.address}/${scaId}${switchOf(start).href}`);
    const wrong = await answer(first, { action: 'identify', psu: '12345678901' });
    const asked = read(await wrong.clone().text());
    expect(asked).toContain('Feil: Hvem er du?');
    expect(asked).toContain('Ingen i denne banken har dette fødselsnummeret. Du har 2 forsøk igjen.');
    expect(asked).toContain('Metode: HA2');
    const approving = await answer(wrong, { action: 'identify', psu: nora });
    const text = await approving.clone().text();
    const shown = read(text).replaceAll('\u00a0', ' ');
    expect([languageOf(text), headingOf(text)]).toEqual(['nb', 'Vil du godkjenne betalingen?']);
    expect(shown).toContain('1 234,50 kr');
    expect(shown).toContain('Dato onsdag 24. mars 2027');
    expect(redirectOf(await answer(approving, { action: 'approve' }))).toMatchObject({ 'psu-id': expect.any(String) });
  });

  test('a step is shown in either language: what was wrong is said in the one of the page', async () => {
    const first = await openPage(`${pages.address}/${await newSca()}?lang=nb`);
    const malformed = await answer(first, { action: 'identify', psu: '123' });
    const norwegian = await malformed.clone().text();
    expect(norwegian).toContain('Et fødselsnummer har 11 siffer');
    const switched = await openPage(new URL(switchOf(norwegian).href, malformed.url).href);
    const text = await switched.clone().text();
    expect(text).toContain('A national identity number has 11 digits');
    expect(text).toContain('value="123"');
    expect(headingOf(await (await answer(switched, { action: 'identify', psu: nora })).text())).toBe(
      'Approve this payment?',
    );
  });

  test('nothing of the other language is left on a page', async () => {
    const scaId = await wantConsent(bank);
    const pick = async (path: string) => read(await inLanguage(path, 'nb'));
    expect(await pick(scaId)).not.toMatch(/\b(the|you|who|cancel|continue|people)\b/i);
    expect(await pick('unknown')).toContain('Her er det ingenting å godkjenne');
    const english = await pages.get(scaId);
    const texts = [await english.text(), await (await pages.submit(scaId, { action: 'identify', psu: nora })).text()];
    for (const text of texts) expect(read(text)).not.toMatch(/\b(og|du|er|det|den|ikke|fortsett|avbryt|personer)\b/i);
  });

  test('pages of what does not work are in the language too, and lead on in it', async () => {
    const scaId = await newSca();
    const foreign = await fetch(`${pages.address}/${scaId}?lang=nb`, {
      method: 'POST',
      body: new URLSearchParams({ token: 'x' }),
    });
    const text = await foreign.text();
    expect([foreign.status, languageOf(text), headingOf(text)]).toEqual([403, 'nb', 'Banken tok ikke imot dette']);
    expect(text).toContain('href="?lang=nb"');
    const other = await fetch(`${pages.address}/${scaId}`, {
      headers: { origin: 'https://evil.example', 'accept-language': 'nb' },
    });
    expect([other.status, languageOf(await other.text())]).toEqual([403, 'nb']);
    await pages.submit(scaId, { action: 'cancel' });
    expect(headingOf(await inLanguage(scaId, 'nb'))).toBe('Lenken er allerede brukt');
  });
});
