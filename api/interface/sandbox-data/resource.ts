import type { AnswerValue } from '../../bodies/written.ts';
import type { Bank } from '../../../engine/open-bank.ts';
import { type AnswerSchema, type BodySchema, listOf, type Static } from '../../bodies/schema.ts';
import { type Call, endpoint, type Endpoint } from '../../pipeline/endpoint.ts';
import { assert } from '../../../engine/values/assert.ts';
import {
  type Amount,
  type Currency,
  formattedAmount,
  type FormattedAmount,
  parseSandboxAmount,
} from '../../../engine/values/money.ts';
import type { SandboxMoney } from '../../bodies/amount.ts';

/** A kind of test data: its calls, and how one of it is shown. */
interface Resource<Schema extends BodySchema, Answer extends AnswerSchema, Found> extends Pick<
  Endpoint,
  'faultPaths' | 'names'
> {
  /** `/sandbox/customers` */
  readonly path: `/${string}`;
  /** Name of the id in the paths of one. */
  readonly id: string;
  readonly summaries: Readonly<Record<'create' | 'list' | 'read' | 'remove', string>>;
  /** The plural, for the description of a list: `customers`. */
  readonly all: string;
  readonly answer: Answer;
  readonly body: Schema;
  create(bank: Bank, body: Static<Schema>): Promise<Found>;
  list(bank: Bank): Promise<readonly Found[]>;
  read(bank: Bank, id: string): Promise<Found>;
  remove(bank: Bank, id: string): Promise<unknown>;
  show(found: Found): AnswerValue<Answer>;
}

/** Endpoints that create, list, read and delete test data. The list is a plain array (real-api-facts.md 10). */
export function resource<Schema extends BodySchema, Answer extends AnswerSchema, Found>(
  own: Resource<Schema, Answer, Found>,
): readonly Endpoint[] {
  const { path, summaries, answer, names, show } = own;
  const common = { role: null } as const;
  const one = { ...common, ...(names !== undefined && { names }) };
  const idIn = (params: Readonly<Record<string, string>>): string => params[own.id] ?? '';
  return [
    endpoint(`POST ${path}`, {
      ...common,
      summary: summaries.create,
      answers: { 201: answer },
      body: own.body,
      ...(own.faultPaths !== undefined && { faultPaths: own.faultPaths }),
      handle: async ({ bank, body }) => ({ status: 201, body: show(await own.create(bank, body)) }),
    }),
    endpoint(`GET ${path}`, {
      ...common,
      summary: summaries.list,
      answers: { 200: listOf(answer, `All ${own.all}.`) },
      handle: async ({ bank }) => ({ status: 200, body: (await own.list(bank)).map(show) }),
    }),
    endpoint(`GET ${path}/:${own.id}`, {
      ...one,
      summary: summaries.read,
      answers: { 200: answer },
      handle: async ({ bank, params }) => ({ status: 200, body: show(await own.read(bank, idIn(params))) }),
    }),
    deletion(`${path}/:${own.id}`, { ...one, summary: summaries.remove }, ({ bank, params }) =>
      own.remove(bank, idIn(params)),
    ),
  ];
}

/** Endpoint that deletes test data, and answers nothing. */
export function deletion(
  path: `/${string}`,
  own: Pick<Endpoint, 'names' | 'role' | 'summary'>,
  remove: (call: Call<unknown>) => Promise<unknown>,
): Endpoint {
  const handle = async (call: Call<unknown>) => {
    await remove(call);
    return { status: 204 };
  };
  return endpoint(`DELETE ${path}`, { ...own, answers: { 204: null }, handle });
}

/** Parses an amount of a checked body into minor units; 0 if it was left out. */
export function minorUnitsOf(value: number | string | undefined, currency: Currency): bigint {
  if (value === undefined) return 0n;
  const amount = parseSandboxAmount(value, currency);
  assert(typeof amount !== 'string', `${value} ${currency} was checked with the body`);
  return amount.minor;
}

export function amountOf({ amount, currency }: SandboxMoney): Amount {
  return { minor: minorUnitsOf(amount, currency), currency };
}

export function formatMoney(money: SandboxMoney): FormattedAmount {
  return formattedAmount(amountOf(money));
}
