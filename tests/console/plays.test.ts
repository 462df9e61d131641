import { describe, expect, test } from '@jest/globals';
import { catalogue } from '../../api/catalogue/catalogue.ts';
import { ScenarioPlays } from '../../api/console/scenarios/plays.ts';
import { startTestBank } from '../lab/server.ts';
import { beforeEaster } from './console-bank.ts';
import { type Answered, ConsoleClient, hidden } from './console-client.ts';
import { testBank } from '../support/test-bank.ts';

/** One of few steps. */
const short = catalogue().find(({ name }) => name === 'after-the-last-run');
const scenario = catalogue().find(({ name }) => name === 'easter') ?? catalogue()[0];
const bank = testBank(beforeEaster, [], { slowPause: 500 });

/** Plays a scenario by its form, and shows the page that it leads to. */
async function played(
  client: ConsoleClient,
  fields: object,
  base = '',
  name = 'easter',
): Promise<Answered & { path: string }> {
  const page = await client.get(`${base}/console/scenarios/${name}`);
  const path = `${base}/console/scenarios/${name}/play`;
  const sent = await client.post(path, { 'form-token': hidden(page, 'form-token'), ...fields });
  const { pathname } = new URL(sent.headers.location ?? '', bank.address + path);
  return { ...(await client.follow(path, sent)), path: pathname };
}

/** The bank that was made, by the page that playing leads to. */
function bankIn(text: string): string {
  return /The bank (\S+) was made/.exec(text)?.[1] ?? '';
}

/** The page of a play once it has ended. */
async function ended(client: ConsoleClient, path: string): Promise<string> {
  for (;;) {
    const { text } = await client.get(path);
    if (!text.includes('under way')) return text;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

describe('playing a scenario', () => {
  test('steps appear one after the other, until its end; nothing of this bank moves', async () => {
    const before = (await bank.control('GET', '/sandbox/ledger/hash?ids=included')).body;
    const client = new ConsoleClient(bank.address);
    const first = await played(client, { pace: 'slow' }, '', 'after-the-last-run');
    expect(first.text).toContain('data-goes-on');
    expect(first.text).toContain('The bank after-the-last-run-1 was made for it.');
    const [steps, ends] = [short?.steps.length, short?.ends ?? ''];
    expect(first.text).toMatch(new RegExp(`<dd>[01] of ${steps}</dd>`));
    expect(first.text).not.toContain(ends);
    const text = await ended(client, first.path);
    expect(text).not.toContain('data-goes-on');
    expect(text).toContain(`<strong>${ends}</strong>`);
    expect(text.match(/<h2>/g)).toHaveLength(steps ?? 0);
    expect(text).toContain('href="../../../banks/after-the-last-run-1/console"');
    expect((await client.get('/banks/after-the-last-run-1/console')).status).toBe(200);
    expect((await bank.control('GET', '/sandbox/ledger/hash?ids=included')).body).toEqual(before);
    expect((await client.get('/console/scenarios')).text).toContain('as expected');
  }, 30_000);

  // Each step of each page; that the catalogue goes as it says is tested with it.
  test.each(['first-payment', 'certificates', 'wrong-requests', 'transactions', 'month-end', 'two-signers'])(
    '%s can be played in the console',
    async (name) => {
      const client = new ConsoleClient(bank.address);
      const { path } = await played(client, { pace: 'fast' }, '', name);
      expect(await ended(client, path)).toContain('>as expected<');
    },
  );

  test('from the console of a named bank, and with a control token', async () => {
    const client = new ConsoleClient(bank.address);
    await bank.control('POST', '/sandbox/banks', { name: 'other' });
    const { path } = await played(client, { pace: 'fast' }, '/banks/other');
    const text = await ended(client, path);
    expect(text).toContain('>as expected<');
    const [, link = ''] = /href="([^"]*\/banks\/easter-\d+\/console)"/.exec(text) ?? [];
    expect(new URL(link, bank.address + path).pathname).toMatch(/^\/banks\/easter-\d+\/console$/);
    const guarded = await startTestBank(beforeEaster, ['--control-token=a-secret-of-the-server']);
    const admitted = new ConsoleClient(guarded.address);
    await admitted.post('/console/session', { 'control-token': 'a-secret-of-the-server', to: '' });
    const page = await admitted.get('/console/scenarios/easter');
    const at = '/console/scenarios/easter/play';
    const sent = await admitted.post(at, { 'form-token': hidden(page, 'form-token'), pace: 'fast' });
    const { pathname } = new URL(sent.headers.location ?? '', guarded.address + at);
    const last = await ended(admitted, pathname);
    await guarded.stop();
    expect(last).toContain('>as expected<');
    expect(last).not.toContain('a-secret-of-the-server');
  });

  test('in a container, whose server listens on all addresses', async () => {
    const everywhere = await startTestBank(beforeEaster, ['--host=0.0.0.0']);
    const address = everywhere.address.replace('0.0.0.0', '127.0.0.1');
    const client = new ConsoleClient(address);
    const page = await client.get('/console/scenarios/easter');
    const at = '/console/scenarios/easter/play';
    const sent = await client.post(at, { 'form-token': hidden(page, 'form-token'), pace: 'fast' });
    const shown = await client.follow(at, sent);
    const last = shown.text.includes('was made for it')
      ? await ended(client, new URL(sent.headers.location ?? '', address + at).pathname)
      : shown.text;
    await everywhere.stop();
    expect(last).toContain('>as expected<');
  });

  test('what went otherwise is told, with what was expected', async () => {
    const client = new ConsoleClient(bank.address);
    const { path, text } = await played(client, { pace: 'slow' });
    await bank.control('DELETE', `/sandbox/banks/${bankIn(text)}`);
    const last = await ended(client, path);
    expect(last).toContain('>not as expected<');
    expect(last).toContain('the status is 404, expected');
  }, 20_000);

  test('three at once are the most: a fourth is refused beside its form', async () => {
    const client = new ConsoleClient(bank.address);
    const paths = [];
    for (let count = 0; count < 3; count += 1) paths.push(await played(client, { pace: 'slow' }));
    const fourth = await played(client, { pace: 'slow' });
    expect(fourth.text).toContain('3 scenarios are under way, the maximum');
    for (const { text } of paths) await bank.control('DELETE', `/sandbox/banks/${bankIn(text)}`);
    for (const { path } of paths) await ended(client, path);
  }, 60_000);
});

