import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openPlatform } from '../../api/harness/create-bank.ts';
import { platformIds } from '../../api/start/platform.ts';
import { singlePath, singlePayment } from '../lab/bodies.ts';
import { BankClient, startTestBank, type TestBank } from '../lab/server.ts';

const now = '2027-03-24T12:00:00+01:00';
const psu = { 'x-psu-identity': '13039319955', 'psu-context': 'PRIVATE' };
const token = 'a-token-of-the-tests';
const ids = platformIds();

/* rules.md Q12: the platform in one process. */
describe('a server of the platform', () => {
  let bank: TestBank;
  beforeAll(async () => {
    bank = await startTestBank(now, [], { platform: ids });
  });
  afterAll(() => bank.stop());

  test('GET /platform lists its banks, and opens none', async () => {
    const { status, headers, body } = await bank.control('GET', '/platform');
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(body.banks.map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(body.banks).toContainEqual({
      id: 'soknedal-sparebank',
      name: 'Soknedal Sparebank',
      group: 'Eika',
      registerNumbers: ['4333'],
      portalHost: 'psd2.soknedal-sparebank.no',
      quality: 'partial',
      address: `${bank.address}/banks/soknedal-sparebank`,
    });
    expect((await bank.control('GET', '/sandbox/banks')).body.banks).toHaveLength(1);
    const { paths } = (await bank.control('GET', '/sandbox/openapi.json')).body;
    expect(paths['/platform'].get.tags).toEqual(['Banks']);
  });

  test('each opens when it is first asked, twice at once too, under its profile; no payment is seen in another', async () => {
    const [paid, info] = await Promise.all([
      bank.signed('POST', `/banks/bien-sparebank${singlePath}`, { headers: psu, body: singlePayment() }),
      bank.control('GET', '/banks/bien-sparebank/sandbox/info'),
    ]);
    expect([paid.status, info.status]).toEqual([201, 200]);
    const { paymentId, _links: links } = paid.body;
    // The id has the form of that bank's ids.
    expect(paymentId).toMatch(/^enc!!/);
    const path = `/sandbox/payments/${encodeURIComponent(paymentId)}`;
    const seen = ['/banks/bien-sparebank', '/banks/fana-sparebank', ''].map((base) => bank.control('GET', base + path));
    expect((await Promise.all(seen)).map(({ status }) => status)).toEqual([200, 404, 404]);
    const opened = (await bank.control('GET', '/sandbox/banks')).body.banks.map(({ name }: { name: string }) => name);
    expect(opened).toEqual(['default', 'bien-sparebank', 'fana-sparebank']);
    const page = await (await fetch(links.scaRedirect.href)).text();
    expect(page).toContain('<p class="bank">Bien Sparebank</p>');
    expect(page).toMatch(/<title>[^<]+ &ndash; Bien Sparebank<\/title>/);
  });

  test('a bank that is removed begins anew; its name is no other bank', async () => {
    expect((await bank.control('DELETE', '/sandbox/banks/obos-banken')).status).toBe(200);
    expect((await bank.control('GET', '/banks/obos-banken/sandbox/profile')).body.name).toBe('OBOS-banken');
    const made = await bank.control('POST', '/sandbox/banks', { name: 'klp-banken' });
    expect([made.status, made.body.detail]).toEqual([
      409,
      'The bank klp-banken is one of the platform. Choose another name.',
    ]);
    expect((await bank.control('GET', '/banks/skagerrak-sparebank/sandbox/info')).status).toBe(404);
  });

  test.each(['POST', 'PUT', 'DELETE'])('%s /platform is no call', async (method) => {
    expect((await bank.control(method, '/platform')).status).toBe(405);
  });

  test('the list of a named bank is no call, nor is any other path', async () => {
    for (const path of ['/banks/bien-sparebank/platform', '/platform/bien-sparebank'])
      expect((await bank.control('GET', path)).status).toBe(404);
  });
});

test('Q12b: a bank of the platform has the settings of its profile alone; flags hold for the root and banks made by hand', async () => {
  const flags = ['--settlement-times', '06:00,17:00', '--cut-offs', 'domestic=11:00', '--early-close', '12-30=10:00'];
  const bank = await startTestBank(now, [...flags, '--fx-fixings', '10:00', '--quirks', 'december-month'], {
    platform: ids,
  });
  const termsOf = async (base: string) => {
    const { body } = await bank.control('GET', `${base}/sandbox/info`);
    const { settlementTimes, cutOffs, earlyClose, fxFixings, quirks } = body.configuration;
    return { settlementTimes, cutOffs, earlyClose, fxFixings, quirks };
  };
  const usual = ['05:30', '09:30', '11:30', '13:30', '15:30'];
  const none = { settlementTimes: usual, cutOffs: {}, earlyClose: {}, fxFixings: [] };
  for (const id of ['klp-banken', 'fana-sparebank', 'handelsbanken-norge', 'bien-sparebank']) {
    const { settings } = (await bank.control('GET', `/banks/${id}/sandbox/profile`)).body;
    const { quirks: _quirks, ...terms } = await termsOf(`/banks/${id}`);
    expect(terms).toEqual({ ...none, ...settings });
    expect((await termsOf(`/banks/${id}`)).quirks).not.toContain('december-month');
  }
  await bank.control('POST', '/sandbox/banks', { name: 'mine' });
  expect((await termsOf('/banks/mine')).settlementTimes).toEqual(['06:00', '17:00']);
  expect(await termsOf('/banks/mine')).toEqual(await termsOf(''));
  await bank.stop();
});

test('Q12: the list of the platform and that of the banks have the public address', async () => {
  const bank = await startTestBank(now, ['--public-url', 'https://bank.example'], { platform: ids });
  await bank.control('GET', '/banks/bien-sparebank/sandbox/clock');
  const named = (await bank.control('GET', '/sandbox/banks')).body.banks[1];
  const listed = (await bank.control('GET', '/platform')).body.banks;
  await bank.stop();
  const address = 'https://bank.example/banks/bien-sparebank';
  expect(named.interface).toBe(`${address}/v1`);
  expect(listed.map((each: { address: string }) => each.address)).toContain(address);
});

test('GET /platform is guarded as /sandbox is, and without --platform is no call', async () => {
  const [guarded, plain] = await Promise.all([
    startTestBank(now, ['--control-token', token], { platform: ids }),
    startTestBank(now),
  ]);
  const client = new BankClient(guarded.address);
  const asked = [{}, { authorization: `Bearer ${token}` }, { authorization: `Bearer ${token}`, host: 'evil.example' }];
  const answers = await Promise.all(asked.map((headers) => client.raw('GET', '/platform', headers)));
  expect(answers.map(({ status }) => status)).toEqual([401, 200, 403]);
  expect((await plain.control('GET', '/platform')).status).toBe(404);
  expect((await plain.control('GET', '/banks/bien-sparebank/sandbox/info')).status).toBe(404);
  await Promise.all([guarded.stop(), plain.stop()]);
});

test('openPlatform opens each of them for a test: its profile, the payments of a shared seed, its end', async () => {
  const platform = await openPlatform({ now, idSeed: 'seed' });
  expect(platform.map(({ profile }) => profile.id)).toEqual(ids);
  const paymentIds = new Set<string>();
  for (const bank of platform.slice(0, 2)) {
    const tpp = bank.tpp();
    paymentIds.add(await tpp.pay({ from: '34300000012', to: '70323119469', amount: '10.00' }));
    expect((await bank.info()).configuration.profile).toBe(bank.profile.id);
  }
  expect(paymentIds.size).toBe(2);
  await platform.close();
  await expect(platform[0]?.info()).rejects.toThrow(/close/);
  await expect(openPlatform({ port: 0 } as never)).rejects.toThrow('openPlatform has no option port. ');
});
