import { bankingDay } from './initiation.ts';
import { figure, type Figure } from './figure.ts';
import { serve, type Start, withServers } from './servers.ts';
import { initiation, ratesOf, type Stream } from './signed-requests.ts';

/** Signed initiations in 50 named banks in turn, beside 30: more banks are no cliff (docs/spec/control-plane.md, named banks). */
export function figures(_folder: string, scale: number): Promise<Figure[]> {
  const count = Math.ceil(1_500 / scale);
  return withServers(async (start) => {
    const { few, many } = await ratesOf({
      few: await streamTo(start, 30, count),
      many: await streamTo(start, 50, count),
    });
    const what = 'signed initiations, in 50 named banks in turn';
    return [figure(what, many, 'requests/s', { of: ['in 30', few], atLeast: 0.7 })];
  });
}

/** A server with `banks` named banks, and `count` initiations a turn, each to the next bank. */
async function streamTo(start: Start, banks: number, count: number): Promise<Stream> {
  const { address } = await start(serve('--ledger', ':memory:', '--clock-mode', 'frozen', '--clock-now', bankingDay));
  for (let index = 0; index < banks; index += 1) await createBank(address, `bank-${index}`);
  const nth = (index: number): ReturnType<typeof initiation> => {
    const request = initiation(index);
    return { ...request, target: `/banks/bank-${index % banks}${request.target}` };
  };
  return {
    address,
    requests: (turn) => Array.from({ length: count }, (_, index) => nth(turn * count + index)),
    status: 201,
  };
}

async function createBank(address: string, name: string): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const { ok, status } = await fetch(`${address}/sandbox/banks`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name }),
  });
  if (!ok) throw new Error(`${status} for bank ${name}`);
}
