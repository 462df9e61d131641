import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createBank } from '../../api/harness/create-bank.ts';
import { ownSite } from '../../api/pipeline/own-site.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { listen } from '../../api/start/free-port.ts';
import { signingProxy } from '../../scripts/commands/signing-proxy.ts';
import {
  bulkItem,
  bulkPath,
  bulkPayment,
  periodicPath,
  periodicPayment,
  singlePath,
  singlePayment,
} from '../lab/bodies.ts';
import {
  BankClient,
  did,
  psuHeaders,
  startTestBank,
  type TestBank,
  type Told,
  validCertificate,
} from '../lab/server.ts';
import { runMain } from '../support/recorded-terminal.ts';

/* K12: banks that were given the same calls have the same hash, whichever way makes the calls. */

const now = '2027-03-24T12:00:00+01:00';
const order = { from: '09232911044', to: '90491105991', amount: '75.00', text: 'Invoice 4711' };
const servers: TestBank[] = [];
afterAll(() => Promise.all(servers.map((server) => server.stop())));

async function server(...flags: string[]): Promise<TestBank> {
  const started = await startTestBank(now, flags);
  servers.push(started);
  return started;
}

/** Two banks of one server, and one of another, on another port. */
async function banks(...flags: string[]): Promise<readonly BankClient[]> {
  const [one, other] = await Promise.all([server(...flags), server(...flags)]);
  const named = ['first', 'second'].map((name) => ({ name, address: `${one.address}/banks/${name}` }));
  for (const { name } of named) await did(one.control('PUT', `/sandbox/banks/${name}`, { now, mode: 'frozen' }));
  return [...named.map(({ address }) => new BankClient(address)), other];
}

const hashOf = async (bank: BankClient, ids = 'left-out'): Promise<string> =>
  (await did(bank.control('GET', `/sandbox/ledger/hash?ids=${ids}`))).body.hash;

/** Makes calls at each bank. Returns the hashes afterwards; each differs from that of a bank without any. */
async function hashesAfter(all: readonly BankClient[], calls: (bank: BankClient) => Promise<unknown>, ids?: string) {
  const hashes: string[] = [];
  for (const bank of all) {
    const before = await hashOf(bank, ids);
    await calls(bank);
    await did(bank.advance({ runs: 2 }));
    hashes.push(await hashOf(bank, ids));
    expect(hashes.at(-1)).not.toBe(before);
  }
  return new Set(hashes);
}

/** A payment by the control plane, and a standing order, whose call needs a session. */
async function bySandbox(bank: BankClient): Promise<void> {
  await did(bank.control('POST', '/sandbox/payments', order));
  await did(bank.control('POST', '/sandbox/payments', { ...order, every: 'Weekly', on: '2027-03-30' }));
}

const amount = (of: string) => ({ instructedAmount: { amount: of, currency: 'NOK' } });

/** A TPP of the door, or of a proxy, reads, pays, and signs a basket, as the PSU of the redirect. */
async function plainly(bank: BankClient, path: string, at = bank): Promise<void> {
  const call = async (method: string, target: string, headers: Record<string, string>, body?: object) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
    return (await did(at.raw(method, path + target, { ...type, ...headers }, bytes))).body;
  };
  // The client knows the path of a named bank already.
  const approve = ({ _links: { scaRedirect } }: Told): Promise<URL> =>
    bank.approve(scaRedirect.href.replace(/\/banks\/\w+/, ''));
  const { searchParams } = await approve(await call('POST', '/v1/bank-offered-consents', {}));
  const named = { 'psu-id': searchParams.get('psu-id') ?? '' };
  await call('GET', '/v1/accounts', named);
  await approve(await call('POST', singlePath, psuHeaders(), singlePayment(amount('1008.00'))));
  const bulk = await call('POST', bulkPath, named, bulkPayment([bulkItem('1003.00'), bulkItem('1004.00')]));
  const single = await call('POST', singlePath, named, singlePayment(amount('1007.00')));
  const basket = { paymentIds: [bulk.paymentId, single.paymentId] };
  const { basketId } = await call('POST', '/v1/signing-baskets', named, basket);
  await approve(await call('POST', `/v1/signing-baskets/${basketId}/authorisations`, named));
  const ofSession = { ...named, 'tpp-session-id': 'session-1', 'x-accept-fix': 'longer-names' };
  await call('POST', periodicPath, ofSession, periodicPayment(amount('1009.00')));
}

