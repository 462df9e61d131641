import { figure, type Figure } from './figure.ts';
import { bankingDay } from './initiation.ts';
import { control, serve, withServers, type Start } from './servers.ts';
import { initiation, ratesOf, type Stream } from './signed-requests.ts';

/** Many banks in one server. */
export async function figures(_folder: string, scale: number): Promise<Figure[]> {
  return [await idleBanks(1_000 / scale), await banksInTurn(Math.ceil(1_500 / scale))];
}

/** Memory of a server with so many banks, none of which was asked anything. */
function idleBanks(count: number): Promise<Figure> {
  return withServers(async (start) => {
    const server = await start(serve('--ledger', ':memory:'));
    for (let index = 0; index < count; index += 1) await control(server, 'banks', { name: `bank-${index}` });
    const name = `${count.toLocaleString('en')} idle banks, the whole process`;
    return figure(name, server.megabytes(), 'MB', { atMost: 300 });
  });
}

/** Signed initiations in 50 banks that are used in turn, beside 30 of them: more banks are no cliff. */
function banksInTurn(count: number): Promise<Figure> {
  return withServers(async (start) => {
    const { few, many } = await ratesOf({
      few: await streamTo(start, 30, count),
      many: await streamTo(start, 50, count),
    });
    return figure('signed initiations, in 50 named banks in turn', many, 'requests/s', {
      of: ['in 30', few],
      atLeast: 0.7,
    });
  });
}

/** A server with so many banks, and `requests` initiations a turn, each to the next bank. */
async function streamTo(start: Start, banks: number, requests: number): Promise<Stream> {
  const server = await start(serve('--ledger', ':memory:', '--clock-mode', 'frozen', '--clock-now', bankingDay));
  for (let index = 0; index < banks; index += 1) await control(server, 'banks', { name: `bank-${index}` });
  const nth = (index: number): ReturnType<typeof initiation> => {
    const request = initiation(index);
    return { ...request, target: `/banks/bank-${index % banks}${request.target}` };
  };
  return {
    address: server.address,
    requests: (turn) => Array.from({ length: requests }, (_, index) => nth(turn * requests + index)),
    status: 201,
  };
}
