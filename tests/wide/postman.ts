import { createBank } from '../../api/harness/index.ts';
import type { Bank } from '../../api/harness/index.ts';
import type { WideCheck } from './check.ts';

/** Converts a document as Postman imports it, sends every request, and prints the number of answers by status and the refused calls. */
const program = `import Converter from 'openapi-to-postmanv2';
import newman from 'newman';
const [, , document, baseUrl] = process.argv;
const data = await (await fetch(document)).text();
const options = { requestParametersResolution: 'Example' };
const converted = await new Promise((resolve) => Converter.convert({ type: 'string', data }, options, (_, result) => resolve(result)));
const collection = converted.output[0].data;
const answers = [];
const run = newman.run({ collection, envVar: [{ key: 'baseUrl', value: baseUrl }], timeoutRequest: 5000, reporters: [] });
run.on('request', (error, { request, response }) => {
  const call = request.method + ' ' + request.url.toString().replace(baseUrl, '');
  answers.push({ call, status: error ? 0 : response.code, text: error ? String(error) : response.text().slice(0, 300) });
});
run.on('done', () => {
  console.log(JSON.stringify(answers));
  process.exit(0);
});
`;

interface Answer {
  readonly call: string;
  /** 0: no answer in time. */
  readonly status: number;
  readonly text: string;
}

/** What a bank has in which every call of a document can be tried: payments that are signed and carried out, open ones, a consent. */
async function use(bank: Bank): Promise<void> {
  const [psu, from] = ['13039319955', '09232911044'];
  const tpp = bank.tpp({ name: 'docs' });
  let amount = 20;
  const order = () => ({ from, to: '90491105991', amount: `${(amount += 1)}.00` });
  const [on, nobody] = ['2027-04-06', { signedBy: [] }];
  await tpp.consent({ psu });
  await tpp.pay(order());
  const life = { account: '70323119469', persona: 'student', months: 1 };
  await bank.fetch('/sandbox/life', { method: 'POST', headers: { 'content-type': 'application/json' }, body: life });
  await bank.clock.advance('P1D');
  for (const who of [{}, {}, {}, {}, nobody]) await tpp.pay({ ...order(), on, ...who });
  await tpp.pay({ ...order(), on, every: 'Monthly' });
  await tpp.pay({ from, on, payments: [order(), order()].map(({ to, amount }) => ({ to, amount })) });
  const paymentIds = [await tpp.pay({ ...order(), on, ...nobody })];
  await tpp.fetch('/v1/signing-baskets', {
    method: 'POST',
    headers: { 'x-psu-identity': psu, 'psu-context': 'PRIVATE' },
    body: { paymentIds },
  });
  await tpp.pay({ ...order(), on });
}

/** Both documents as Postman imports them, without a change: newman sends that of a door to a fresh bank, and that of the control plane to a bank that a TPP has used. */
export const postman: WideCheck = {
  name: 'postman',
  summary: 'openapi-to-postmanv2 and newman: every call of both documents',
  run: async (folder) => {
    folder.write('package.json', { private: true, type: 'module' });
    await folder.fetch('openapi-to-postmanv2@6', 'newman@6');
    folder.write('send.js', program);
    await using bank = await createBank({ port: 0, now: '2027-03-23T12:00:00+01:00' });
    const door = `${bank.url}/sandbox/as/docs`;
    const send = async (document: string, baseUrl: string): Promise<readonly Answer[]> => {
      const said = await folder.run('node', 'send.js', document, baseUrl);
      return JSON.parse(said.slice(said.indexOf('[{'), said.lastIndexOf('}]') + 2)) as readonly Answer[];
    };
    // The document deletes all transactions of an account before it reads one, and tells no PSU-ID.
    require(await send(`${door}/openapi.json`, `${door}/v1`), 60, ({ text }) =>
      /RESOURCE_UNKNOWN|PSU_CREDENTIALS_INVALID/.test(text));
    await use(bank);
    const ofControl = await send(`${bank.url}/sandbox/openapi.json`, bank.url);
    // The stream never ends. Postman asks `when` of any product, in one currency.
    require(ofControl, ofControl.length - 2, ({ call }) => /^GET \/sandbox\/(events$|when\?)/.test(call));
  },
};

/** Throws an Error unless at least `least` calls were carried out, and the others may be refused as they were. */
function require(answers: readonly Answer[], least: number, mayBe: (answer: Answer) => boolean): void {
  const refused = answers.filter(({ status }) => status < 200 || status > 299);
  const told = refused.map(({ call, status, text }) => `${call} ${status} ${text}`).join('\n');
  const counts = `${answers.length - refused.length} of ${answers.length} calls were carried out, at least ${least} expected`;
  if (answers.length - refused.length < least || !refused.every(mayBe)) throw new Error(`${counts}:\n${told}`);
}
