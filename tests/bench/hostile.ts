import { randomBytes } from 'node:crypto';
import { type ClientRequest, get } from 'node:http';
import { bulkItem, bulkPath, bulkPayment } from '../lab/bodies.ts';
import { BankClient, bearer, did, type Reply } from '../lab/server.ts';
import { refusedInitiation } from './signed-requests.ts';

/** Loads a bank until `isOver`. */
export type Load = (isOver: () => boolean) => Promise<void>;

/** Where a bank is loaded. */
export interface Place {
  /** The server, as its host asks it. */
  readonly root: BankClient;
  /** What the sizes of loads are divided by. */
  readonly scale: number;
  /** Makes the bank that is loaded, with more settings. */
  readonly make: (more?: object) => Promise<BankClient>;
}

/** The base of a bank, such as `/banks/busy`. */
export const baseOf = ({ address }: BankClient): string => new URL(address).pathname;

/** Makes a bank. The client has its token, if the banks have tokens. */
export async function makeBank(root: BankClient, name: string, more: object = {}): Promise<BankClient> {
  const { token } = (await did(root.control('POST', '/sandbox/banks', { name, ...more }))).body;
  return new BankClient(`${root.address}/banks/${name}`, token === undefined ? {} : bearer(token));
}

/** So many clients that ask one thing after the other; one that is told to wait does not. */
async function many(clients: number, isOver: () => boolean, ask: () => Promise<Reply>): Promise<void> {
  const client = async (): Promise<void> => {
    while (!isOver()) {
      const { status, body } = await ask();
      if (status >= 400 && status !== 429) throw new Error(`${status}: ${JSON.stringify(body)}`);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
}

const json = { 'content-type': 'application/json' };
const ofNora = { 'psu-context': 'PRIVATE', 'x-psu-identity': '13039319955' };
/** A consent with a body of so many random characters, which nothing makes shorter; it is refused and stays in the journal. */
const large = (bank: BankClient, bytes: number): Promise<Reply> => {
  const body = Buffer.from(JSON.stringify({ body: randomBytes(bytes).toString('base64').slice(0, bytes) }));
  return bank.raw('POST', '/sandbox/as/shop/v1/consents', json, body);
};
/** A refusal is what is wanted. */
const refused = async (reply: Promise<Reply>): Promise<Reply> => {
  const { status, ...answer } = await reply;
  return { ...answer, status: status < 500 ? 200 : status };
};
let items = 0;
/** Items of a bulk payment, no two alike. */
const itemsOf = (count: number): object[] =>
  Array.from({ length: count }, () => bulkItem((1 + (items += 1) / 100).toFixed(2)));
/** Sends a bulk payment through the door. */
const bulk = (bank: BankClient, items: readonly object[]): Promise<Reply> => {
  const body = Buffer.from(JSON.stringify(bulkPayment(items)));
  return bank.raw('POST', `/sandbox/as/shop${bulkPath}`, { ...json, ...ofNora }, body);
};

/** Bulk payments of so many items, by so many clients at a time. */
function bulks(clients: number, count: number): (place: Place) => Promise<Load> {
  return async ({ make, scale }) => {
    const bank = await make();
    return (isOver) => many(clients, isOver, () => bulk(bank, itemsOf(count / scale)));
  };
}

/** Makes a bank, and what a tenant may do there that costs much, by accident or not. */
export const hostile: Readonly<Record<string, (place: Place) => Promise<Load>>> = {
  'advances of ten years': async ({ make }) => {
    const bank = await make({ fixtures: 'a-year-of-life' });
    await did(bank.control('POST', '/sandbox/snapshots', { name: 'start' }));
    return restored(bank, 'start', () => bank.control('POST', '/sandbox/clock/advance', { by: 'P10Y' }));
  },
  'runs of 10,000 payments': async (place) => runsOf(await dueBank(place)),
  'endless refusals': async ({ make }) => {
    const bank = await make();
    const { method, target, headers, body } = refusedInitiation();
    return (isOver) => many(8, isOver, () => refused(bank.raw(method, target, headers, body)));
  },
  'a hundred streams of runs of 10,000 payments': async (place) => {
    const bank = await dueBank(place);
    const settle = runsOf(bank);
    return async (isOver) => {
      const streams: ClientRequest[] = Array.from({ length: 100 }, () =>
        get(`${bank.address}/sandbox/events`, { agent: false, headers: bank.own }, (response) =>
          response.resume().on('error', () => 0),
        ),
      );
      for (const stream of streams) stream.on('error', () => undefined);
      await settle(isOver);
      for (const stream of streams) stream.destroy();
    };
  },
  'new names of TPPs, 288 at a time': async ({ make, scale }) => {
    const bank = await make();
    let names = 0;
    const name = (): string => `tpp-${(names += 1)}`;
    return (isOver) =>
      many(288 / scale, isOver, () => bank.raw('GET', `/sandbox/as/${name()}/v1/sandbox/customers`, ofNora));
  },
  'requests of 70 KB': async ({ make }) => {
    const bank = await make();
    return (isOver) => many(8, isOver, () => refused(large(bank, 70_000)));
  },
  '15 bundles at once': async ({ make, scale }) => {
    const bank = await make();
    for (let index = 0; index < 250 / scale; index += 1) await large(bank, 70_000);
    return (isOver) =>
      many(15, isOver, async () => {
        // The bank closes the connection of a client that reads too slowly.
        const slow = { status: 429, headers: new Headers(), body: null };
        const read = async (): Promise<Reply> => {
          const answer = await fetch(`${bank.address}/sandbox/bundle`, { headers: bank.own });
          await answer.arrayBuffer();
          return { status: answer.status, headers: answer.headers, body: null };
        };
        return read().catch(() => slow);
      });
  },
  '30 calls of the doctor with 0.7 MB': async ({ make, scale }) => {
    const bank = await make();
    const body = JSON.stringify(bulkPayment(itemsOf(4_500 / scale)));
    const { headers } = bank.signedParts('POST', baseOf(bank) + bulkPath, { body, headers: ofNora });
    const call = { method: 'POST', target: baseOf(bank) + bulkPath, headers, body: `${body} ` };
    return (isOver) => many(30, isOver, () => bank.control('POST', '/sandbox/doctor', call));
  },
  forecasts: async ({ make }) => {
    const bank = await make({ fixtures: 'a-year-of-life' });
    return (isOver) => many(4, isOver, () => bank.control('GET', '/sandbox/forecast?to=P1Y'));
  },
  'lives of a year': async ({ make }) => {
    const bank = await make();
    await did(bank.control('POST', '/sandbox/snapshots', { name: 'before' }));
    const life = { account: '09232911044', persona: 'family', months: 12 };
    return restored(bank, 'before', () => bank.control('POST', '/sandbox/life', life));
  },
  'questions When?': ({ root }) => {
    let asked = 0;
    const amount = (): string => (100 + (asked += 1) / 100).toFixed(2);
    return Promise.resolve((isOver) => many(4, isOver, () => root.control('GET', `/platform/when?amount=${amount()}`)));
  },
  'bodies as large as a recording': bulks(3, 4_500),
  'bodies of 8 MB': bulks(2, 48_000),
};

function runsOf(bank: BankClient): Load {
  return restored(bank, 'due', () => bank.control('POST', '/sandbox/clock/advance', { runs: 1 }));
}

/** Goes back to a snapshot and works, again and again. */
function restored(bank: BankClient, snapshot: string, work: () => Promise<Reply>): Load {
  return (isOver) =>
    many(1, isOver, async () => {
      const back = await bank.control('POST', `/sandbox/snapshots/${snapshot}/restore`);
      return back.status === 200 ? work() : back;
    });
}

/** A bank with 10,000 due payments, as a snapshot of the name `due`. */
async function dueBank({ make, scale }: Place): Promise<BankClient> {
  const bank = await make();
  const initiated = await did(bulk(bank, itemsOf(10_000 / scale)));
  await bank.approve(initiated.body._links.scaRedirect.href);
  await did(bank.control('POST', '/sandbox/snapshots', { name: 'due' }));
  return bank;
}
