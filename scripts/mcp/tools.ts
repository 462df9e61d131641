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
import { makePayment } from '../commands/make-payment.ts';
import { type Desk, inWorkingFolder } from './desk.ts';

/** What a tool found, and the sensible next step: `advance {"runs":1}`, with a few words before it. */
interface Found {
  readonly data: unknown;
  readonly next: string;
}

type Given = Readonly<Record<string, unknown>>;

interface Tool {
  readonly description: string;
  readonly inputSchema: { readonly type: 'object'; readonly [keyword: string]: unknown };
  readonly run: (desk: Desk, given: Given) => Promise<Found>;
}

function step(tool: string, given: object): string {
  return `${tool} ${JSON.stringify(given)}`;
}

/** What an agent reads of the tools. */
export function toldTools(): readonly (Omit<Tool, 'run'> & { readonly name: string })[] {
  return [...allTools].map(([name, { description, inputSchema }]) => ({ name, description, inputSchema }));
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
  const about = { address: 'http://127.0.0.1:8080', samples: noSamples, isRoot: false };
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

/** A tool whose arguments are {@link texts}. An argument that is no text is left out. */
function ofTexts<const Name extends string>(
  description: string,
  members: Readonly<Record<Name, string>>,
  run: (desk: Desk, given: Readonly<Partial<Record<Name, string>>>) => Promise<Found>,
  required: readonly NoInfer<Name>[] = [],
): Tool {
  return {
    description,
    inputSchema: texts(members, required),
    run: (desk, given) => run(desk, Object.fromEntries(Object.entries(given).filter(isText)) as never),
  };
}

const isText = ([, value]: readonly [string, unknown]): boolean => typeof value === 'string';

/** What is wrong with the names of the given arguments, by the schema of the tool, or null. */
export function wrongArguments({ inputSchema }: Tool, given: Given): string | null {
  const { properties = {}, required = [], additionalProperties } = inputSchema;
  const names = Object.keys(properties as object);
  const unknown = Object.keys(given).find((name) => additionalProperties === false && !names.includes(name));
  if (unknown !== undefined)
    return `There is no argument ${oneLine(unknown, 60)}. Arguments: ${names.join(', ') || 'none'}.`;
  const missing = (required as readonly string[]).find((name) => given[name] === undefined);
  return missing === undefined ? null : `The argument ${missing} is missing.`;
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
        address: 'A bank that runs: http://127.0.0.1:8080 or http://127.0.0.1:8080/banks/NAME.',
        file: 'A bundle in the working folder.',
      }),
      // Other settings of a bank too: it refuses what it does not know.
      additionalProperties: true,
    },
    run: async (desk, { address, file, ...settings }) => {
      if (typeof address === 'string') desk.attach(address);
      else if (typeof file === 'string') await desk.open(file);
      else await desk.make(settings);
      const { psus, clock } = await desk.client.ask('GET /info', 'psus');
      const at = desk.client.address;
      const people = psus
        .slice(0, 6)
        .map(({ customerNumber, name, accounts }) => ({ customerNumber, name, account: accounts[0]?.bban ?? null }));
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
      return { data, next: step('advance', { until: { paymentId: data.paymentId, status: 'ACSC' } }) };
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
      await desk.make(bankOf(scenario));
      const at = { address: desk.client.address, token: null };
      const steps = [];
      for await (const { step: played, status, answer } of playScenario(scenario, at, new Map()))
        steps.push({ says: played.says, status, answer: onlyMembers(answer, played.shows ?? []), why: played.why });
      const { title, about, ends } = scenario;
      return { data: { title, about, steps, ends }, next: 'explain_payment {}' };
    },
  ),
  explain_payment: ofTexts(
    'Tells all of a payment: its status and why, its dates, attempts and entries. Without an id: the latest payments.',
    { paymentId: 'The paymentId of the initiation.' },
    async ({ client }, { paymentId }) => {
      if (paymentId === undefined) {
        const { payments } = await client.ask('GET /payments', 'payments', { query: { limit: '10' } });
        return { data: payments, next: step('explain_payment', { paymentId: payments[0]?.paymentId ?? '' }) };
      }
      const asked = { params: { paymentId } };
      const { initiation: _, ...data } = await client.ask('GET /payments/:paymentId', 'occurrences', asked);
      const isSettled = data.status === 'ACSC';
      return {
        data,
        next: isSettled ? 'done, it is settled. forecast {"to":"P30D"} looks ahead' : 'advance {"runs":1}',
      };
    },
  ),
  explain_refusal: ofTexts(
    'Tells why the bank refused a request of your client: the cause and, for a wrong signature, the difference. Without an id: the latest refused one.',
    { requestId: 'The X-Request-ID of the request.' },
    async ({ client }, given) => {
      const { requests: all } = await client.ask('GET /requests', 'requests', { query: { limit: '100' } });
      // A request without an answer counts as refused.
      const isRefused = ({ status }: (typeof all)[number]): boolean => (status ?? 599) >= 400;
      const requestId = given.requestId ?? all.find(isRefused)?.requestId;
      if (requestId === undefined) return { data: 'No request was refused.', next: 'send a request with your client' };
      const { requests } = await client.ask('GET /requests/:requestId', 'requests', { params: { requestId } });
      const wanted = words(['method target tpp verdict status code finding reason notes signing answer']);
      const refusal = onlyMembers(requests[0], wanted);
      const [latest] = all;
      if (latest !== undefined && latest.requestId !== requestId && !isRefused(latest)) {
        const since = `The latest request, ${latest.method} ${latest.target}, got ${latest.status}: this refusal is older.`;
        return { data: { since, refusal }, next: 'sign, or explain_payment {}' };
      }
      return {
        data: refusal,
        next: 'correct the client, send the request with a new X-Request-ID, then explain_refusal {} again. search_guide {"text":"signing"} explains signatures',
      };
    },
  ),
  quirks: {
    description: 'Lists the quirks and the profiles of banks, and which are on. With quirks: switches them.',
    inputSchema: {
      type: 'object',
      properties: { quirks: { type: 'object', description: 'By name: true, a value, or false.' } },
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
    () => 'explain_payment {}',
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
