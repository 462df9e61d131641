import { randomIds } from '../../engine/bank/ids.ts';
import { startServer } from '../../api/hosting/server.ts';
import type { ApiDocument } from '../../api/openapi/document.ts';
import { flat, type Recording } from '../../api/openapi/recorded-answers.ts';
import { readSamples } from '../../api/openapi/samples.ts';
import { exampleTpp } from '../../api/openapi/interface-document.ts';
import { readConfig } from '../../api/start/config.ts';
import { testTppId } from '../../api/signing/test-tpp.ts';
import { type ExampleAnswer, exampleOf, type ExampleRequest, sendExample } from './send-example.ts';

/** Stands for the address of the bank in the recording. */
const address = 'http://bank.invalid';
const snapshot = 'before-the-example';
const now = '2027-03-15T10:00:00+01:00';
const domestic = '/payments/norwegian-domestic-credit-transfers';

/** Sends every example of the document of a new bank through its unsigned door, each to the state that the bank starts with. */
export async function recordAnswers(): Promise<Recording> {
  const flags = ['--port', '0', '--ledger', ':memory:', '--clock-mode', 'frozen', '--clock-now', now];
  const server = await startServer(readConfig({}, [...flags, '--id-seed', 'examples', '--log-level', 'silent']));
  try {
    const document = (await (await fetch(`${server.address}/openapi.json`)).json()) as ApiDocument;
    const samples = await readSamples(server.bank, exampleTpp);
    const story = new Story(document, server.address, samples.psu);
    await story.control('POST', '/snapshots', { name: snapshot });
    const answers: Record<string, Record<string, unknown>> = {};
    for (const [template, item] of Object.entries(document.paths)) {
      for (const verb of Object.keys(item)) {
        const method = verb.toUpperCase();
        const path = template.replaceAll(/\{(\w+)\}/g, ':$1');
        const answered = await story.answersTo(method, template);
        answers[`${method} ${path}`] = Object.fromEntries(answered.map(({ status, body }) => [status, body]));
      }
    }
    const text = JSON.stringify(answers).replaceAll(server.address, address);
    return { samples: flat(samples), address, answers: JSON.parse(text) as Recording['answers'] };
  } finally {
    await server.stop();
  }
}

/** What TPP and PSU do before an example can work. */
class Story {
  readonly #document: ApiDocument;
  readonly #address: string;
  readonly #psu: string;

  constructor(document: ApiDocument, bank: string, psu: string) {
    this.#document = document;
    this.#address = bank;
    this.#psu = psu;
  }