describe('what a server keeps', () => {
  test('the last twenty, each with its bank; the bank of an older one is removed', async () => {
    if (scenario === undefined) throw new Error('the catalogue has scenarios');
    const own = await startTestBank(beforeEaster);
    const plays = new ScenarioPlays({ address: own.address, token: null, stopping: new AbortController().signal });
    const names: string[] = [];
    for (let count = 0; count < 22; count += 1) {
      const { id, bank: name } = await plays.start(scenario, 0);
      names.push(name);
      while (plays.find(id)?.state === 'under way') await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(plays.list().map((play) => play.bank)).toEqual(names.slice(2).toReversed());
    const { body } = await own.control('GET', '/sandbox/banks');
    await own.stop();
    expect(body.banks.map((each: { name: string }) => each.name).toSorted()).toEqual(
      ['default', ...names.slice(2)].toSorted(),
    );
  }, 60_000);

  test('a server that stops ends what is played, and one that cannot be reached says so', async () => {
    if (scenario === undefined) throw new Error('the catalogue has scenarios');
    const stopping = new AbortController();
    const plays = new ScenarioPlays({ address: bank.address, token: null, stopping: stopping.signal });
    const { id } = await plays.start(scenario, 60_000);
    stopping.abort();
    while (plays.find(id)?.state === 'under way') await new Promise((resolve) => setTimeout(resolve, 10));
    expect(plays.find(id)).toMatchObject({ state: 'failed', failure: 'ended before the last step' });
    const nowhere = new ScenarioPlays({
      address: 'http://127.0.0.1:1',
      token: null,
      stopping: AbortSignal.timeout(60_000),
    });
    await expect(nowhere.start(scenario, 0)).rejects.toMatchObject({ facts: { status: 503 } });
  });
});
