import { randomUUID } from 'node:crypto';
import { figure, type Figure } from './figure.ts';
import { bankingDay, initiationsOf } from './initiation.ts';
import { serve, withServers } from './servers.ts';
import { initiation, ratesOf } from './signed-requests.ts';

/** Signed initiations beside a client whose signature never fits: the doctor searches each of its requests to the end (rules.md G12). */
export function figures(_folder: string, scale: number): Promise<Figure[]> {
  return withServers(async (start) => {
    const { address } = await start(serve('--ledger', ':memory:', '--clock-mode', 'frozen', '--clock-now', bankingDay));
    const alone = { address, requests: initiationsOf(3_000 / scale, 0), status: 201 };
    const request = initiation(0);
    const refused = { ...request, headers: { ...request.headers, 'X-Request-ID': randomUUID() } };
    const refusals = { request: refused, status: 400 };
    const rates = await ratesOf({
      alone,
      beside: { ...alone, requests: initiationsOf(3_000 / scale, 1_000_000), beside: refusals },
    });
    const of = ['alone', rates.alone] as const;
    return [
      figure('signed initiations, beside a client that is refused', rates.beside, 'requests/s', { of, atLeast: 0.9 }),
    ];
  });
}
