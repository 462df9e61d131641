import { beforeAll, expect, test } from '@jest/globals';
import { quirkNames } from '../../engine/bank/rules/quirk.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { partsOfPage } from '../guide/links.ts';
import { beforeEaster, pay } from './console-bank.ts';
import { type Answered, ConsoleClient, hidden } from './console-client.ts';
import { testBank } from '../support/test-bank.ts';

/* C16: quirks as switches. */
const bank = testBank(beforeEaster);
let client: ConsoleClient;
beforeAll(async () => {
  client = new ConsoleClient(bank.address);
  await pay(bank, singlePath, singlePayment());
  await bank.advance({ runs: 2 });
});

async function send(page: string, form: string, fields: Readonly<Record<string, string>>): Promise<Answered> {
  const carried = { 'form-token': hidden(await client.get(`/console${page}`), 'form-token'), 'came-from': page };
  const sent = await client.post(`/console${form}`, { ...carried, ...fields });
  return client.follow(`/console${form}`, sent);
}

test('C16: the page has each quirk once, in its group, with a switch; its rule and its lines of docs/habits.md are links', async () => {
  const { text } = await client.get('/console/quirks');
  const ids = new Map<string, Promise<ReadonlySet<string>>>();
  const isThere = async (path: string): Promise<boolean> => {
    const answer = await fetch(`${bank.address}/docs/${path}`, { redirect: 'manual' });
    const { pathname, hash } = new URL(answer.headers.get('location') ?? '', answer.url);
    if (!ids.has(pathname))
      ids.set(
        pathname,
        client.get(pathname).then((page) => partsOfPage(page.text).ids),
      );
    return hash.slice(1) === path.split('/').at(-1) && (await ids.get(pathname))?.has(hash.slice(1)) === true;
  };
  for (const name of quirkNames) {
    expect([name, text.split(`aria-label="${name}"`).length]).toEqual([name, 2]);
    const { status, text: page } = await client.get(`/console/quirks/${name}`);
    const places = [...page.matchAll(/docs\/((?:spec\/rules|habits)\/[^"]*)"/g)].map(([, place = '']) => place);
    expect([name, status, places.length > 0]).toEqual([name, 200, true]);
    for (const place of new Set(places)) expect([name, place, await isThere(place)]).toEqual([name, place, true]);
  }
  expect((await client.get('/console/quirks/nothing')).status).toBe(404);
});

test('C16: one form saves all switches that were moved, and no others; a refusal keeps them as they were moved', async () => {
  const quirks = async () => (await bank.control('GET', '/sandbox/quirks')).body.quirks;
  await bank.quirks({ 'reissued-ids': 'P7D', order: true });
  const page = await client.get('/console/quirks');
  expect(hidden(page, 'was')).toBe('reissued-ids,order');
  // Another tester switches one meanwhile.
  await bank.quirks({ 'no-next-link': true });
  const moved = { was: 'reissued-ids,order', 'reissued-ids': 'on', 'plain-json': 'on' };
  expect((await send('/quirks', '/quirks', moved)).text).toContain('On: reissued-ids, no-next-link, plain-json.');
  expect(await quirks()).toEqual({ 'reissued-ids': 'P7D', 'no-next-link': true, 'plain-json': true });
  const { text } = await send('/quirks', '/quirks', {
    was: 'reissued-ids,no-next-link,plain-json',
    'consent-days': '999',
  });
  expect(text).toMatch(/role="alert"[^]*consent-days/);
  const isChosen = (name: string) => new RegExp(`aria-label="${name}"[^>]*\\schecked`).test(text);
  expect(['consent-days', 'plain-json'].map(isChosen)).toEqual([true, false]);
  expect(await quirks()).toMatchObject({ 'plain-json': true });
  // What others switch on after the refusal stays on, as the form did not move it.
  await bank.quirks({ 'bban-mod11': true });
  const { text: later } = await client.get('/console/quirks');
  expect(later).toMatch(/aria-label="bban-mod11"[^>]*\schecked/);
  expect(later).toMatch(/aria-label="consent-days"[^>]*\schecked/);
  const off = Object.fromEntries(Object.keys(await quirks()).map((name) => [name, false]));
  await bank.quirks(off);
});

test('C16: a switch switches, a value keeps its bounds and is not blank, and the quirks go into the form of a new bank', async () => {
  const { text: on } = await send('/quirks', '/quirks', { 'plain-json': 'on' });
  expect(on).toMatch(/On: plain-json\.[^]*href="[^"]*console\/banks\?quirks=plain-json"/);
  const path = '/quirks/consent-days';
  const { text: wrong } = await send(path, '/quirks', { 'consent-days': '999' });
  expect(wrong).toMatch(/role="alert"[^]*name="consent-days"[^>]*aria-invalid[^]*value="999"/);
  await send(path, '/quirks', { 'consent-days': '30' });
  expect((await bank.control('GET', '/sandbox/quirks')).body.quirks).toEqual({
    'plain-json': true,
    'consent-days': '30',
  });
  const { text: form } = await client.get('/console/banks?quirks=plain-json,+consent-days%3D30');
  expect(form).toContain('value="plain-json, consent-days=30"');
  const made = { name: 'with-these', quirks: 'plain-json, consent-days=30', profile: 'bien-sparebank' };
  await send('/banks', '/banks', made);
  expect((await bank.control('GET', '/banks/with-these/sandbox/quirks')).body.quirks).toMatchObject({
    'plain-json': true,
    'consent-days': '30',
    order: 'posting',
  });
  // A value is changed and a quirk is switched off from the page of one quirk, and the others stay.
  await send(path, '/quirks', { was: 'consent-days', 'consent-days': '31' });
  await send(path, '/quirks', { was: 'plain-json' });
  const { text: blank } = await send(path, '/quirks', {
    was: 'consent-days',
    valued: 'consent-days',
    'consent-days': ' ',
  });
  expect(blank).toMatch(/role="alert"[^]*consent-days[^]*name="consent-days"[^>]*aria-invalid/);
  expect((await bank.control('GET', '/sandbox/quirks')).body.quirks).toEqual({ 'consent-days': '31' });
  await send(path, '/quirks', { was: 'consent-days' });
});

test('C5, C14: a named bank has its name and that of its profile in the title, and how many of its quirks are switched off or changed', async () => {
  await bank.control('POST', '/sandbox/banks', { name: 'as-bien', profile: 'bien-sparebank' });
  const titleOf = async (): Promise<string> => {
    const { text } = await client.get('/banks/as-bien/console');
    return `${/<title>(.*)<\/title>/.exec(text)?.[1]}; ${/<h1>(.*)<\/h1>/.exec(text)?.[1]}`;
  };
  const put = (quirks: object) => bank.control('PUT', '/banks/as-bien/sandbox/quirks', { quirks });
  await put({ 'plain-json': true });
  expect(await titleOf()).toBe('Overview – as-bien (Bien Sparebank) – Sandbank; as-bien (Bien Sparebank)');
  await put({ order: false, 'pending-dates': 'none' });
  expect(await titleOf()).toBe(
    'Overview – as-bien (Bien Sparebank without 2 of its quirks) – Sandbank; as-bien (Bien Sparebank without 2 of its quirks)',
  );
});
