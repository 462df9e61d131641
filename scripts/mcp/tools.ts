import { whenColumns } from '../../api/openapi/columns.ts';
import { existsSync, realpathSync, writeFileSync } from 'node:fs';
import { catalogue } from '../../api/catalogue/catalogue.ts';
import { onlyMembers } from '../../api/catalogue/step-values.ts';
import { playScenario } from '../../api/catalogue/play-scenario.ts';
import { bankOf } from '../../api/catalogue/scenario.ts';
import { bundleType } from '../../api/control/control-endpoint.ts';
import { ofEveryBank } from '../../api/control/control-plane.ts';
import { findSections } from '../../api/guide/find-sections.ts';
import { allQuirks } from '../../api/quirks/index.ts';
import { whenQuery } from '../../api/control/when-answer.ts';
import type { SchemaShape } from '../../api/bodies/schema.ts';
import { Components } from '../../api/openapi/components.ts';
import type { AnswerTo, CallName } from '../../api/openapi/calls.ts';
import { describeControl } from '../../api/openapi/control-document.ts';
import { noSamples } from '../../api/openapi/samples.ts';
import { listedProfiles } from '../../api/start/profile.ts';
import { assert } from '../../engine/values/assert.ts';
import { isObject } from '../../api/quirks/json.ts';
import { oneLine, words } from '../../engine/values/text.ts';
import { CommandFailed } from '../cli/command.ts';
import { forecastOf, makePayment } from '../commands/make-payment.ts';
import { lacksFunds, stepAfterEntry, stepOf } from '../../api/causes/next-step.ts';
import { accountAt, amountAt } from '../../api/bodies/rule.ts';
import { authorisationsOf, throwAwayName } from '../../api/control/payments/door-payment.ts';
import { isFinal } from '../../engine/values/transaction-status.ts';
import { type Desk, inWorkingFolder } from './desk.ts';

/** What a tool found, and the next step: `advance {"runs":1}`, perhaps with words behind it. Null means to read a long answer on. */
interface Found {
  readonly data: unknown;
  readonly next: string | null;
}

type Given = Readonly<Record<string, unknown>>;

interface Tool {
  readonly description: string;
  readonly inputSchema: { readonly type: 'object'; readonly [keyword: string]: unknown };
  readonly run: (desk: Desk, given: Given) => Promise<Found>;
}

/** What ids, numbers, amounts and addresses consist of. The next step stands outside the data, where a server could say anything. */
const plainValue = /^[\w!=.,:/@%+~[\]-]{1,200}$/;

/** A call of a tool as an answer names it: `advance {"runs":1}`. A text that is no {@link plainValue} is left to the data. */
export function step(tool: string, given: object): string {
  const shown = (_name: string, value: unknown): unknown =>
    typeof value === 'string' && !plainValue.test(value) ? 'as in the data' : value;
  return `${tool} ${JSON.stringify(given, shown)}`;
}

/** Tools that change nothing; that replace or end something, where others add; and that do no more when repeated. */
const effects = {
  readOnlyHint: 'when forecast explain_payment explain_refusal judge_request search_guide more',
  destructiveHint: 'advance sign quirks disarm restore',
  idempotentHint: 'when forecast explain_payment explain_refusal judge_request search_guide more quirks disarm restore',
};

/** What an agent reads of the tools. */
export function toldTools() {
  return [...allTools].map(([name, { description, inputSchema }]) => {
    const hints = Object.entries(effects).map(([hint, names]) => [hint, words([names]).includes(name)]);
    return { name, description, inputSchema, annotations: Object.fromEntries(hints) };
  });
}

type Payment = AnswerTo<'GET /payments/:paymentId'>;