describe('K12: the hash is the same', () => {
  test('after POST /sandbox/payments, at two named banks and another server', async () => {
    expect((await hashesAfter(await banks(), bySandbox)).size).toBe(1);
  });

  test('after sandbank pay', async () => {
    const pay = async ({ address }: BankClient): Promise<void> => {
      for (const more of [[], ['--every', 'weekly']]) {
        const { code, errors } = await runMain(['pay', '--amount', '75', ...more], { env: { BANK: address } });
        expect({ code, errors }).toEqual({ code: 0, errors: [] });
      }
    };
    expect((await hashesAfter(await banks(), pay)).size).toBe(1);
  });

  test('after plain calls through the unsigned door', async () => {
    expect((await hashesAfter(await banks(), (bank) => plainly(bank, '/sandbox/as/shop'))).size).toBe(1);
  });

  test('after plain calls through a signing proxy', async () => {
    const site = ownSite({ host: '127.0.0.1', allowedHosts: [], publicUrl: null });
    const { certificatePem: certificate, keyPem: key } = validCertificate();
    const [wall, signedAt] = [() => systemClock.now(), () => Promise.resolve(systemClock.now())];
    const proxied = async (bank: BankClient): Promise<void> => {
      const proxy = signingProxy({
        target: new URL(bank.address),
        tpp: { certificate, key },
        site,
        now: wall,
        signedAt,
      });
      await listen(proxy, { port: 0, host: '127.0.0.1' });
      try {
        const { port } = proxy.address() as AddressInfo;
        await plainly(bank, '', new BankClient(`http://127.0.0.1:${port}`));
      } finally {
        proxy.close();
      }
    };
    expect((await hashesAfter(await banks(), proxied)).size).toBe(1);
  });

  test('with ids, at two servers with one SANDBANK_ID_SEED, also behind a snapshot', async () => {
    const seeded = await Promise.all([1, 2].map(() => server('--id-seed', 'easter')));
    const all = async (bank: BankClient): Promise<void> => {
      await bySandbox(bank);
      await did(bank.control('POST', '/sandbox/snapshots', { name: 'paid' }));
      await did(bank.control('POST', '/sandbox/snapshots/paid/restore'));
      await plainly(bank, '/sandbox/as/shop');
    };
    expect((await hashesAfter(seeded, all, 'included')).size).toBe(1);
  });

  test.each(['left-out', 'included'])('after tpp.pay with one idSeed, ids %s', async (ids) => {
    const hashes = new Set<string>();
    for (let count = 0; count < 2; count += 1) {
      await using bank = await createBank({ now, idSeed: 'easter' });
      const tpp = bank.tpp();
      const { from, to } = order;
      for (const more of [{}, { every: 'Weekly', on: '2027-03-30' } as const])
        await tpp.pay({ from, to, amount: '75.00', ...more });
      const reader = await tpp.consent({ psu: '13039319955' });
      await reader.accounts();
      await bank.clock.advance('P1D');
      const answer = await bank.fetch(`/sandbox/ledger/hash?ids=${ids}`);
      hashes.add(((await answer.json()) as { readonly hash: string }).hash);
    }
    expect(hashes.size).toBe(1);
  });

  test('but not if a TPP sends another address to return to', async () => {
    const one = await server();
    const hashes = new Set<string>();
    for (const name of ['shop', 'store']) {
      await did(one.reset());
      const headers = { 'tpp-redirect-uri': `https://${name}.example/back`, ...psuHeaders() };
      await did(one.signed('POST', singlePath, { headers, body: singlePayment() }));
      hashes.add(await hashOf(one));
    }
    expect(hashes.size).toBe(2);
  });
});
