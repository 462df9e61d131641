import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { ConfigError } from '../../../api/start/config.ts';
import { startServer } from '../../../api/hosting/server.ts';
import { bundles, schemas } from '../../campaigns/bundles.ts';
import { runCampaign } from '../../campaigns/campaign.ts';

const seed = 25;

test(`B2: a bundle that was built wrong is refused in one line, or every page and call of it is answered (seed ${seed})`, async () => {
  const { violation, done, tallies } = await runCampaign(bundles, { seed, count: 8 });
  expect({ violation, done }).toEqual({ violation: null, done: 8 });
  const came = (what: string): number =>
    Object.entries(tallies).reduce((sum, [name, times]) => sum + (name.endsWith(what) ? times : 0), 0);
  expect(came('refused')).toBeGreaterThan(3);
  expect(came('opened')).toBeGreaterThan(0);
}, 120_000);

test(`B1: no object of any kind and name is in an opened bundle, and none runs (seed ${seed})`, async () => {
  const { violation, done, tallies } = await runCampaign(schemas, { seed, count: 30 });
  expect({ violation, done }).toEqual({ violation: null, done: 30 });
  expect(Object.keys(tallies).filter((name) => name.startsWith('a ') && name.endsWith('trigger: opened'))).toEqual([]);
  expect(tallies['a trigger: refused']).toBeGreaterThan(5);
}, 120_000);

type Start = typeof startServer;

/** A server that answers everything so. */
function answering(status: number): Start {
  return async (...asked) => {
    const { bank, stop: stopBank } = await startServer(...asked);
    const server = createServer((_request, response) => response.writeHead(status).end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const stop = async (): Promise<void> => {
      server.closeAllConnections();
      server.close();
      await stopBank();
    };
    return { bank, address: `http://127.0.0.1:${port}`, metrics: null, stop };
  };
}

test.each<[string, Start, RegExp]>([
  ['a stack', () => Promise.reject(new TypeError('x is not a function')), /ends in a stack: TypeError: x is/],
  ['a refusal of two lines', () => Promise.reject(new ConfigError('one\ntwo')), /is refused in more than a line/],
  ['a failure in a page', answering(500), /GET \/sandbox\/info is 500/],
])(
  'the campaign finds %s',
  async (_what, start, found) => {
    const { violation } = await runCampaign(bundles, { seed, count: 100, change: start });
    expect(violation).toMatch(found);
  },
  60_000,
);
