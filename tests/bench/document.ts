import { interfaceDocument } from '../../api/openapi/contract.ts';
import { startTestBank } from '../lab/server.ts';
import { figure, type Figure } from './measure.ts';
import { bankingDay } from './servers.ts';

/** How often a document that is kept is asked for. */
const turns = 200;

/**
 * Processor time in ms of the API document of a bank with every quirk (rules.md E10): when it is built, with the files that it loads, and
 * when what it says is kept. The second lacks the read of the bank's own values, which is in the ledger.
 */
export async function figures(): Promise<Figure[]> {
  await using server = await startTestBank(bankingDay, ['--profile', 'every-quirk']);
  const ask = () => interfaceDocument(server.bank, server.address);
  // The files are loaded by a bank without quirks.
  await using plain = await startTestBank(bankingDay);
  const loaded = await cpuMs(() => interfaceDocument(plain.bank, plain.address));
  const built = await cpuMs(ask);
  const kept = await cpuMs(async () => {
    for (let turn = 0; turn < turns; turn += 1) await ask();
  });
  return [
    figure('API document, the first of the process', loaded, 'ms'),
    figure('API document under every quirk, built', built, 'ms', { atMost: 60 }),
    figure('API document under every quirk, kept', kept / turns, 'ms', { atMost: 1 }),
  ];
}

async function cpuMs(work: () => Promise<unknown>): Promise<number> {
  const begun = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}
