import { writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { figure, type Figure } from '../figure.ts';
import { initiationStreams } from '../initiation.ts';
import { readingStreams } from '../reading.ts';
import { withServers } from '../servers.ts';
import { ratesOf, type Stream } from '../signed-requests.ts';
import { installPrism } from './install-prism.ts';

/**
 * The same signed initiations and reads of balances to Prism's mock of our API document, to the hand-written server and to the bank.
 * Prism validates a request against the document and answers with an example of it: it checks no signature and keeps no state.
 * @throws {PrismMissing} when it is not here and cannot be fetched.
 */
export async function figures(folder: string, scale: number): Promise<Figure[]> {
  const program = await installPrism();
  const count = 2_000 / scale;
  return withServers(async (start) => {
    const initiations = await initiationStreams(start, folder, count);
    const reads = await readingStreams(start, folder, 1_000);
    const document = join(folder, 'openapi.json');
    writeFileSync(document, await (await fetch(`${initiations.bank.address}/openapi.json`)).text());
    const port = await freePort();
    const address = `http://127.0.0.1:${port}`;
    // As fast as it gets: in one process and without its log, which has its address.
    const flags = ['--port', String(port), '--multiprocess', 'false', '--verboseLevel', 'silent'];
    await start([program, 'mock', document, ...flags], () =>
      fetch(address).then(
        () => address,
        () => undefined,
      ),
    );
    return [
      ...(await comparison('signed initiations', address, initiations)),
      ...(await comparison('signed GETs of balances', address, reads.small('balances', count))),
    ];
  });
}

async function comparison(
  what: string,
  address: string,
  { byHand, bank }: Record<'byHand' | 'bank', Stream>,
): Promise<Figure[]> {
  // Prism has the paths of the document without that of its server.
  const plain: Stream['requests'] = (turn) =>
    bank.requests(turn).map((each) => ({ ...each, target: each.target.replace(/^\/v1/, '') }));
  const rates = await ratesOf({ prism: { ...bank, address, requests: plain }, byHand, bank });
  const of = ['Prism', rates.prism] as const;
  return [
    figure(`${what}, by a hand-written server`, rates.byHand, 'requests/s', { of }),
    figure(`${what}, by the bank`, rates.bank, 'requests/s', { of }),
  ];
}

/** A port that nobody listens on. */
async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
