/*
 * Starts the shop. BANK: the address of a bank that runs. The default is one in this process, in memory. SANDBANK_CONTROL_TOKEN: the control
 * token of that bank, if it has one. HOST, PORT: where the shop listens. The default is 127.0.0.1 and 3000.
 */
const { BANK, SANDBANK_CONTROL_TOKEN, HOST = '127.0.0.1', PORT = '3000' } = process.env;

const { shopApp, Bank, Sandbox } = await parts();
const address = BANK ?? (await ownBank());
const sandbox = new Sandbox(address, SANDBANK_CONTROL_TOKEN);
const credentials = await sandbox.certificate('shop').catch((error: unknown) => {
  return end(`The shop cannot use the bank at ${address}: ${error instanceof Error ? error.message : String(error)}`);
});
const bank = new Bank(address, credentials);
const seenFromHere = await sandbox.publicAddress();
const app = shopApp({ bank, today: () => sandbox.today(), dates: (paymentId) => sandbox.dates(paymentId) });
const server = app.listen(Number(PORT), HOST, (error) => {
  if (error !== undefined) end(`The shop cannot listen at ${HOST}:${PORT}: ${error.message}`);
  const bound = server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : PORT;
  console.log(`The shop: http://localhost:${port}\nThe bank: ${seenFromHere}`);
  const advance = `-X POST ${seenFromHere}/sandbox/clock/advance -H "content-type: application/json" -d "{\\"runs\\":2}"`;
  const token = SANDBANK_CONTROL_TOKEN ? ' -H "authorization: Bearer $SANDBANK_CONTROL_TOKEN"' : '';
  console.log(`Let time pass: curl ${advance}${token}`);
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit());

/** Loads the shop. Without its packages it ends in one line. */
async function parts() {
  try {
    return { ...(await import('./app.ts')), ...(await import('./bank.ts')), ...(await import('./sandbox.ts')) };
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    return end(
      `The shop needs the packages sandbank and express: npm install them, or npm run shop in the clone of Sandbank.`,
    );
  }
}

async function ownBank(): Promise<string> {
  const { createBank } = await import('sandbank');
  return (await createBank({ mode: 'running', port: 0 })).url;
}

function end(line: string): never {
  console.error(line);
  process.exit(1);
}
