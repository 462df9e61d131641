import { expect, test } from '@jest/globals';
import { ConfigError } from '../../../api/start/config.ts';
import { startServer } from '../../../api/hosting/server.ts';
import { bundles, schemas } from '../../campaigns/bundles.ts';
import { runCampaign } from '../../campaigns/campaign.ts';

const seed = 25;

test(`B2: a bundle that was built wrong is refused in one line, or the server answers every page and call of it (seed ${seed})`, async () => {
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

/** A server that is gone once it has started. */
const deaf: Start = async (...asked) => {
  const server = await startServer(...asked);
  await server.stop();
  return { ...server, stop: () => Promise.resolve() };
};

test.each<[string, Start, RegExp]>([
  ['a stack', () => Promise.reject(new TypeError('x is not a function')), /ends in a stack: TypeError: x is/],
  ['a refusal of two lines', () => Promise.reject(new ConfigError('one\ntwo')), /is refused in more than a line/],
  ['an answer that never comes', deaf, /GET \/sandbox\/info has no answer/],
])(
  'the campaign finds %s',
  async (_what, start, found) => {
    const { violation } = await runCampaign(bundles, { seed, count: 100, change: start });
    expect(violation).toMatch(found);
  },
  60_000,
);
