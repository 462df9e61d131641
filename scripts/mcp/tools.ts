import { existsSync, realpathSync, writeFileSync } from 'node:fs';
import { catalogue } from '../../api/catalogue/catalogue.ts';
import { onlyMembers } from '../../api/catalogue/step-values.ts';
import { playScenario } from '../../api/catalogue/play-scenario.ts';
import { bankOf } from '../../api/catalogue/scenario.ts';
import { bundleType } from '../../api/control/control-endpoint.ts';
import { ofEveryBank } from '../../api/control/control-plane.ts';
import { findSections } from '../../api/guide/find-sections.ts';
import { allQuirks } from '../../api/habits/index.ts';
import { whenQuery } from '../../api/control/platform-calls.ts';
import { Components, type Json } from '../../api/openapi/components.ts';
import { partsOf } from '../../api/openapi/calls.ts';
import { describeControl } from '../../api/openapi/control-document.ts';
import { noSamples } from '../../api/openapi/samples.ts';
import { listedProfiles } from '../../api/start/profile.ts';
import { isObject } from '../../api/habits/json.ts';
import { oneLine } from '../../engine/values/text.ts';
import { CommandFailed } from '../cli/command.ts';
import { makePayment } from '../commands/make-payment.ts';
import { ofGuess, whenTable } from '../commands/when.ts';
import { type Desk, inWorkingFolder } from './desk.ts';

/** What a tool found, and the sensible next step: `advance {"runs":1}`, with a few words before it. */
interface Found {
  readonly data: unknown;
  readonly next: string;
}

type Given = Readonly<Record<string, unknown>>;

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly type: 'object'; readonly [keyword: string]: unknown };
  readonly run: (desk: Desk, given: Given) => Promise<Found>;
}

/** Calls of the control plane that are tools as they are, with what to do after them. */
const calls = {
  advance: [
    'POST /clock/advance',
    'Moves the clock of the bank, and carries out the settlement runs on the way.',
    'runs',
  ],
  forecast: [
    'GET /forecast',
    'Tells what the settlement runs will do until a date or for a duration (P30D), and why. Changes nothing.',
    'executions',
  ],
  sign: ['POST /sca/:scaId', 'Answers an SCA as the PSU does on its page. scaRedirect ends in the id.', 'redirect'],
  judge_request: [
    'POST /doctor',
    'Judges a signed request of your client as the bank would, without carrying it out, and finds the signing mistake.',
    'verdict',
  ],
  arm_fault: ['POST /faults', 'Makes the next matching calls fail, or their answers late, cut or missing.', 'id'],
  begin_life: ['POST /life', 'Lets an account earn, pay and buy by itself while the clock moves.', 'account'],
} as const;

const nextSteps: Readonly<Record<keyof typeof calls, (desk: Desk, answer: Json) => string>> = {
  advance: ({ paymentId }) => (paymentId === null ? 'explain_payment {}' : step('explain_payment', { paymentId })),
  forecast: () => 'advance {"runs":1}',
  sign: () => 'explain_payment {}',
  judge_request: (_, { finding }) =>
    finding === null
      ? 'the bank would carry it out: send the request with your client'
      : 'correct what `finding` names in your client, send the request, then explain_refusal {}',
  arm_fault: () => 'send the call with your client, then explain_refusal {}',
  begin_life: () => 'advance {"by":"P1M"}',
};

const step = (tool: string, given: object): string => `${tool} ${JSON.stringify(given)}`;

/** What an agent reads of the tools. */
export function toldTools(): readonly Omit<Tool, 'run'>[] {
  return allTools().map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
}

/** All tools. The schemas of the calls are those of the control document. */
export function allTools(): readonly Tool[] {
  const document = describeControl([...ofEveryBank], {
    address: 'http://127.0.0.1:8080',
    samples: { ...noSamples, ids: {} },
    isRoot: true,
  });
  const ofCalls = Object.entries(calls).map(([name, [call, description, member]]): Tool => {
    const [method, path] = partsOf(call);
    const at = `/sandbox${path}`.replaceAll(/:(\w+)/g, '{$1}');
    const { parameters = [], requestBody } = inlined(document, document.paths[at]?.[method.toLowerCase()]) as Described;
    const body = requestBody?.content['application/json']?.schema;
    const own = parameters.map(
      ({ name: parameter, schema, description: says }) => [parameter, { ...schema, description: says }] as const,
    );
    return {
      name,
      description,
      inputSchema: {
        type: 'object',
        properties: { ...Object.fromEntries(own), ...body?.properties },
        required: [...parameters.filter((one) => one.required).map((one) => one.name), ...(body?.required ?? [])],
        additionalProperties: false,
      },
      run: async (desk, given) => {
        const of = (place: string): Record<string, string> =>
          Object.fromEntries(
            parameters
              .filter((one) => one.in === place && one.name in given)
              .map((one) => [one.name, String(given[one.name])]),
          );
        const rest = Object.entries(given).filter(([key]) => parameters.every((one) => one.name !== key));
        const asked = {
          params: of('path'),
          query: of('query'),
          ...(body !== undefined && { body: Object.fromEntries(rest) }),
        };
        // All calls are asked alike: the table has the member of each.
        const data: unknown = await desk.client.ask(call as 'GET /info', member as 'psus', asked);
        return { data, next: nextSteps[name as keyof typeof calls](desk, data as Json) };
      },
    };
  });
  return [...own, ...ofCalls];
}

