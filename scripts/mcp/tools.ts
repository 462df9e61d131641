import { realpathSync, writeFileSync } from 'node:fs';
import { bundleType } from '../../api/control/control-endpoint.ts';
import { findSections } from '../../api/guide/find-sections.ts';
import { whenColumns } from '../../api/openapi/columns.ts';
import { allQuirks } from '../../api/quirks/index.ts';
import { isObject } from '../../api/quirks/json.ts';
import { listedProfiles } from '../../api/start/profile.ts';
import { answerTable } from '../cli/answer-table.ts';
import { CommandFailed } from '../cli/command.ts';
import { writing } from '../cli/file-input.ts';
import { paymentOf, wholeOrder } from '../cli/payment-order.ts';
import { either, type Given, ofTexts, passed, texts, type Tool } from './call-tool.ts';
import { type Desk, inWorkingFolder } from './desk.ts';
import { explainRefusal } from './explain-refusal.ts';
import { nextOf, signing, startSca, step } from './next-call.ts';

/** Tools that change nothing; that replace or end something, where others add; and that do no more when repeated. */
const reads = 'accounts when forecast explain_payment explain_refusal judge_request search_guide more'.split(' ');
const replaces = ['quirks', 'disarm', 'restore'];

/** What an agent reads of the tools. */
export function toldTools() {
  return [...allTools].map(([name, { description, inputSchema }]) => {
    const [readOnlyHint, isReplacing] = [reads.includes(name), replaces.includes(name)];
    const destructiveHint = isReplacing || ['advance', 'sign'].includes(name);
    const annotations = { readOnlyHint, destructiveHint, idempotentHint: readOnlyHint || isReplacing };
    return { name, description, inputSchema, annotations };
  });
}