/** The call that makes the next step of a payment, and why (C24). */
async function nextOf({ client }: Desk, payment: Payment): Promise<string> {
  const { paymentId, initiation, occurrences } = payment;
  const { act, text } = stepOf(payment);
  const [from, to] = [accountAt(initiation, 'debtorAccount'), accountAt(initiation, 'creditorAccount')];
  const amount = amountAt(initiation, 'instructedAmount')?.amount;
  // A return is told in words of the server.
  const said = payment.returns.length > 0 ? 'The data tells its return.' : text;
  if (act === 'none') return `done: ${said} forecast {"to":"P30D"} looks ahead`;
  if (act === 'pay') return `${step('pay', { amount, from, to })}: ${text}`;
  if (act === 'sign') {
    const open = await openScaOf(client, paymentId);
    return `${open === undefined ? step('open_scas', { paymentId }) : signing(open)}: ${text}`;
  }
  const next = occurrences.find(({ status }) => status === 'planned' || !isFinal(status));
  const { settlesAt, attempts } = await forecastOf(client, paymentId, next);
  const last = attempts.at(-1);
  const isRejected = settlesAt === null && last?.outcome === 'reject' && amount !== undefined;
  // Another account is paid: money does not help.
  if (isRejected && (!lacksFunds(last) || next?.rejection !== undefined || payment.creditorClosed === true))
    return `${step('pay', { amount, from })}: no run will settle it; forecast {"to":"P30D"} says why.`;
  if (isRejected) return `${step('accounts', { number: from, topUp: amount })}: no run will settle it as things are.`;
  return `${step('advance', { until: { paymentId, status: 'ACSC' } })}: ${text}`;
}

type OpenSca = AnswerTo<'GET /sca'>['scas'][number];

async function openScaOf(client: Desk['client'], paymentId: string): Promise<OpenSca | undefined> {
  const { scas } = await client.ask('GET /sca', 'scas');
  return scas.find(({ payments, purpose }) => payments.includes(paymentId) && purpose !== 'cancellation');
}

/** The call in which the first of those who may sign approves. */
function signing({ id: scaId, signers }: OpenSca): string {
  const [signer] = signers ?? [];
  const [as] = signer?.as ?? [];
  const approval = { psu: signer?.number ?? 'PSU', context: as?.context ?? 'PRIVATE', agreement: as?.agreement?.id };
  return step('sign', { scaId, outcome: 'approve', ...approval });
}

/**
 * A tool that makes one call of the control plane. Its arguments are those of the control document. `member`: of its answer, which tells it
 * from that of another server.
 */
function passed<Name extends CallName>(
  [call, member]: readonly [call: Name, member: keyof AnswerTo<Name> & string],
  description: string,
  next: (desk: Desk, answer: AnswerTo<Name>) => string,
): Tool {
  const endpoints = ofEveryBank.filter(({ method, path }) => `${method} ${path}` === call);
  const about = { address: 'http://127.0.0.1:7263', samples: noSamples, isRoot: false };
  const operation = describeControl(endpoints, about).operations.at(-1);
  assert(operation !== undefined && endpoints.length === 1, `every bank has ${call}`);
  const { parameters, body } = operation;
  const schemas = new Components(true);
  const [json] = [body ?? []].flat();
  const members: SchemaShape = json === undefined ? {} : schemas.schema(json.schema);
  const ofParameters = parameters.map(({ name, schema, description: says }) => [
    name,
    { ...schemas.schema(schema), description: says },
  ]);
  return {
    description,
    inputSchema: {
      type: 'object',
      properties: { ...Object.fromEntries(ofParameters), ...members.properties },
      required: [...parameters.filter((one) => one.required).map((one) => one.name), ...(members.required ?? [])],
      additionalProperties: false,
    },
    run: async (desk, given) => {
      const placeOf = (name: string) => parameters.find((one) => one.name === name)?.in ?? 'body';
      const of = (place: string) => Object.entries(given).filter(([name]) => placeOf(name) === place);
      const textsOf = (place: string) => Object.fromEntries(of(place).map(([name, value]) => [name, String(value)]));
      const data = await desk.client.ask(call, member, {
        params: textsOf('path'),
        query: textsOf('query'),
        ...(json !== undefined && { body: Object.fromEntries(of('body')) }),
      });
      return { data, next: next(desk, data) };
    },
  };
}

