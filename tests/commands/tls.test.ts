import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { trustCaOf } from '../lab/exchange.ts';
import { runMain } from '../support/recorded-terminal.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { testBank } from '../support/test-bank.ts';

/* rules.md G13: the commands reach a bank that speaks TLS. They trust the CA beside the ledger. */

const now = '2027-03-24T12:00:00+01:00';
const folder = tempFolder();
const bank = testBank(now, ['--tls=1']);
const plainBank = testBank(now);
const port = (address: string): string => new URL(address).port;
const beside = { SANDBANK_LEDGER: join(folder, 'ledger.sqlite') };
const notTrusted =
  'Its certificate is not trusted: NODE_EXTRA_CA_CERTS=FILE trusts the CA in FILE. GET /sandbox/ca has the CA of a Sandbank.';

beforeAll(async () => {
  const { code, errors } = await runMain(['status'], { env: { BANK: bank.address } });
  expect([code, errors]).toEqual([
    1,
    [`no connection to ${bank.address} (UNABLE_TO_VERIFY_LEAF_SIGNATURE). ${notTrusted}`],
  ]);
  writeFileSync(join(folder, 'sandbox-ca.crt'), await trustCaOf(bank.address));
});

test.each([['demo'], ['play', 'easter'], ['reset']])(
  'G13: %s tells that the certificate is not trusted, as status does',
  async (...words) => {
    const { code, errors } = await runMain(words, { env: { BANK: bank.address } });
    expect([code, errors]).toEqual([
      1,
      [`no connection to ${bank.address} (UNABLE_TO_VERIFY_LEAF_SIGNATURE). ${notTrusted}`],
    ]);
  },
);

test.each([
  ['$BANK', () => [], () => ({ BANK: bank.address })],
  ['--tls', () => ['--port', port(bank.address), '--tls'], () => ({})],
  ['SANDBANK_TLS', () => [], () => ({ PORT: port(bank.address), SANDBANK_TLS: '1' })],
] as const)('G13: %s names it', async (_name, flags, env) => {
  const { code, lines, errors } = await runMain(['status', ...flags()], { env: { ...beside, ...env() } });
  expect([code, errors, lines[0]?.split(' ')[0]]).toEqual([0, [], 'Now']);
});

test('G13: ready, the health check, asks on its own machine whatever the certificate', async () => {
  const { code, lines } = await runMain(['ready', '--port', port(bank.address), '--tls']);
  expect([code, lines]).toEqual([0, ['ready']]);
});

test('G13: a plain bank that is asked by https, and the other way round', async () => {
  const wrong = [plainBank.address.replace('http:', 'https:'), bank.address.replace('https:', 'http:')];
  const [byTls, plain] = await Promise.all(wrong.map((BANK) => runMain(['status'], { env: { BANK } })));
  expect(byTls?.errors).toEqual([
    expect.stringMatching(
      /^no connection to https:\S+ \(\w+\)\. This bank speaks HTTP: write http:\/\/ in the address\.$/,
    ),
  ]);
  expect(plain?.errors).toEqual(['refused (400): This port speaks https, not http: write https:// in the address.']);
});

test('G13: the switch takes no value on a command line', async () => {
  expect((await runMain(['serve', '--tls=1'])).errors[0]).toContain('--tls takes no value');
});
