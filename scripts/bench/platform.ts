import { join } from 'node:path';
import { platformIds } from '../../api/start/platform.ts';
import { bankingDay } from './initiation.ts';
import { figure, type Figure } from './figure.ts';
import { inTurns, quantile } from './in-turns.ts';
import { serve, type Start, startOf, withServers } from './servers.ts';
import { initiation, ratesOf, type Stream } from './signed-requests.ts';

/** The platform beside one bank (rules.md Q12): start and memory before a bank is asked, and signed initiations in its banks in turn. */
export async function figures(folder: string, scale: number): Promise<readonly Figure[]> {
  const starts = await inTurns({
    one: (turn) => startOf(serve('--ledger', join(folder, `one-${turn}.sqlite`))),
    platform: (turn) => startOf(serve('--platform', '--ledger', join(folder, `platform-${turn}.sqlite`))),
  });
  const least = (name: keyof typeof starts): number => Math.min(...starts[name].map(({ ms }) => ms));
  const memory = (name: keyof typeof starts): number =>
    quantile(
      starts[name].map(({ megabytes }) => megabytes),
      0.5,
    );
  const count = Math.ceil(1_536 / scale);
  const rates = await withServers(async (begin) =>
    ratesOf({
      one: await streamTo(begin, [], [''], count),
      platform: await streamTo(begin, ['--platform'], bases(), count),
    }),
  );
  const { length } = bases();
  return [
    figure('start to /ready with --platform', least('platform'), 'ms', { of: ['one bank', least('one')], atMost: 1.2 }),
    figure('memory of --platform, no bank asked, beside one bank', memory('platform') - memory('one'), 'MB', {
      atMost: 10,
    }),
    figure(`signed initiations, in ${length} banks of the platform in turn`, rates.platform, 'requests/s', {
      of: ['in one', rates.one],
      atLeast: 0.7,
    }),
  ];
}

function bases(): readonly string[] {
  return platformIds().map((id) => `/banks/${id}`);
}

/** A server, and `count` initiations a turn, each to the next of these banks. */
async function streamTo(
  begin: Start,
  flags: readonly string[],
  banks: readonly string[],
  count: number,
): Promise<Stream> {
  const { address } = await begin(
    serve(...flags, '--ledger', ':memory:', '--clock-mode', 'frozen', '--clock-now', bankingDay),
  );
  const nth = (index: number): ReturnType<typeof initiation> => {
    const request = initiation(index);
    return { ...request, target: `${banks[index % banks.length] ?? ''}${request.target}` };
  };
  return {
    address,
    requests: (turn) => Array.from({ length: count }, (_, index) => nth(turn * count + index)),
    status: 201,
  };
}