/** The schema of arguments that are texts, with what each is for. */
function texts(members: Readonly<Record<string, string>>, required: readonly string[] = []): Tool['inputSchema'] {
  const properties = Object.entries(members).map(([name, description]) => [name, { type: 'string', description }]);
  return { type: 'object', properties: Object.fromEntries(properties), required, additionalProperties: false };
}

/** A tool whose arguments are {@link texts}. */
function ofTexts<const Name extends string>(
  description: string,
  members: Readonly<Record<Name, string>>,
  run: (desk: Desk, given: Readonly<Partial<Record<Name, string>>>) => Promise<Found>,
  required: readonly NoInfer<Name>[] = [],
): Tool {
  return {
    description,
    inputSchema: texts(members, required),
    run: (desk, given) => run(desk, given as never),
  };
}

/** What is wrong with the names of the given arguments, or with their JSON types, by the schema of the tool, or null. */
export function wrongArguments({ inputSchema }: Tool, given: Given): string | null {
  const { properties = {}, required = [], additionalProperties } = inputSchema;
  const names = Object.keys(properties as object);
  const unknown = Object.keys(given).find((name) => additionalProperties === false && !names.includes(name));
  if (unknown !== undefined)
    return `There is no argument ${oneLine(unknown, 60)}. Arguments: ${names.join(', ') || 'none'}.`;
  const missing = (required as readonly string[]).find((name) => given[name] === undefined);
  if (missing !== undefined) return `The argument ${missing} is missing.`;
  const wrong = Object.entries(properties as Readonly<Record<string, SchemaShape>>).find(
    ([name, schema]) => given[name] !== undefined && !isOfType(schema, given[name]),
  );
  if (wrong === undefined) return null;
  const [name, { type }] = wrong;
  return `The argument ${name} is ${oneLine(JSON.stringify(given[name]), 60)}: expected ${typeNames[String(type)] ?? String(type)}.`;
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a text, between quotation marks',
  object: 'an object, not a text of one',
  array: 'a list',
  integer: 'a whole number',
  boolean: 'true or false',
};

/** Whether a value is of the JSON type of its schema. A schema without one takes any: the bank judges it. */
function isOfType({ type }: SchemaShape, value: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  return typeof type !== 'string' || typeof value === type;
}