  /** Answers to the example of an operation: one, or two for a deletion, before and after the PSU has signed. */
  async answersTo(method: string, template: string): Promise<readonly ExampleAnswer[]> {
    if (method !== 'DELETE' || !template.includes('{paymentId}')) return [await this.#answerTo(method, template)];
    const signed = await this.#answerTo(method, template, { isSigned: true });
    return [signed, await this.#answerTo(method, template)];
  }

  async #answerTo(method: string, template: string, { isSigned = false } = {}): Promise<ExampleAnswer> {
    await this.control('POST', `/snapshots/${snapshot}/restore`);
    const example = exampleOf(this.#document, method, template);
    const isDone = /\/status$|cancellation-authorisations$/.test(template);
    const prepared = await this.#prepared(example, template, isSigned || isDone);
    const answer = await this.#send(prepared);
    if (answer.status < 300) return answer;
    throw new Error(`${method} ${template} answers ${answer.status}: ${JSON.stringify(answer.body)}`);
  }

  /** The request with what only earlier answers tell. */
  async #prepared(example: ExampleRequest, template: string, isSigned: boolean): Promise<ExampleRequest> {
    if (template.includes('{paymentId}')) {
      const paymentId = await this.#initiate(template, isSigned);
      const request = { ...example, params: { ...example.params, paymentId } };
      if (template.endsWith('cancellation-authorisations')) {
        await this.#send({ ...request, method: 'DELETE', path: request.path.replace(/\/[^/]+$/, '') });
      }
      return request;
    }
    if (template.startsWith('/signing-baskets')) return this.#withBasket(example, template);
    const consent = await this.control('POST', '/consents', { tpp: testTppId(exampleTpp), psu: this.#psu });
    if (template.startsWith('/tpps/')) await this.#send(exampleOf(this.#document, 'PUT', template));
    if (template === '/agreements') {
      const { body } = await this.#send(exampleOf(this.#document, 'GET', '/users'));
      await this.#approve(body);
    }
    if (template === '/user/verification') {
      return { ...example, headers: { ...example.headers, 'PSU-ID': memberOf(consent, 'psuId') } };
    }
    return template.includes('/transactions') ? this.#withTransaction(example, template) : example;
  }

  /** Initiates a payment as the example of its service does, and returns its id. */
  async #initiate(template: string, isSigned: boolean): Promise<string> {
    const service = /^\/(\w+-payments|payments)\//.exec(template)?.[1] ?? 'payments';
    const example = exampleOf(this.#document, 'POST', domestic.replace('payments', service));
    const { body } = await this.#send(example);
    if (isSigned) await this.#approve(body);
    return memberOf(body, 'paymentId');
  }

  /** The PSU signs on the page that an answer leads to. */
  async #approve(answer: unknown): Promise<void> {
    const link: unknown = memberOf(memberOf(answer, '_links'), 'scaRedirect');
    const sca = new URL(memberOf(link, 'href')).pathname.split('/').at(-1) ?? '';
    await this.control('POST', `/sca/${sca}`, { outcome: 'approve', psu: this.#psu, context: 'PRIVATE' });
  }

  async #withBasket(example: ExampleRequest, template: string): Promise<ExampleRequest> {
    const basket = exampleOf(this.#document, 'POST', '/signing-baskets');
    const request = { ...basket, body: { paymentIds: [await this.#initiate(domestic, false)] } };
    if (!template.includes('{basketId}')) return request;
    const { body } = await this.#send(request);
    return { ...example, params: { ...example.params, basketId: memberOf(body, 'basketId') } };
  }

  /** Adds the example's transaction to the account or the card of the example. */
  async #withTransaction(example: ExampleRequest, template: string): Promise<ExampleRequest> {
    const [, kind = '', id = ''] = /(accounts|card-accounts)\/\{(\w+)\}/.exec(template) ?? [];
    const isList = example.method === 'POST' && template.endsWith('/transactions');
    if (isList) return example;
    const added = await this.#send(exampleOf(this.#document, 'POST', `/sandbox/${kind}/{${id}}/transactions`));
    const [first] = added.body as readonly unknown[];
    const name = kind === 'accounts' ? 'transactionId' : 'cardTransactionId';
    return { ...example, params: { ...example.params, [name]: memberOf(first, name) } };
  }

  /** Through the unsigned door, as another request each time. */
  #send(request: ExampleRequest): Promise<ExampleAnswer> {
    const headers = { ...request.headers, 'X-Request-ID': randomIds.uuid() };
    return sendExample(`${this.#address}/sandbox/as/${exampleTpp}/v1`, { ...request, headers });
  }

  /** A call of the control plane, which must work. */
  async control(method: string, path: string, body: object = {}): Promise<unknown> {
    const request = { method, path, params: {}, query: {}, headers: {}, body };
    const answer = await sendExample(`${this.#address}/sandbox`, request);
    if (answer.status === 200) return answer.body;
    throw new Error(`${method} /sandbox${path} answers ${answer.status}: ${JSON.stringify(answer.body)}`);
  }
}

function memberOf(value: unknown, name: string): string {
  const member = typeof value === 'object' && value !== null ? (value as Readonly<Record<string, string>>)[name] : '';
  if (member === undefined) throw new Error(`There is no ${name} in ${JSON.stringify(value)}`);
  return member;
}
