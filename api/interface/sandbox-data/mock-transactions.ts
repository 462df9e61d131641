import type { AnswerValue } from '../../bodies/written.ts';
import type { Bank } from '../../../engine/open-bank.ts';
import { pageOf, withOneMore } from '../../../engine/values/lists.ts';
import type { TransactionWindow } from '../../../engine/accounts/rows/transactions.ts';
import { type AnswerSchema, type BodySchema, integer, listOf, meaning, type Static } from '../../bodies/schema.ts';
import { date } from '../../bodies/values.ts';
import { type Answer, type Call, endpoint, type Endpoint } from '../../pipeline/endpoint.ts';
import { deletion } from './resource.ts';
import type { QueryReader } from '../../pipeline/target.ts';

/** Default `limit`: more than a person reads, less than an account may have. */
const defaultLimit = 1000;
const maxInt32 = 2 ** 31 - 1;

/** Query parameters of a list of mock transactions. */
export const windowParameters = {
  fromDate: meaning('The first booking date.', date),
  toDate: meaning('The last booking date.', date),
  offset: integer('How many transactions to leave out.', { minimum: 0, maximum: maxInt32, default: 0 }),
  limit: integer('How many transactions to answer with at most.', {
    minimum: 1,
    maximum: maxInt32,
    default: defaultLimit,
  }),
};

/**
 * Query of GET /v1/sandbox/accounts/{id}/transactions (real-api-facts.md 10): booking dates, both inclusive; offset and
 * limit as int32. PERIOD_INVALID if fromDate is after toDate.
 */
export function transactionWindow(reader: QueryReader): TransactionWindow {
  const from = reader.date('fromDate');
  const to = reader.date('toDate');
  if (from !== null && to !== null && from > to) {
    const text = `fromDate ${from} is after toDate ${to}. Send the earlier date as fromDate.`;
    reader.add({ code: 'PERIOD_INVALID', path: 'fromDate', text });
  }
  const offset = reader.count('offset', { least: 0, most: maxInt32, otherwise: 0 });
  const limit = reader.count('limit', { least: 1, most: maxInt32, otherwise: defaultLimit });
  reader.finish();
  return { from, to, offset, limit };
}

/** Mock transactions of accounts, or of cards: their calls, which return what is answered. */
interface MockTransactions<Schema extends BodySchema, Shown extends AnswerSchema> extends Pick<Endpoint, 'faultPaths'> {
  /** `/sandbox/accounts/:accountId/transactions` */
  readonly path: `/${string}`;
  /** Names of the two ids in the paths. */
  readonly ids: readonly [owner: string, transaction: string];
  readonly summaries: Readonly<Record<'add' | 'list' | 'removeAll' | 'read' | 'remove', string>>;
  /** The plural, for the description of a list: `transactions of the account`. */
  readonly all: string;
  readonly answer: Shown;
  readonly body: Schema;
  add(bank: Bank, owner: string, body: Static<Schema>): Promise<readonly AnswerValue<Shown>[]>;
  list(bank: Bank, owner: string, window: TransactionWindow): Promise<readonly AnswerValue<Shown>[]>;
  removeAll(bank: Bank, owner: string): Promise<void>;
  read(bank: Bank, owner: string, id: string): Promise<AnswerValue<Shown>>;
  remove(bank: Bank, owner: string, id: string): Promise<void>;
}

/**
 * Endpoints that add, list, read and delete mock transactions (real-api-facts.md 10). Lists are plain arrays, bodies
 * too.
 */
export function mockTransactions<Schema extends BodySchema, Shown extends AnswerSchema>(
  own: MockTransactions<Schema, Shown>,
): readonly Endpoint[] {
  const { path, summaries, answer } = own;
  const common = { role: null, names: 'account' } as const;
  const one = `${path}/:${own.ids[1]}` as const;
  const idsIn = ({ params }: Call<unknown>) => [params[own.ids[0]] ?? '', params[own.ids[1]] ?? ''] as const;
  return [
    endpoint(`POST ${path}`, {
      ...common,
      summary: summaries.add,
      answers: { 201: listOf(answer, 'The transactions that were added.') },
      body: own.body,
      ...(own.faultPaths !== undefined && { faultPaths: own.faultPaths }),
      handle: async (call) => ({ status: 201, body: await own.add(call.bank, idsIn(call)[0], call.body) }),
    }),
    endpoint(`GET ${path}`, {
      ...common,
      summary: summaries.list,
      answers: {
        200: listOf(answer, `One page of the ${own.all}; the header Link leads to the next one.`),
      },
      query: windowParameters,
      faultPaths: { PERIOD_INVALID: 'fromDate' },
      handle: async (call) => {
        const window = transactionWindow(call.query);
        return pageAnswer(window, await own.list(call.bank, idsIn(call)[0], withOneMore(window)));
      },
    }),
    deletion(path, { ...common, summary: summaries.removeAll }, (call) => own.removeAll(call.bank, idsIn(call)[0])),
    endpoint(`GET ${one}`, {
      ...common,
      summary: summaries.read,
      answers: { 200: answer },
      handle: async (call) => ({ status: 200, body: await own.read(call.bank, ...idsIn(call)) }),
    }),
    deletion(one, { ...common, summary: summaries.remove }, (call) => own.remove(call.bank, ...idsIn(call))),
  ];
}

/**
 * Answers with a plain array of at most `limit` rows. `read` holds one row more if there is a next page, and a Link
 * header then leads to it (RFC 8288).
 */
function pageAnswer({ from, to, offset, limit }: TransactionWindow, read: readonly unknown[]): Answer {
  const { rows: body, hasNext } = pageOf(read, limit);
  if (!hasNext) return { status: 200, body };
  const dates = `${from === null ? '' : `fromDate=${from}&`}${to === null ? '' : `toDate=${to}&`}`;
  return { status: 200, body, headers: { link: `<?${dates}offset=${offset + limit}&limit=${limit}>; rel="next"` } };
}
