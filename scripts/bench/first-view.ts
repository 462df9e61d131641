import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bookStatements, creditorsOfBook, eveningBefore } from '../lab/book.ts';
import { startTestBank } from '../lab/server.ts';
import { carryOut } from './bench-bank.ts';
import { figure, type Figure } from './figure.ts';

/** How often each page is asked for; the fastest counts, as other work of the machine only makes it slower. */
const turns = 10;
const atMostMs = 100;
/** A page that shows less has not found the payments. */
const minRows = 8;

/** How long the console makes its first page and its list of payments in a bank with 10,000 payments, in ms. */
export async function figures(folder: string, scale: number): Promise<Figure[]> {
  const due = 10_000 / scale;
  const fixtures = join(folder, 'nobody.json');
  writeFileSync(fixtures, JSON.stringify({ customers: [], agreements: [] }));
  const server = await startTestBank(eveningBefore, ['--fixtures', fixtures]);
  try {
    await carryOut(server.bank, [...bookStatements({ accounts: due / 10, due, history: 0 }), creditorsOfBook]);
    const all: Figure[] = [];
    for (const path of ['/console', '/console/payments']) {
      const what = `${path} with ${due.toLocaleString('en')} payments`;
      all.push(figure(what, await fastest(server.address + path), 'ms', { atMost: atMostMs }));
    }
    return all;
  } finally {
    await server.stop();
  }
}

/** In ms, from the request to the last byte. */
async function fastest(address: string): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const begun = performance.now();
    const answer = await fetch(address);
    const rows = (await answer.text()).match(/<tr>/g)?.length ?? 0;
    times.push(performance.now() - begun);
    if (rows < minRows) throw new Error(`${address} answered ${answer.status} with ${rows} rows`);
  }
  return Math.min(...times);
}
