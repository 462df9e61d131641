import { figure, type Figure } from './figure.ts';
import { control, serve, withServers } from './servers.ts';

/** Many banks in one server. */
export async function figures(_folder: string, scale: number): Promise<Figure[]> {
  return [await idleBanks(1_000 / scale)];
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
