import { beforeAll, expect, test } from '@jest/globals';
import { startTestBank } from '../lab/server.ts';
import { beforeEaster } from './console-bank.ts';
import { ConsoleClient, hidden } from './console-client.ts';
import { testBank } from '../support/test-bank.ts';

/* C14: the way between the banks of a server. */
const bank = testBank(beforeEaster, [], { platform: ['bien-sparebank', 'bn-bank'] });
let client: ConsoleClient;
beforeAll(async () => {
  await bank.control('POST', '/sandbox/banks', { name: 'mine', mode: 'frozen' });
  client = new ConsoleClient(bank.address);
});

test('C14: the start page leads to the banks; one of the platform that is not open is made at a click', async () => {
  const start = await client.get('/console');
  const [, to = ''] = /href="([^"]*)"[^>]*>Be one of \d\d banks</.exec(start.text) ?? [];
  const page = await client.get(new URL(to, `${bank.address}/console`).pathname);
  expect(page.text).toContain('/banks/mine/console"');
  expect([...page.text.matchAll(/<option value="[\w-]+"/g)].length).toBeGreaterThan(25);
  const opens = (text: string): string => /<form[^>]*banks\/open"[^]*?<\/form>/.exec(text)?.[0] ?? '';
  expect(opens(page.text)).not.toContain('value="bn-bank"');
  expect(opens(page.text)).toContain('value="handelsbanken-norge"');
  const fields = { 'form-token': hidden(page, 'form-token'), 'came-from': '/banks', profile: 'handelsbanken-norge' };
  const { text } = await client.follow('/console/banks/open', await client.post('/console/banks/open', fields));
  expect(text).toContain('Handelsbanken');
  const { quirks } = (await bank.control('GET', '/banks/handelsbanken-norge/sandbox/quirks')).body;
  expect(Object.keys(quirks).length).toBeGreaterThan(0);
  expect(opens((await client.get('/console/banks')).text)).not.toContain('value="handelsbanken-norge"');
});

test('C8: a refusal unfolds the form New bank only if that form was refused', async () => {
  const page = await client.get('/console/banks');
  const refused = async (path: string, fields: Readonly<Record<string, string>>): Promise<[boolean, boolean]> => {
    const sent = { 'form-token': hidden(page, 'form-token'), 'came-from': '/banks', ...fields };
    const { text } = await client.follow(path, await client.post(path, sent));
    return [/class="[^"]*problem/.test(text), /<details id="new-bank"\s+open/.test(text)];
  };
  expect(await refused('/console/banks/clock/advance', { by: 'soon' })).toEqual([true, false]);
  expect(await refused('/console/banks', { name: 'No Name' })).toEqual([true, true]);
});

test.each(['/banks', '/banks/open', '/banks/copy', '/banks/mine/remove', '/banks/clock/advance'])(
  'C14: %s is a form of the bank at the root, and no failure of another',
  async (path) => {
    const page = await client.get('/banks/mine/console/banks');
    const fields = {
      'form-token': hidden(page, 'form-token'),
      'came-from': '/banks',
      name: 'other',
      profile: 'bn-bank',
    };
    const sent = await client.post(`/banks/mine/console${path}`, { ...fields, from: 'mine', by: 'P1D' });
    const { text } = await client.follow(`/banks/mine/console${path}`, sent);
    expect(text).toContain('Only the bank at the root has');
  },
);

test('C14: a bank says its name in header and title, in how many ways it differs, and leads to the others', async () => {
  const { text } = await client.get('/banks/bien-sparebank/console');
  expect(text).toMatch(/<title>Overview – Bien Sparebank – Sandbank<\/title>/);
  expect(text).toMatch(/id="switch" href="[./]+console\/banks"[^]*?<bdi>Bien Sparebank<\/bdi>/);
  const { quirks } = (await bank.control('GET', '/banks/bien-sparebank/sandbox/quirks')).body;
  expect(text).toContain(`>On: ${Object.keys(quirks).length} quirks</a>`);
  expect((await client.get('/console')).text).not.toContain('class="switched"');
});

test('the page Quirks lists what is not known of its bank, with room for the points of the list', async () => {
  const { text } = await client.get('/banks/bien-sparebank/console/quirks');
  const [, name = ''] = /<h2>Not known<\/h2>\s*<ul class="(\w+)">\s*<li>/.exec(text) ?? [];
  expect(text).toContain(`\n.${name}{padding-left:`);
});

test('C14: a session of one bank sees no other, and the host sees all', async () => {
  await using guarded = await startTestBank(beforeEaster, ['--control-token', 'a-secret-token-of-ours']);
  const authorization = { authorization: 'Bearer a-secret-token-of-ours' };
  const { body } = await guarded.raw(
    'POST',
    '/sandbox/banks',
    { ...authorization, 'content-type': 'application/json' },
    Buffer.from('{"name":"mine"}'),
  );
  for (const [token, sees] of [
    [body.token, false],
    ['a-secret-token-of-ours', true],
  ]) {
    const browser = new ConsoleClient(guarded.address);
    await browser.post('/banks/mine/console/session', { 'control-token': token });
    expect((await browser.get('/banks/mine/console')).text.includes('id="switch"')).toBe(sees);
  }
});
