import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { trustCaOf } from '../../lab/exchange.ts';
import { greetedAddress } from '../../lab/greeted-address.ts';
import { program } from '../../support/program.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { testBank } from '../../support/test-bank.ts';

/** What `serve` prints with these flags, up to its last line. */
async function greeting(...flags: string[]): Promise<string[]> {
  const child = spawn(process.execPath, [program, 'serve', '--port', '0', '--log-level', 'silent', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {},
  });
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    if (line.startsWith('Trust it')) child.kill('SIGTERM');
  }
  if (child.exitCode === null) await once(child, 'exit');
  expect(child.exitCode).toBe(0);
  return lines;
}

test.each([
  ['in memory', ':memory:', 'sandbox-ca.crt'],
  ['in a file', join(tempFolder(), 'ledger.sqlite'), '/sandbox-ca.crt'],
])(
  'G13: the start of a ledger %s prints where its CA is, and the page on trusting it',
  async (_name, ledger, ending) => {
    const lines = await greeting('--tls', '--ledger', ledger);
    const address = /^Sandbank {4}(https:\S+)$/.exec(lines[0] ?? '')?.[1] ?? '';
    const file = ledger === ':memory:' ? ending : ledger.replace('/ledger.sqlite', ending);
    expect(lines.slice(-2)).toEqual([
      ledger === ':memory:' ? `CA          curl -k ${address}/sandbox/ca -o ${file}` : `CA          ${file}`,
      `Trust it    ${address}/docs/signing/https`,
    ]);
    expect(lines.find((line) => line.startsWith('First steps'))).toContain('--tls');
  },
);

describe('G13: a process that works with a bank over TLS trusts the CA beside the ledger', () => {
  const bank = testBank('2027-03-24T12:00:00+01:00', ['--tls=1']);
  const folder = tempFolder();
  const env = { SANDBANK_LEDGER: join(folder, 'ledger.sqlite') };
  beforeAll(async () => writeFileSync(join(folder, 'sandbox-ca.crt'), await trustCaOf(bank.address)));

  test('the proxy signs for it, and the SCA link is https', async () => {
    const words = [program, 'proxy', '--port', '0', '--target', bank.address];
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'], env });
    try {
      const address = await greetedAddress(child.stdout);
      const answer = await fetch(`${address}/v1/bank-offered-consents`, { method: 'POST' });
      expect([answer.status, await answer.text()]).toEqual([201, expect.stringContaining(`${bank.address}/sca/`)]);
    } finally {
      child.kill('SIGTERM');
    }
  });

  test('the tools of an agent attach to it and pay', async () => {
    const client = new Client({ name: 'a test', version: '1' });
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [program, 'mcp'], env }));
    try {
      const begun = await client.callTool({ name: 'start_bank', arguments: { address: bank.address } });
      const paid = await client.callTool({ name: 'pay', arguments: { amount: '10.00' } });
      expect([begun.isError ?? false, paid.isError ?? false]).toEqual([false, false]);
      const { body } = await bank.control('GET', '/sandbox/payments');
      expect(body.payments).toMatchObject([{ amount: { amount: '10.00', currency: 'NOK' } }]);
    } finally {
      await client.close();
    }
  });
});
