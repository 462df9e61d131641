import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { program } from '../../support/program.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** What `serve` prints with these flags, up to its last line. */
async function greeting(...flags: string[]): Promise<string[]> {
  const child = spawn(process.execPath, [program, 'serve', '--port', '0', '--log-level', 'silent', ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {},
  });
  const lines: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    lines.push(line);
    if (line.startsWith('  Browsers')) child.kill('SIGTERM');
  }
  if (child.exitCode === null) await once(child, 'exit');
  expect(child.exitCode).toBe(0);
  return lines;
}

test.each([
  ['in memory', ':memory:', 'sandbox-ca.crt'],
  ['in a file', join(tempFolder(), 'ledger.sqlite'), '/sandbox-ca.crt'],
])('G13: the start of a ledger %s prints what each client needs', async (_name, ledger, ending) => {
  const lines = await greeting('--tls', '--ledger', ledger);
  const address = /^Sandbank {4}(https:\S+)$/.exec(lines[0] ?? '')?.[1] ?? '';
  const file = ledger === ':memory:' ? ending : ledger.replace('/ledger.sqlite', ending);
  expect(lines.slice(-8)).toEqual([
    ledger === ':memory:' ? `CA          curl -k ${address}/sandbox/ca -o ${file}` : `CA          ${file}`,
    `  curl      curl --cacert ${file} ${address}/ready`,
    `  Node      NODE_EXTRA_CA_CERTS=${file} node ...`,
    `  Python    SSL_CERT_FILE=${file} python3 ...`,
    expect.stringContaining(`keytool -importcert -noprompt -alias sandbank -file ${file} -keystore trust.p12`),
    expect.stringContaining('-Djavax.net.ssl.trustStore=trust.p12'),
    `  Go        SSL_CERT_FILE=${file} go run ...`,
    `  Browsers  import ${file} as an authority`,
  ]);
  expect(lines.find((line) => line.startsWith('First steps'))).toContain('--tls');
});
