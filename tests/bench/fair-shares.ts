import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { BankClient, did } from '../lab/server.ts';
import { type Times, timesBeside } from './beside.ts';
import { msOf } from './in-turns.ts';
import { figure, type Figure } from './figure.ts';
import { hostile, type Load, makeBank, type Place } from './hostile.ts';
import { serveInMemory, withServers } from './servers.ts';

const msOfLoad = 6_000;
const quiet = '/banks/quiet';

/** The targets of one call beside any load of another bank, in ms: the 95th percentile and the longest. */
const most: Times = { p95: 15, longest: 100 };

/** `flags`: of the server. */
function figuresOf(place: string, flags: readonly string[], scale: number): Promise<Figure[]> {
  return withServers(async (start) => {
    const { address, pid } = await start(serveInMemory('--platform', ...flags));
    const root = new BankClient(address);
    await makeBank(root, 'quiet');
    const to: Place = { root, scale, make: (more) => makeBank(root, 'busy', more) };
    const figuresBeside = async (name: string, load: Load, atMost?: Times): Promise<Figure[]> => {
      console.error(`  beside ${name} ${place}`);
      const times = Object.entries<number>({ ...(await timesOfQuiet({ address, pid }, load, scale)) });
      return times.map(([what, ms]) => {
        const target = atMost && { atMost: atMost[what as keyof Times] };
        return figure(`a call beside ${name} ${place}, ${what}`, ms, 'ms', target);
      });
    };
    const all = await figuresBeside('nothing', () => setTimeout(msOfLoad / scale));
    for (const [name, prepare] of Object.entries(hostile)) {
      all.push(...(await figuresBeside(name, await prepare(to), most)));
      // Some loads have none.
      await root.control('DELETE', '/sandbox/banks/busy');
    }
    return [...all, ...(await certificatesBeside(to, place))];
  });
}

/** The longest `POST /sandbox/certificates` of the bank `quiet`, while 288 new names of TPPs come to the door of another. */
async function certificatesBeside(to: Place, place: string): Promise<Figure[]> {
  const { root } = to;
  const load = await hostile['new names of TPPs, 288 at a time']?.(to);
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

/** How long the calls of a bank take beside another one that has much to do: in memory, and in files, where a commit waits for the disk. */
export async function fairShares(folder: string, scale: number): Promise<Figure[]> {
  const inMemory = await figuresOf('in memory', [], scale);
  return [...inMemory, ...(await figuresOf('in files', ['--banks', join(folder, 'banks')], scale))];
}
