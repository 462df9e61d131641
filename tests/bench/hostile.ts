import { randomBytes } from 'node:crypto';
import { bulkItem, bulkPath, bulkPayment } from '../lab/bodies.ts';
import { BankClient, type Reply } from '../lab/server.ts';

/** Loads a bank until `isOver`. */
export type Load = (isOver: () => boolean) => Promise<void>;

/** The bank that is loaded. */
export const busy = '/banks/busy';

/** An answer that is no error. */
export async function did(reply: Promise<Reply>): Promise<Reply> {
  const { status, body } = await reply;
  if (status >= 300) throw new Error(`${status}: ${JSON.stringify(body)}`);
  return reply;
}

/** Makes the bank `busy`. */
export async function busyBank(root: BankClient, more: object = {}): Promise<BankClient> {
  await did(root.control('POST', '/sandbox/banks', { name: 'busy', ...more }));
  return new BankClient(root.address + busy);
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
const refused = async (reply: Promise<Reply>): Promise<Reply> => ({ ...(await reply), status: 200 });

/** Makes the bank `busy`, and what a tenant may do there that costs much, by accident or not. `scale`: what the sizes are divided by. */
export const hostile: Readonly<Record<string, (root: BankClient, scale: number) => Promise<Load>>> = {
  'new names of TPPs, 288 at a time': async (root, scale) => {
    const bank = await busyBank(root);
    let names = 0;
    const name = (): string => `tpp-${(names += 1)}`;
    return (isOver) =>
      many(288 / scale, isOver, () => bank.raw('GET', `/sandbox/as/${name()}/v1/sandbox/customers`, ofNora));
  },
  'requests of 70 KB': async (root) => {
    const bank = await busyBank(root);
    return (isOver) => many(8, isOver, () => refused(large(bank, 70_000)));
  },
  '15 bundles at once': async (root, scale) => {
    const bank = await busyBank(root);
    for (let index = 0; index < 250 / scale; index += 1) await large(bank, 70_000);
    return (isOver) =>
      many(15, isOver, async () => {
        const answer = await fetch(`${root.address}${busy}/sandbox/bundle`);
        await answer.arrayBuffer();
        return { status: answer.status, headers: answer.headers, body: null };
      });
  },
  '30 calls of the doctor with 0.7 MB': async (root, scale) => {
    const bank = await busyBank(root);
    const items = Array.from({ length: 4_500 / scale }, (_, index) => bulkItem((1 + index / 100).toFixed(2)));
    const body = JSON.stringify(bulkPayment(items));
    const { headers } = bank.signedParts('POST', busy + bulkPath, { body, headers: ofNora });
    const call = { method: 'POST', target: busy + bulkPath, headers, body: `${body} ` };
    return (isOver) => many(30, isOver, () => bank.control('POST', '/sandbox/doctor', call));
  },
  forecasts: async (root) => {
    const bank = await busyBank(root, { fixtures: 'a-year-of-life' });
    return (isOver) => many(4, isOver, () => bank.control('GET', '/sandbox/forecast?to=P1Y'));
  },
  'lives of a year': async (root) => {
    const bank = await busyBank(root);
    await did(bank.control('POST', '/sandbox/snapshots', { name: 'before' }));
    return (isOver) =>
      many(1, isOver, async () => {
        await did(bank.control('POST', '/sandbox/snapshots/before/restore'));
        return bank.control('POST', '/sandbox/life', { account: '09232911044', persona: 'family', months: 12 });
      });
  },
  'questions When?': (root) => {
    let asked = 0;
    const amount = (): string => (100 + (asked += 1) / 100).toFixed(2);
    return Promise.resolve((isOver) => many(4, isOver, () => root.control('GET', `/platform/when?amount=${amount()}`)));
  },
  'bodies as large as a recording': async (root, scale) => {
    const bank = await busyBank(root);
    let sent = 0;
    const bulk = (): Promise<Reply> => {
      const items = Array.from({ length: 4_500 / scale }, () => bulkItem((1 + (sent += 1) / 100).toFixed(2)));
      return bank.raw(
        'POST',
        `/sandbox/as/shop${bulkPath}`,
        { ...json, ...ofNora },
        Buffer.from(JSON.stringify(bulkPayment(items))),
      );
    };
    return (isOver) => many(3, isOver, bulk);
  },
};
