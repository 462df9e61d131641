import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { figure, type Figure, inTurns, msOf } from './measure.ts';
import { builtPackage, frozen, start } from './servers.ts';
import { initiation, send } from './signed-requests.ts';

/** What each is the first request of after `/ready`, what sends it, and the wanted ms. */
const firsts = {
  'a signed initiation': { atMost: 60, ask: (address: string) => send(false, address, initiation(1), 201) },
  'the page of the console': { atMost: 60, ask: (address: string) => page(`${address}/console`) },
  'a search of the guide': { atMost: 100, ask: (address: string) => page(`${address}/docs/search?q=settlement`) },
};

/** How long the first request to a server of the package takes that is idle for a second, in ms; the least of some servers, as other load only adds. */
export async function figures(folder: string): Promise<Figure[]> {
  const { program } = await builtPackage();
  let servers = 0;
  const waits = await inTurns(firsts, async ({ ask }) => {
    const ledger = join(folder, `${(servers += 1)}.sqlite`);
    await using server = await start([program, 'serve', '--port', '0', '--ledger', ledger, ...frozen]);
    while (!(await fetch(`${server.address}/ready`)).ok) await setTimeout(10);
    await setTimeout(1_000);
    return await msOf(() => ask(server.address));
  });
  return Object.entries(firsts).map(([name, { atMost }]) =>
    figure(`first request: ${name}`, Math.min(...waits[name as keyof typeof firsts]), 'ms', { atMost }),
  );
}

async function page(address: string): Promise<string> {
  const answer = await fetch(address);
  if (answer.status !== 200) throw new Error(`${address} answered ${answer.status}`);
  return answer.text();
}
