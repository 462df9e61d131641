import { creditorsOfBook } from '../lab/book.ts';
import { carryOut, serveBook } from './bench-bank.ts';
import { figure, type Figure, msOf } from './measure.ts';

/** How often each page is asked for; the fastest counts, as other work of the machine only makes it slower. */
const turns = 10;
const atMostMs = 100;
/** Payments on the first page of the console. A page that shows fewer has not found them. */
const minPayments = 5;

/** How long the console makes its first page and its list of payments in a bank with 10,000 payments, in ms. */
export async function figures(folder: string, scale: number): Promise<Figure[]> {
  const due = 10_000 / scale;
  await using server = await serveBook(folder, due, ':memory:');
  await carryOut(server.bank, [creditorsOfBook]);
  const all: Figure[] = [];
  for (const path of ['/console', '/console/payments']) {
    const times: number[] = [];
    while (times.length < turns) times.push(await msOf(() => read(server.address + path)));
    const what = `${path} with ${due.toLocaleString('en')} payments`;
    all.push(figure(what, Math.min(...times), 'ms', { atMost: atMostMs }));
  }
  return all;
}

async function read(address: string): Promise<void> {
  const answer = await fetch(address);
  const links = (await answer.text()).match(/\/console\/payments\//g)?.length ?? 0;
  if (links < minPayments) throw new Error(`${address} answered ${answer.status} with ${links} payments`);
}