const tools: Readonly<Record<string, Tool>> = {
  start_bank: {
    description:
      'Starts a bank with a frozen clock, which ends with this session; or attaches to one that runs (address), or opens a saved one (file). Begin here.',
    inputSchema: {
      ...texts({
        now: 'Where its clock starts: 2027-03-25T12:00:00+01:00 is Maundy Thursday, when banks are closed. Default: now.',
        profile: 'The bank of the platform to act as. The tool quirks lists them.',
        fixtures: 'Its customers: known-state, twins or a-year-of-life.',
        address: 'A bank that runs: http://127.0.0.1:7263 or http://127.0.0.1:7263/banks/NAME.',
        file: 'A bundle in the working folder.',
      }),
      // Other settings of a bank too: it refuses what it does not know.
      additionalProperties: true,
    },
    run: async (desk, { address, file, ...settings }) => {
      const beside = [address, file].filter((one) => one !== undefined).length + Object.keys(settings).length;
      if ((address ?? file) !== undefined && beside > 1)
        throw new CommandFailed('address and file stand alone: a bank that is there has its own settings.');
      if (typeof address === 'string') desk.attach(address);
      else if (typeof file === 'string') await desk.open(file);
      else await desk.make(settings);
      const { psus, clock, creditorNumbers } = await desk.client.ask('GET /info', 'psus');
      const at = desk.client.address;
      const people = psus.map(({ customerNumber, name, accounts }) => ({
        customerNumber,
        name,
        account: accounts[0]?.bban ?? null,
      }));
      const unsigned = `${at}/sandbox/as/NAME`;
      return {
        data: {
          address: at,
          signed: `${at}/v1`,
          unsigned: `${unsigned}/v1`,
          document: `${unsigned}/openapi.json`,
          console: `${at}/console`,
          now: clock.now,
          psus: people,
          creditorNumbers,
        },
        next: 'pay {"amount":"100.00"}, or point your client to `signed` (its requests are signed) or `unsigned`',
      };
    },
  },
  pay: ofTexts(
    'Makes a domestic payment as a TPP named pay, and signs it as the PSU.',
    {
      amount: 'In NOK: 100.00',
      from: 'The account of the payer, a BBAN.',
      to: 'The account of the payee, a BBAN.',
      on: 'The wanted date: 2027-03-26',
      kid: 'A KID.',
    },
    async (desk, { amount = '', ...order }) => {
      const data = await makePayment(desk.client, { amount, ...order });
      desk.paymentId = data.paymentId;
      const params = { paymentId: data.paymentId };
      return {
        data,
        next: await nextOf(desk, await desk.client.ask('GET /payments/:paymentId', 'occurrences', { params })),
      };
    },
    ['amount'],
  ),
  play_scenario: ofTexts(
    'Plays a story of the bank in a bank of its own, which becomes the bank of this session. Without a name: lists the stories.',
    { name: 'The name of a story: easter' },
    async (desk, { name }) => {
      if (name === undefined) {
        const stories = catalogue().map((one) => `${one.name}: ${one.title}`);
        return { data: stories, next: 'play_scenario {"name":"easter"}' };
      }
      const scenario = catalogue().find((one) => one.name === name);
      if (scenario === undefined) throw new CommandFailed(`There is no scenario ${name}: play_scenario {} lists them.`);
      const before = desk.address;
      await desk.make(bankOf(scenario));
      const session = `The bank of this session is now ${desk.client.address}.`;
      const back = before === null ? '' : ` ${step('start_bank', { address: before })} goes back to the one before.`;
      const at = { address: desk.client.address, token: null };
      const steps = [];
      for await (const { step: played, status, answer } of playScenario(scenario, at, new Map()))
        steps.push({ says: played.says, status, answer: onlyMembers(answer, played.shows ?? []), why: played.why });
      const { title, about, ends } = scenario;
      return { data: { session: session + back, title, about, steps, ends }, next: 'explain_payment {}' };
    },
  ),
  explain_payment: ofTexts(
    'Tells all of a payment: its status and why, its dates, attempts and entries. Without an id: the latest payments.',
    { paymentId: 'The paymentId of the initiation.' },
    async (desk, { paymentId }) => {
      const { client } = desk;
      if (paymentId === undefined) {
        const listed = await client.ask('GET /payments', 'payments', { query: { limit: '500' } });
        const [latest] = listed.payments;
        if (latest === undefined) return { data: listed, next: 'pay {"amount":"100.00"}' };
        return { data: listed, next: step('explain_payment', { paymentId: latest.paymentId }) };
      }
      const asked = { params: { paymentId } };
      const payment = await client.ask('GET /payments/:paymentId', 'occurrences', asked);
      desk.paymentId = paymentId;
      const { initiation: _, ...data } = payment;
      return { data, next: await nextOf(desk, payment) };
    },
  ),
  explain_refusal: ofTexts(
    'Tells why the bank refused a request of your client: the cause and, for a wrong signature, the difference. Without an id: the latest refused one.',
    { requestId: 'The X-Request-ID of the request.' },
    async ({ client }, given) => {
      const { requests: all } = await client.ask('GET /requests', 'requests', { query: { limit: '100' } });
      // A request without a whole answer counts as refused.
      const isRefused = (entry: Parameters<typeof stepAfterEntry>[0]): boolean =>
        stepAfterEntry(entry) !== null || (entry.status ?? 599) >= 400;
      const found = all.find((entry) => (given.requestId ?? entry.requestId) === entry.requestId && isRefused(entry));
      const requestId = given.requestId ?? found?.requestId;
      if (requestId === undefined) return { data: 'No request was refused.', next: 'send a request with your client' };
      const { requests } = await client.ask('GET /requests/:requestId', 'requests', { params: { requestId } });
      const wanted = words(['method target tpp status code finding reason notes signing answer']);
      const refused = requests.find(isRefused);
      const refusal = {
        ...Object(onlyMembers(refused ?? requests[0], wanted)),
        signature: (refused ?? requests[0])?.verdict,
      };
      const [latest] = all;
      if (latest !== undefined && latest !== found && !isRefused(latest)) {
        const since = `The latest request, ${latest.method} ${latest.target}, got ${latest.status}: this refusal is older.`;
        const isPaying = /payments/.test(latest.target ?? '');
        return { data: { since, refusal }, next: isPaying ? 'explain_payment {}' : 'done: the client is answered' };
      }
      const { faults } = await client.ask('GET /faults', 'faults');
      const say = (refused && stepAfterEntry(refused)) ?? 'Correct what the answer names, and send the request again.';
      const isStruck = refused?.fault !== undefined && faults.length > 0;
      return { data: refusal, next: isStruck ? `disarm {}: ${say}` : `${say} Then explain_refusal {}` };
    },
  ),
  quirks: {
    description: 'Lists the quirks and the profiles of banks, and which are on. With quirks: switches them.',
    inputSchema: {
      type: 'object',
      properties: { quirks: { type: 'object', description: 'By name: true, a value, or false.' } },
      additionalProperties: false,
    },
    run: async ({ client }, { quirks }) => {
      if (isObject(quirks)) {
        const { quirks: on } = await client.ask('PUT /quirks', 'quirks', { body: { quirks } });
        return { data: { on }, next: 'run your client again' };
      }
      const { quirks: on } = await client.ask('GET /quirks', 'quirks');
      const all = (await allQuirks()).map(({ name, does }) => `${name}: ${does}`);
      const profiles = (await listedProfiles()).map(({ id }) => id);
      return { data: { on, quirks: all, profiles }, next: 'quirks {"quirks":{"pending-dates":true}}' };
    },
  },
  when: {
    description:
      'Tells when one payment would be where at each bank of the platform: cut-off, run, booking, value date, why. Without at: now by the clock of this bank. Changes nothing.',
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(whenQuery).map(([name, schema]) => [name, new Components().schema(schema)]),
      ),
      additionalProperties: false,
    },
    run: async ({ client }, given) => {
      const query = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
      const { banks } = await client.ask('GET /when', 'banks', { query });
      const rows = banks.map((bank) => [bank.id, ...whenColumns.map(([, , valueOf]) => valueOf(bank) ?? '')]);
      const lines = [['id', ...whenColumns.map(([head]) => head)], ...rows];
      return {
        data: lines.map((line) => line.join(' | ')),
        next: 'start_bank {"profile":"BANK"} acts as one of them, by its id',
      };
    },
  },
  save_bundle: ofTexts(
    'Saves the bank as one file in the working folder. start_bank opens it, and so does `sandbank open`.',
    { file: 'A new file: before.sandbank' },
    async ({ client }, { file: name = '' }) => {
      const file = inWorkingFolder(name);
      if (existsSync(file)) throw new CommandFailed(`${file} exists already.`);
      writeFileSync(file, await client.download('/bundle', bundleType), { flag: 'wx' });
      return { data: { file: realpathSync(file) }, next: step('start_bank', { file: name }) };
    },
    ['file'],
  ),
  search_guide: ofTexts(
    'Finds sections of the guide and rules of the specification.',
    { text: 'A few words.' },
    async (_, { text = '' }) => {
      const best = await findSections(text, 5, true);
      const data = best.map(({ page, heading, about }) => ({ page: `sandbank://guide/${page}`, heading, text: about }));
      return { data, next: 'read the resource of `page` for the whole page' };
    },
    ['text'],
  ),
  open_scas: ofTexts(
    'Lists the SCAs that a PSU can answer now. With paymentId: starts one for that payment of a TPP of the unsigned door, if none is open.',
    { paymentId: 'A payment that waits for a signature.' },
    async (desk, { paymentId }) => {
      const { client } = desk;
      if (paymentId !== undefined && (await openScaOf(client, paymentId)) === undefined) {
        const asked = { params: { paymentId } };
        const payment = await client.ask('GET /payments/:paymentId', 'occurrences', asked);
        const name = throwAwayName(payment);
        if (name === null)
          throw new CommandFailed('Only the TPP of the payment starts an SCA for it: do so with your client.');
        await client.atDoor(`/as/${name}${authorisationsOf(payment)}`);
      }
      desk.paymentId = paymentId ?? desk.paymentId;
      const { scas } = await client.ask('GET /sca', 'scas');
      const own = scas.find(({ payments }) => paymentId === undefined || payments.includes(paymentId));
      return { data: scas, next: own === undefined ? 'explain_payment {}' : signing(own) };
    },
  ),
  accounts: ofTexts(
    'Lists the accounts of all customers; with number: one with its entries. With topUp: puts money into it.',
    { number: 'BBAN or IBAN.', topUp: 'An amount in the currency of the account: 100.00' },
    async (desk, { number, topUp }) => {
      const { client } = desk;
      if (number === undefined && topUp !== undefined) throw new CommandFailed('topUp needs the number of an account.');
      if (number === undefined) {
        const { accounts } = await client.ask('GET /accounts', 'accounts');
        return { data: accounts, next: step('accounts', { number: accounts[0]?.number }) };
      }
      const asked = { params: { number } };
      if (topUp === undefined) return { data: await client.ask('GET /accounts/:number', 'entries', asked), next: null };
      const { currency } = await client.ask('GET /accounts/:number', 'entries', { ...asked, query: { limit: '1' } });
      const body = { amount: { amount: topUp, currency } };
      const data = await client.ask('POST /accounts/:number/top-up', 'booked', { ...asked, body });
      const { paymentId } = desk;
      return { data, next: paymentId === null ? step('accounts', { number }) : step('explain_payment', { paymentId }) };
    },
  ),
  restore: passed(
    ['POST /snapshots/:name/restore', 'restored'],
    'Goes back to a snapshot of ledger and clock. The snapshot seeded, the known state, is always there.',
    () => 'explain_payment {}',
  ),
  more: ofTexts(
    'Reads a long answer on from its cursor.',
    { cursor: 'The cursor of that answer: 1.entries.10' },
    (desk, { cursor = '' }) => {
      const { data, cursor: next } = desk.answers.more(cursor);
      return Promise.resolve({ data, next: next === null ? 'done: that was all' : step('more', { cursor: next }) });
    },
    ['cursor'],
  ),
  disarm: passed(
    ['DELETE /faults', 'disarmed'],
    'Disarms all armed faults: calls are answered as usual again.',
    () => 'Send the same request with the same X-Request-ID. Then explain_refusal {}',
  ),
  advance: passed(
    ['POST /clock/advance', 'runs'],
    'Moves the clock of the bank, and carries out the settlement runs on the way.',
    ({ paymentId }) => (paymentId === null ? 'explain_payment {}' : step('explain_payment', { paymentId })),
  ),
  forecast: passed(
    ['GET /forecast', 'executions'],
    'Tells what the settlement runs will do until a date or for a duration (P30D), and why. Changes nothing.',
    () => 'advance {"runs":1}',
  ),
  sign: passed(
    ['POST /sca/:scaId', 'redirect'],
    'Answers an SCA as the PSU does on its page. scaRedirect ends in the id.',
    ({ paymentId }) => (paymentId === null ? 'explain_payment {}' : step('explain_payment', { paymentId })),
  ),
  judge_request: passed(
    ['POST /doctor', 'verdict'],
    'Judges a signed request of your client as the bank would, without carrying it out, and finds the signing mistake.',
    (_, { finding }) =>
      finding === null
        ? 'the bank would carry it out: send the request with your client'
        : 'correct what `finding` names in your client, send the request, then explain_refusal {}',
  ),
  arm_fault: passed(
    ['POST /faults', 'id'],
    'Makes the next matching calls fail, or their answers late, cut or missing.',
    () => 'send the call with your client, then explain_refusal {}',
  ),
  begin_life: passed(
    ['POST /life', 'account'],
    'Lets an account earn, pay and buy by itself while the clock moves.',
    () => 'advance {"by":"P1M"}',
  ),
};

/** All tools by their names. */
export const allTools: ReadonlyMap<string, Tool> = new Map(Object.entries(tools));
