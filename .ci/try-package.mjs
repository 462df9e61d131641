// In a folder where the package is installed: a server starts, pays, settles, resets, stops and comes back with its ledger; a bank in this
// process pays too. Ends with 1 and says what is wrong. The same on Linux, macOS and Windows.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBank } from 'sandbank';

const program = join('node_modules', 'sandbank', 'dist', 'scripts', 'sandbank.js');
const folder = mkdtempSync(join(tmpdir(), 'sandbank try ø '));
const ledger = join(folder, 'ledger.sqlite');
const env = { ...process.env, SANDBANK_ADDRESS_FILE: join(folder, 'address') };

const start = async () => {
  const server = spawn(process.execPath, [program, 'serve', '--port', '0', '--ledger', ledger], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [greeting] = await once(server.stdout, 'data');
  const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(String(greeting)) ?? [];
  if (address === undefined) throw new Error(`no address in the greeting: ${greeting}`);
  return { server, address };
};
const stop = async ({ server }) => {
  const ended = once(server, 'exit');
  server.kill('SIGTERM');
  const [code] = await ended;
  // Windows has no SIGTERM: it ends the process at once.
  if (process.platform !== 'win32' && code !== 0) throw new Error(`the server ended with ${code}`);
};
const sandbank = (address, ...words) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
    env: { ...env, BANK: address },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`sandbank ${words.join(' ')} ended with ${status}: ${stdout}${stderr}`);
  return stdout;
};
const expect = (what, seen, wanted) => {
  if (seen !== wanted) throw new Error(`${what}: ${seen} in place of ${wanted}`);
  console.log(`${what}: ${seen}`);
};
const paymentsOf = async (address) => (await (await fetch(`${address}/sandbox/payments`)).json()).payments;

try {
  let bank = await start();
  const { paymentId } = JSON.parse(sandbank(bank.address, 'pay', '--amount', '250', '--json'));
  sandbank(bank.address, 'advance', '--until', `${paymentId}=ACSC`);
  const [payment] = await paymentsOf(bank.address);
  expect('a payment', payment.status, 'ACSC');
  await stop(bank);
  expect('the ledger is kept', existsSync(ledger), true);

  bank = await start();
  expect('payments after a restart', (await paymentsOf(bank.address)).length, 1);
  sandbank(bank.address, 'reset');
  expect('payments after a reset', (await paymentsOf(bank.address)).length, 0);
  await stop(bank);

  const own = await createBank({ now: '2027-03-24T12:00:00+01:00' });
  const id = await own.tpp().pay({ from: '09232911044', to: '90491105991', amount: '250.00' });
  await own.clock.advance({ runs: 2 });
  expect('a payment inside a process', (await own.payments(id)).status, 'ACSC');
  await own.close();
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
