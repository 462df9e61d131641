import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { issueCertificate } from '../../../api/signing/certificate/issue-certificate.ts';
import { testTppRequest } from '../../../api/signing/test-tpp.ts';
import { systemClock } from '../../../engine/time/clock.ts';
import { instant } from '../bench-bank.ts';
import { eveningBefore } from '../book.ts';
import { type Figure, given, median } from '../figure.ts';
import {
  addressOf,
  benchClock,
  benchNow,
  initiation,
  perSecond,
  type PreparedRequest,
  requestsPerSecond,
  seedLedger,
} from '../initiation-figures.ts';
import { fillLedger, signedGet } from '../reading-figures.ts';
import { repeats } from '../run-interleaved.ts';
import { freePort, type ServerProcess, startHandWritten, startNode, startProcess } from '../server-process.ts';
import { installPrism } from './install-prism.ts';

/**
 * The same signed initiations and reads of balances to Prism's mock of our API document, to the hand-written server and to the bank.
 * Prism validates a request against the document and answers with an example of it: it checks no signature and keeps no state.
 * @throws {PrismMissing} when it is not here and cannot be fetched.
 */
export async function prismFigures(folder: string, scale: number): Promise<Figure[]> {
  const program = await installPrism();
  const [seeded, read] = [join(folder, 'prism-seeded.sqlite'), join(folder, 'prism-reading.sqlite')];
  await seedLedger(seeded);
  const { psuId, accountId } = await fillLedger(read);
  const tpp = issueCertificate(testTppRequest('bench', systemClock.now()));
  const count = 2_000 / scale;
  const several = (one: (index: number) => PreparedRequest): PreparedRequest[] =>
    Array.from({ length: count }, (_, index) => one(index));
  return [
    ...(await compared('initiations over HTTP, signed', {
      program,
      document: join(folder, 'prism-seeded.json'),
      hand: () => startHandWritten(seeded, instant(benchNow)),
      bank: () => startProcess(['--port', '0', '--ledger', ':memory:', ...benchClock]),
      requests: (turn) => several((index) => initiation(tpp, turn * count + index)),
      status: 201,
    })),
    ...(await compared('GET of balances, signed', {
      program,
      document: join(folder, 'prism-reading.json'),
      hand: () => startHandWritten(read, instant(eveningBefore)),
      bank: () => startProcess(['--port', '0', '--ledger', read]),
      requests: () => several(() => signedGet(`/v1/accounts/${accountId}/balances`, psuId)),
      status: 200,
    })),
  ];
}

interface Comparison {
  readonly program: string;
  /** Path for the API document of the bank. */
  readonly document: string;
  readonly hand: () => ServerProcess;
  /** Started when the hand-written server has taken its copy of the ledger. */
  readonly bank: () => ServerProcess;
  /** Signed when they are asked for: a signature is good for a minute. */
  readonly requests: (turn: number) => readonly PreparedRequest[];
  /** With which all of them answer. */
  readonly status: number;
}

/** All three run side by side and get the same requests in turn, so that other load on the machine affects all of them. */
async function compared(
  what: string,
  { program, document, hand, bank, requests, status }: Comparison,
): Promise<Figure[]> {
  const servers: ServerProcess[] = [];
  const started = async (
    server: ServerProcess,
    address: (server: ServerProcess) => Promise<string>,
  ): Promise<string> => {
    servers.push(server);
    return address(server);
  };
  try {
    const ofHand = await started(hand(), addressOf);
    const ofBank = await started(bank(), addressOf);
    writeFileSync(document, await (await fetch(`${ofBank}/openapi.json`)).text());
    const ofPrism = `http://127.0.0.1:${await freePort()}`;
    await started(startPrism(program, document, ofPrism), (server) => untilAnswers(ofPrism, server));
    const rates: { prism: number[]; hand: number[]; bank: number[] } = { prism: [], hand: [], bank: [] };
    // The first turn warms all up and does not count.
    for (let turn = 0; turn <= repeats; turn += 1) {
      // Prism has the paths of the document without that of its server.
      const plain = requests(turn).map((each) => ({ ...each, target: each.target.replace(/^\/v1/, '') }));
      rates.prism.push(await requestsPerSecond(ofPrism, plain, status));
      rates.hand.push(await requestsPerSecond(ofHand, requests(turn), status));
      rates.bank.push(await requestsPerSecond(ofBank, requests(turn), status));
    }
    const middle = (all: readonly number[]): number => median(all.slice(1));
    const [byPrism, byHand, byBank] = [middle(rates.prism), middle(rates.hand), middle(rates.bank)];
    const times = (of: number): string => `${(of / byPrism).toFixed(2)} of Prism`;
    return [
      given(`${what}, by Prism, which checks no signature and keeps nothing`, perSecond(byPrism)),
      given('  by a hand-written server', perSecond(byHand), times(byHand)),
      given(
        '  by the bank',
        perSecond(byBank),
        `${times(byBank)}, ${(byBank / byHand).toFixed(2)} of the hand-written`,
      ),
    ];
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

/** As fast as it gets: in one process and without its log. */
function startPrism(program: string, document: string, address: string): ServerProcess {
  const { hostname, port } = new URL(address);
  const flags = ['--multiprocess', 'false', '--verboseLevel', 'silent'];
  return startNode([program, 'mock', document, '--host', hostname, '--port', port, ...flags]);
}

/** Waits for the first answer of a server that prints no address; throws if it has ended. */
async function untilAnswers(address: string, server: ServerProcess): Promise<string> {
  for (;;) {
    const answers = await fetch(address).then(
      () => true,
      () => false,
    );
    if (answers) return address;
    server.assertAlive();
    await setTimeout(100);
  }
}
