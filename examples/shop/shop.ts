import { shopApp } from './app.ts';
import { Bank } from './bank.ts';
import { Sandbox } from './sandbox.ts';

/*
 * Starts the shop. BANK: the address of a bank that runs, left out: one in this process, in memory. HOST, PORT: where the shop
 * listens, 127.0.0.1 and 3000 when left out.
 */
const { BANK, HOST = '127.0.0.1', PORT = '3000' } = process.env;

const address = BANK ?? (await ownBank());
const sandbox = new Sandbox(address);
const credentials = await sandbox.certificate('shop').catch((error: unknown) => {
  console.error(`No bank answers at ${address}: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});
const bank = new Bank(address, credentials);
const app = shopApp({ bank, today: () => sandbox.today(), dates: (paymentId) => sandbox.dates(paymentId) });
const server = app.listen(Number(PORT), HOST, (error) => {
  if (error !== undefined) throw error;
  const bound = server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : PORT;
  console.log(`The shop: http://localhost:${port}\nThe bank: ${address}`);
  console.log(`Let time pass: npx sandbank advance --runs 2 --bank ${address}`);
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit());

async function ownBank(): Promise<string> {
  const { createBank } = await import('sandbank');
  return (await createBank({ mode: 'running', port: 0 })).url;
}
