import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestBank, type TestBank } from '../support/server.ts';

const run = promisify(execFile);
let bank: TestBank;
beforeAll(async () => {
  bank = await startTestBank('2027-03-24T12:00:00+01:00');
});
afterAll(() => bank.stop());

test('the first payment of its page, line by line in a shell: 250 kroner are gone, and booked', async () => {
  const page = readFileSync('docs/first-payment.md', 'utf8');
  const [, lines = ''] = /```sh\n(.*?)```/s.exec(page) ?? [];
  expect(lines).not.toContain('npm');
  const here = lines.replaceAll('http://127.0.0.1:8080', bank.address);
  const { stdout, stderr } = await run('sh', ['-eu', '-c', here]);
  expect(stderr).toBe('');
  const balances = [
    ...stdout.matchAll(/\{"amount":"([\d.]+)","currency":"NOK"\},"balanceType":"interimAvailable"/g),
  ].map(([, amount]) => amount);
  expect(balances).toEqual(['18000.00', '17750.00']);
  expect(stdout).toMatch(/"booked":\[\{[^[]*"amount":"-250.00"[^[]*"remittanceInformationUnstructured":"Kredittrente"/);
});