interface Described {
  readonly parameters?: readonly {
    readonly in: string;
    readonly name: string;
    readonly description: string;
    readonly required: boolean;
    readonly schema: Json;
  }[];
  readonly requestBody?: {
    readonly content: Readonly<
      Record<string, { readonly schema: { readonly properties: Json; readonly required?: readonly string[] } }>
    >;
  };
}

/** A part of the document without references. */
function inlined(document: { readonly components: Json }, part: unknown): unknown {
  if (Array.isArray(part)) return part.map((item: unknown) => inlined(document, item));
  if (!isObject(part)) return part;
  const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(.+)$/.exec(String(part['$ref'])) ?? [];
  const shared = (document.components[kind] as Json | undefined)?.[name];
  if (shared !== undefined) return inlined(document, shared);
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, inlined(document, value)]));
}

const texts = (members: Readonly<Record<string, string>>, required: readonly string[] = []): Tool['inputSchema'] => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(members).map(([name, description]) => [name, { type: 'string', description }]),
  ),
  required,
  additionalProperties: false,
});

/** What is wrong with the names of the given arguments, by the schema of the tool; null: nothing. */
export function wrongArguments({ inputSchema }: Tool, given: Given): string | null {
  const { properties = {}, required = [], additionalProperties } = inputSchema;
  const names = Object.keys(properties as object);
  const unknown = Object.keys(given).find((name) => additionalProperties === false && !names.includes(name));
  if (unknown !== undefined)
    return `There is no argument ${oneLine(unknown, 60)}. Arguments: ${names.join(', ') || 'none'}.`;
  const missing = (required as readonly string[]).find((name) => given[name] === undefined);
  return missing === undefined ? null : `The argument ${missing} is missing.`;
}

const textIn = (given: Given, name: string): string | null => (typeof given[name] === 'string' ? given[name] : null);

