import type { Response } from 'express';
import type { Quirks } from '../../engine/bank/rules/quirk.ts';
import { Refusal } from '../../engine/values/fault.ts';
import { oneLine } from '../../engine/values/text.ts';
import { type Answer, type Call, JsonText, jsonType, sendJson, type SourceTransactions } from './endpoint.ts';
import type { AnswerSeal } from '../signing/answer-seal.ts';
import { factsOf, logNotesOf } from './request-log.ts';
import { messageOf } from '../../engine/values/message-of.ts';

/** An answer of the interface before it is sent, from the engine or changed by quirks. */
export interface ShownAnswer {
  /** `GET /v1/accounts/{accountId}/transactions`. Null if it was refused before its operation was known. */
  readonly operation: string | null;
  readonly status: number;
  /** By their names in lower case; `content-type` is that of a body. */
  readonly headers: Readonly<Record<string, string>>;
  /** A JSON value. Undefined means no body. */
  readonly body: unknown;
  /** The engine's facts about the account transactions in the body, if it has some. */
  readonly transactions: SourceTransactions | null;
}

/** The parts of a request that may name what an answer showed. */
export interface AskedRequest {
  /** As in {@link ShownAnswer}. */
  readonly operation: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The JSON value before its schema is checked, if the operation has a body. */
  readonly body: unknown;
}

/** The quirks of a bank that shape what it shows (rules.md Q2). */
export interface Shaping {
  /** The quirks that were on when the request came. */
  readonly quirks: Quirks;
  /** Turns the request into the engine's terms. */
  read(asked: AskedRequest, from: Pick<Call, 'tpp' | 'headers'>): Promise<AskedRequest>;
  /** Turns the answer into the client's terms. `call` is the request, or null if it was refused before it was read. */
  readonly show: ((answer: ShownAnswer, call: Call | null) => Promise<ShownAnswer>) | null;
}

/** A request that is answered by a bank with quirks. */
interface Shaped {
  readonly shaping: Shaping;
  call: Call | null;
}

const shapedAnswers = new WeakMap<object, Shaped>();

/** Shapes the answer of this request. A request without it is answered as the engine says. */
export function shapeAnswer(response: object, shaping: Shaping): void {
  shapedAnswers.set(response, { shaping, call: null });
}

/** The quirks for this request. */
export function shapingOf(response: object): Shaping | null {
  return shapedAnswers.get(response)?.shaping ?? null;
}

const sealed = new WeakMap<object, AnswerSeal>();

/** Has the answer of this request signed (rules.md G14). */
export function signAnswer(response: object, seal: AnswerSeal): void {
  sealed.set(response, seal);
}

/** Whether the bank signs the answer of this request. */
export function isSigned(response: object): boolean {
  return sealed.has(response);
}

/** Notes the call that a request makes, for the quirks that shape the answer or the refusal. */
export function noteCall(response: object, call: Call): void {
  const shaped = shapedAnswers.get(response);
  if (shaped !== undefined) shaped.call = call;
}

/**
 * Ends an answer of the interface, as the quirks of the bank show it. A first answer that is repeated (rules.md P9) is
 * kept as the engine has it, and shaped each time.
 */
export async function sendAnswer(response: Response, original: Answer): Promise<void> {
  const { status, headers = {}, body, transactions = null } = original;
  const { shaping, call = null } = shapedAnswers.get(response) ?? {};
  const show = shaping?.show ?? null;
  if (show === null) {
    response.status(status).set({ ...headers });
    await end(response, body);
    return;
  }
  const { operation } = logNotesOf(response);
  const own = body instanceof JsonText ? (JSON.parse(body.text) as unknown) : body;
  const typed = body === undefined ? headers : { ...headers, 'content-type': jsonType };
  const answer = await show({ operation, status, headers: typed, body: own, transactions }, call);
  response.status(answer.status).set({ ...answer.headers });
  await end(response, answer.body, answer.headers['content-type']);
}

/** Sends a JSON value. Undefined means no body. Signs it where the bank does. */
async function end(response: Response, body: unknown, type?: string): Promise<void> {
  const seal = sealed.get(response);
  const json = seal === undefined || body === undefined ? body : jsonText(body);
  if (seal !== undefined) {
    const { method } = response.req;
    const bytes = Buffer.from(json instanceof JsonText && method !== 'HEAD' ? json.text : '');
    const signed = { status: response.statusCode, requestId: response.get('x-request-id'), body: bytes };
    response.set(await seal.headersOf(signed, factsOf(response).fault?.badSignature).catch(unsealed(response)));
  }
  if (json === undefined) response.end();
  else sendJson(response, json, type);
}

const maxReason = 200;

/** Refuses a call whose answer the bank cannot sign. The refusal goes out without a signature. */
function unsealed(response: Response): (error: unknown) => never {
  return (error) => {
    sealed.delete(response);
    const reason = oneLine(messageOf(error), maxReason);
    const text = `The bank cannot sign its answer: ${reason}. Send the request again when it can.`;
    throw new Refusal({ code: 'SYSTEM_ERROR', place: 'unavailable', text, retryAfter: 1 });
  };
}

function jsonText(body: unknown): JsonText {
  return body instanceof JsonText ? body : new JsonText(JSON.stringify(body));
}