/** The step after a call that may have moved a payment: that of the call, or the one that was asked about last. */
function lookAgain(desk: Desk, _answer: unknown, { until }: Given): string {
  const asked = isObject(until) ? until['paymentId'] : undefined;
  if (typeof asked === 'string') desk.paymentId = asked;
  return step('explain_payment', desk.paymentId === null ? {} : { paymentId: desk.paymentId });
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
      else await (typeof file === 'string' ? desk.open(file) : desk.make(settings));
      const { psus, clock, creditorNumbers } = await desk.client.ask('GET /info', 'psus');
      const at = desk.client.address;
      const people = psus.map(({ customerNumber, name, accounts: [first] }) => {
        return { customerNumber, name, account: first?.bban ?? null };
      });
      const unsigned = `${at}/sandbox/as/NAME`;
      const ways = { signed: `${at}/v1`, unsigned: `${unsigned}/v1`, document: `${unsigned}/openapi.json` };
      return {
        data: { address: at, ...ways, console: `${at}/console`, now: clock.now, psus: people, creditorNumbers },
        next: 'pay {"amount":"100.00"}, or point your client to `signed` (its requests are signed) or `unsigned`',
      };
    },
  },
  pay: passed(
    'POST /payments',
    'Makes a domestic payment as a TPP named pay, and signs it as the PSU.',
    (desk, answer) => nextOf(desk, paymentOf(answer)),
    {
      takes: ['amount', 'from', 'to', 'on', 'kid'],
      needs: ['amount'],
      body: ({ client }, order) => wholeOrder(client, order),
      data: (answer) => ({ ...paymentOf(answer), initiation: undefined }),
    },
  ),
  explain_payment: either(
    passed(
      'GET /payments',
      'Lists the latest payments.',
      (_, { payments: [latest] }) =>
        latest === undefined ? 'pay {"amount":"100.00"}' : step('explain_payment', { paymentId: latest.paymentId }),
      { query: { limit: '500' } },
    ),
    passed(
      'GET /payments/:paymentId',
      'With an id: tells all of one: its status and why, its dates, attempts and entries.',
      nextOf,
      { data: (payment) => ({ ...payment, initiation: undefined }) },
    ),
  ),
  explain_refusal: ofTexts(
    'Tells why the bank refused a request of your client: the cause and, for a wrong signature, the difference. Without an id: the latest refused one.',
    { requestId: 'The X-Request-ID of the request.' },
    ({ client }, { requestId }) => explainRefusal(client, requestId),
  ),
  quirks: either(
    passed(
      'GET /quirks',
      'Lists the quirks and the profiles of banks, and which are on.',
      () => 'quirks {"quirks":{"pending-dates":true}}',
      {
        data: async ({ quirks: on }) => {
          const quirks = (await allQuirks()).map(({ name, does }) => `${name}: ${does}`);
          return { on, quirks, profiles: (await listedProfiles()).map(({ id }) => id) };
        },
      },
    ),
    passed('PUT /quirks', 'With quirks: switches them.', () => 'run your client again'),
  ),
  when: passed(
    'GET /when',
    'Tells when one payment would be where at each bank of the platform: cut-off, run, booking, value date, why. Without at: now by the clock of this bank. Changes nothing.',
    () => 'start_bank {"profile":"BANK"} acts as one of them, by its id',
    {
      data: ({ banks }) => answerTable([['Id', 'text', ({ id }) => id], ...whenColumns], banks),
    },
  ),
  save_bundle: ofTexts(
    'Saves the bank as one file in the working folder. start_bank opens it, and so does `sandbank open`.',
    { file: 'A new file: before.sandbank' },
    async ({ client }, { file: name = '' }) => {
      const [file, bytes] = [inWorkingFolder(name), await client.download('/bundle', bundleType)];
      await writing(file, () => writeFileSync(file, bytes, { flag: 'wx', mode: 0o600 }));
      return { data: { file: realpathSync(file) }, next: step('start_bank', { file: name }) };
    },
    ['file'],
  ),
  search_guide: ofTexts(
    'Finds sections of the guide and rules of the specification.',
    { text: 'A few words.' },
    async (_, { text = '' }) => {
      if (text.length > 200) throw new CommandFailed('text has 200 characters at most: a few words.');
      const best = await findSections(text, 5);
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
      if (paymentId !== undefined) await startSca(client, paymentId);
      const { scas } = await client.ask('GET /sca', 'scas');
      const own = scas.find(({ payments }) => paymentId === undefined || payments.includes(paymentId));
      desk.paymentId = paymentId ?? desk.paymentId;
      return { data: scas, next: own === undefined ? 'explain_payment {}' : signing(own) };
    },
  ),
  accounts: either(
    passed('GET /accounts', 'Lists the accounts of all customers.', (_, { accounts: [first] }) =>
      step('accounts', { number: first?.number }),
    ),
    passed('GET /accounts/:number', 'With a number: one account with its entries.', () => null),
  ),
  top_up: passed('POST /accounts/:number/top-up', 'Puts money into an account.', lookAgain),
  restore: passed(
    'POST /snapshots/:name/restore',
    'Goes back to a snapshot of ledger and clock. The snapshot seeded, the known state, is always there.',
    (desk) => {
      desk.paymentId = null;
      return 'explain_payment {}';
    },
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
    'DELETE /faults',
    'Disarms all armed faults: calls are answered as usual again.',
    () => 'Send the same request with the same X-Request-ID. Then explain_refusal {}',
  ),
  advance: passed(
    'POST /clock/advance',
    'Moves the clock of the bank, and carries out the settlement runs on the way.',
    lookAgain,
  ),
  forecast: passed(
    'GET /forecast',
    'Tells what the settlement runs will do until a date or for a duration (P30D), and why. Changes nothing.',
    () => 'advance {"runs":1}',
  ),
  sign: passed(
    'POST /sca/:scaId',
    'Answers an SCA as the PSU does on its page. scaRedirect ends in the id.',
    lookAgain,
    {
      first: async (desk, { scaId }) => {
        const { scas } = await desk.client.ask('GET /sca', 'scas');
        desk.paymentId = scas.find(({ id }) => id === scaId)?.payments[0] ?? desk.paymentId;
      },
    },
  ),
  judge_request: passed(
    'POST /doctor',
    'Judges a signed request of your client as the bank would, without carrying it out, and finds the signing mistake.',
    (_, { finding }) =>
      finding === null
        ? 'the bank would carry it out: send the request with your client'
        : 'correct what `finding` names in your client, send the request, then explain_refusal {}',
  ),
  arm_fault: passed(
    'POST /faults',
    'Makes the next matching calls fail, or their answers late, cut or missing.',
    () => 'send the call with your client, then explain_refusal {}',
  ),
  begin_life: passed(
    'POST /life',
    'Lets an account earn, pay and buy by itself while the clock moves.',
    () => 'advance {"by":"P1M"}',
  ),
};

/** All tools by their names. */
export const allTools: ReadonlyMap<string, Tool> = new Map(Object.entries(tools));