/** Tools that make several calls, or none. */
const own: readonly Tool[] = [
  {
    name: 'start_bank',
    description:
      'Starts a bank with a frozen clock, which ends with this session; or attaches to one that runs (address), or opens a saved one (file). Begin here.',
    inputSchema: {
      ...texts({
        now: 'Where its clock starts: 2027-03-25T12:00:00+01:00 is Maundy Thursday, when banks are closed. Default: now.',
        profile: 'The bank of the platform to act as. The tool habits lists them.',
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
      const data = {
        address: at,
        signed: `${at}/v1`,
        unsigned: `${at}/sandbox/as/NAME/v1`,
        document: `${at}/sandbox/as/NAME/openapi.json`,
        console: `${at}/console`,
        now: clock.now,
        psus: people,
      };
      return {
        data,
        next: 'pay {"amount":"100.00"}, or point your client to `signed` (its requests are signed) or `unsigned`',
      };
    },
  },
  {
    name: 'pay',
    description: 'Makes a domestic payment as a TPP named pay, and signs it as the PSU.',
    inputSchema: texts(
      {
        amount: 'In NOK: 100.00',
        from: 'The account of the payer, a BBAN.',
        to: 'The account of the payee, a BBAN.',
        on: 'The wanted date: 2027-03-26',
        kid: 'A KID.',
      },
      ['amount'],
    ),
    run: async (desk, given) => {
      const order = {
        from: textIn(given, 'from'),
        to: textIn(given, 'to'),
        kid: textIn(given, 'kid'),
        on: textIn(given, 'on'),
      };
      const rest = { every: null, until: null, months: null, psus: [], allowDuplicate: false };
      const data = await makePayment(desk.client, { amount: textIn(given, 'amount') ?? '', ...order, ...rest });
      desk.paymentId = data.paymentId;
      return { data, next: step('advance', { until: { paymentId: data.paymentId, status: 'ACSC' } }) };
    },
  },
  {
    name: 'play_scenario',
    description:
      'Plays a story of the bank in a bank of its own, which becomes the bank of this session. Without a name: lists the stories.',
    inputSchema: texts({ name: 'The name of a story: easter' }),
    run: async (desk, given) => {
      const name = textIn(given, 'name');
      if (name === null) {
        const stories = catalogue().map((one) => `${one.name}: ${one.title}`);
        return { data: stories, next: 'play_scenario {"name":"easter"}' };
      }
      const scenario = catalogue().find((one) => one.name === name);
      if (scenario === undefined) throw new CommandFailed(`There is no scenario ${name}: play_scenario {} lists them.`);
      await desk.make(bankOf(scenario));
      const steps = [];
      for await (const { step: played, status, answer } of playScenario(
        scenario,
        { address: desk.client.address, token: null },
        new Map(),
      ))
        steps.push({ says: played.says, status, answer: onlyMembers(answer, played.shows ?? []), why: played.why });
      return {
        data: { title: scenario.title, about: scenario.about, steps, ends: scenario.ends },
        next: 'explain_payment {}',
      };
    },
  },
  {
    name: 'explain_payment',
    description:
      'Tells all of a payment: its status and why, its dates, attempts and entries. Without an id: the latest payments.',
    inputSchema: texts({ paymentId: 'The paymentId of the initiation.' }),
    run: async (desk, given) => {
      const paymentId = textIn(given, 'paymentId');
      if (paymentId === null) {
        const { payments } = await desk.client.ask('GET /payments', 'payments', { query: { limit: '10' } });
        return { data: payments, next: step('explain_payment', { paymentId: payments[0]?.paymentId ?? '' }) };
      }
      const { initiation: _, ...data } = await desk.client.ask('GET /payments/:paymentId', 'occurrences', {
        params: { paymentId },
      });
      return {
        data,
        next: data.status === 'ACSC' ? 'done, it is settled. forecast {"to":"P30D"} looks ahead' : 'advance {"runs":1}',
      };
    },
  },
  {
    name: 'explain_refusal',
    description:
      'Tells why the bank refused a request of your client: the cause and, for a wrong signature, the difference. Without an id: the latest refused one.',
    inputSchema: texts({ requestId: 'The X-Request-ID of the request.' }),
    run: async (desk, given) => {
      const { requests: all } = await desk.client.ask('GET /requests', 'requests', { query: { limit: '100' } });
      // A request without an answer counts as refused.
      const isRefused = ({ status }: (typeof all)[number]): boolean => (status ?? 599) >= 400;
      const requestId = textIn(given, 'requestId') ?? all.find(isRefused)?.requestId;
      if (requestId === undefined) return { data: 'No request was refused.', next: 'send a request with your client' };
      const { requests } = await desk.client.ask('GET /requests/:requestId', 'requests', { params: { requestId } });
      const wanted = [
        'method',
        'target',
        'tpp',
        'verdict',
        'status',
        'code',
        'finding',
        'reason',
        'notes',
        'signing',
        'answer',
      ];
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
  },
  {
    name: 'habits',
    description:
      'Lists the habits of banks (quirks) and the profiles of banks, and which are on. With quirks: switches them.',
    inputSchema: {
      type: 'object',
      properties: { quirks: { type: 'object', description: 'By name: true, a value, or false.' } },
    },
    run: async (desk, { quirks }) => {
      const switched = isObject(quirks) ? await desk.client.ask('PUT /quirks', 'quirks', { body: { quirks } }) : null;
      const on = switched ?? (await desk.client.ask('GET /quirks', 'quirks'));
      const known = switched === null && {
        habits: (await allQuirks()).map(({ name, does }) => `${name}: ${does}`),
        profiles: (await listedProfiles()).map(({ id }) => id),
      };
      return {
        data: { on: on.quirks, ...known },
        next: switched === null ? 'habits {"quirks":{"pending-dates":true}}' : 'run your client again',
      };
    },
  },
  {
    name: 'when',
    description:
      'Tells when one payment would be where at each bank of the platform: cut-off, run, booking, value date, why. Without at: now by the clock of this bank. Changes nothing.',
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(whenQuery).map(([name, schema]) => [name, new Components().schema(schema)]),
      ),
    },
    run: async (desk, given) => {
      const at = 'at' in given ? given['at'] : (await desk.client.ask('GET /clock', 'now')).now;
      const query = Object.fromEntries(Object.entries({ ...given, at }).map(([name, value]) => [name, String(value)]));
      const { banks } = await desk.root.ask('GET /platform/when', 'banks', { query });
      const [heading = [], ...rows] = whenTable(banks);
      const lines = [['id', ...heading], ...rows.map((row, at) => [banks[at]?.id ?? '', ...row])];
      return {
        data: [...lines.map((line) => line.join(' | ')), ofGuess],
        next: 'start_bank {"profile":"BANK"} acts as one of them, by its id',
      };
    },
  },
  {
    name: 'save_bundle',
    description: 'Saves the bank as one file in the working folder. start_bank opens it, and so does `sandbank open`.',
    inputSchema: texts({ file: 'A new file: before.sandbank' }, ['file']),
    run: async (desk, given) => {
      const file = inWorkingFolder(textIn(given, 'file') ?? '');
      if (existsSync(file)) throw new CommandFailed(`${file} exists already.`);
      writeFileSync(file, await desk.client.download('/bundle', bundleType), { flag: 'wx' });
      return { data: { file: realpathSync(file) }, next: step('start_bank', { file: textIn(given, 'file') }) };
    },
  },
  {
    name: 'search_guide',
    description: 'Finds sections of the guide and rules of the specification.',
    inputSchema: texts({ text: 'A few words.' }, ['text']),
    run: async (_, given) => {
      const best = await findSections(textIn(given, 'text') ?? '', 5, true);
      const found = best.map(({ page, heading, about }) => ({
        page: `sandbank://guide/${page}`,
        heading,
        text: about,
      }));
      return { data: found, next: 'read the resource of `page` for the whole page' };
    },
  },
];
