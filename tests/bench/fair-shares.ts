import { Agent, get, type ClientRequest } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { bulkItem, bulkPath, bulkPayment } from '../lab/bodies.ts';
import { BankClient } from '../lab/server.ts';
import { type Times, timesBeside } from './beside.ts';
import { msOf } from './in-turns.ts';
import { figure, type Figure } from './figure.ts';
import { busy, busyBank, did, hostile, type Load } from './hostile.ts';
import { serveInMemory, withServers } from './servers.ts';
import { inBank, refusedInitiation, send } from './signed-requests.ts';

const msOfLoad = 6_000;
const quiet = '/banks/quiet';

/** The targets of one call beside any load of another bank, in ms: the 95th percentile and the longest. */
const most: Times = { p95: 15, longest: 100 };

/** `flags`: of the server. */
function figuresOf(place: string, flags: readonly string[], scale: number): Promise<Figure[]> {
  return withServers(async (start) => {
    const { address, pid } = await start(serveInMemory('--platform', ...flags));
    const root = new BankClient(address);
    await did(root.control('POST', '/sandbox/banks', { name: 'quiet' }));
    const figuresBeside = async (name: string, load: Load, atMost?: Times): Promise<Figure[]> => {
      console.error(`  beside ${name} ${place}`);
      const times = Object.entries<number>({ ...(await timesOfQuiet({ address, pid }, load, scale)) });
      return times.map(([what, ms]) => {
        const target = atMost && { atMost: atMost[what as keyof Times] };
        return figure(`a call beside ${name} ${place}, ${what}`, ms, 'ms', target);
      });
    };
    const all = await figuresBeside('nothing', () => setTimeout(msOfLoad / scale));
    for (const [name, prepare] of Object.entries({ ...loads, ...hostile })) {
      all.push(...(await figuresBeside(name, await prepare(root, scale), most)));
      // Some loads have none.
      await root.control('DELETE', '/sandbox/banks/busy');
    }
    return [...all, ...(await certificatesBeside(root, place, scale))];
  });
}

/** The longest `POST /sandbox/certificates` of the bank `quiet`, while 288 new names of TPPs come to the door of another. */
async function certificatesBeside(root: BankClient, place: string, scale: number): Promise<Figure[]> {
  const load = await hostile['new names of TPPs, 288 at a time']?.(root, scale);
  let isOver = false;
  const loaded = load?.(() => isOver);
  const times: number[] = [];
  for (let index = 0; index < 10; index += 1)
    times.push(await msOf(() => did(root.control('POST', `${quiet}/sandbox/certificates`, { name: `own-${index}` }))));
  isOver = true;
  await loaded;
  await root.control('DELETE', '/sandbox/banks/busy');
  return [figure(`a certificate beside new names of TPPs ${place}, longest`, Math.max(...times), 'ms')];
}

let callers = 0;

/** A TPP with 3,000 calls a minute in the bank `quiet`, initiations and reads of the clock in turn. */
function timesOfQuiet(
  server: { readonly address: string; readonly pid: number },
  load: Load,
  scale: number,
): Promise<Times> {
  const initiates = { base: quiet, from: (callers += 1) * 100_000 };
  return timesBeside({ ...server, path: `${quiet}/sandbox/clock`, initiates, pauseMs: 20 }, () => {
    const end = performance.now() + msOfLoad / scale;
    return load(() => performance.now() >= end);
  });
}

/** Makes the bank `busy` and what loads it. */
const loads: Readonly<Record<string, (root: BankClient, scale: number) => Promise<Load>>> = {
  'advances of ten years': async (root) => {
    const bank = await busyBank(root, { fixtures: 'a-year-of-life' });
    await did(bank.control('POST', '/sandbox/snapshots', { name: 'start' }));
    return async (isOver) => {
      while (!isOver()) {
        await did(bank.control('POST', '/sandbox/clock/advance', { by: 'P10Y' }));
        if (!isOver()) await did(bank.control('POST', '/sandbox/snapshots/start/restore'));
      }
    };
  },
  'runs of 10,000 payments': async (root, scale) => runsOf(await dueBank(root, 10_000 / scale)),
  'endless refusals': async (root) => {
    await busyBank(root);
    const refused = inBank(busy, refusedInitiation());
    return async (isOver) => {
      const agent = new Agent({ keepAlive: true });
      const client = async (): Promise<void> => {
        while (!isOver()) await send(agent, root.address, refused, 400);
      };
      await Promise.all(Array.from({ length: 8 }, client));
      agent.destroy();
    };
  },
  'a hundred streams of runs of 10,000 payments': async (root, scale) => {
    const settle = runsOf(await dueBank(root, 10_000 / scale));
    return async (isOver) => {
      const streams: ClientRequest[] = Array.from({ length: 100 }, () =>
        get(`${root.address}${busy}/sandbox/events`, { agent: false }, (response) =>
          response.resume().on('error', () => 0),
        ),
      );
      for (const stream of streams) stream.on('error', () => undefined);
      await settle(isOver);
      for (const stream of streams) stream.destroy();
    };
  },
};

function runsOf(bank: BankClient): Load {
  return async (isOver) => {
    while (!isOver()) {
      await did(bank.control('POST', '/sandbox/snapshots/due/restore'));
      await did(bank.control('POST', '/sandbox/clock/advance', { runs: 1 }));
    }
  };
}

/** The bank `busy` with so many due payments, as a snapshot of its name. */
async function dueBank(root: BankClient, due: number): Promise<BankClient> {
  const bank = await busyBank(root);
  const items = Array.from({ length: due }, (_, index) => bulkItem((1 + index / 100).toFixed(2)));
  const body = bulkPayment(items);
  const initiated = await did(
    root.signed('POST', busy + bulkPath, {
      body,
      headers: { 'psu-context': 'PRIVATE', 'x-psu-identity': '13039319955' },
    }),
  );
  await bank.approve(initiated.body._links.scaRedirect.href);
  await did(bank.control('POST', '/sandbox/snapshots', { name: 'due' }));
  return bank;
}

/** How long the calls of a bank take beside another one that has much to do: in memory, and in files, where a commit waits for the disk. */
export async function fairShares(folder: string, scale: number): Promise<Figure[]> {
  const inMemory = await figuresOf('in memory', [], scale);
  return [...inMemory, ...(await figuresOf('in files', ['--banks', join(folder, 'banks')], scale))];
}
