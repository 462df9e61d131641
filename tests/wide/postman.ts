import { startServer } from '../../api/hosting/server.ts';
import { testTppId } from '../../api/signing/test-tpp.ts';
import { readConfig } from '../../api/start/config.ts';
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
async function use(address: string): Promise<void> {
  const door = `${address}/sandbox/as/docs/v1`;
  const headers = {
    'content-type': 'application/json',
    'X-PSU-IDENTITY': '13039319955',
    'PSU-Context': 'PRIVATE',
    'TPP-Session-ID': 'session-1',
    'x-accept-fix': 'longer-names',
  };
  const call = async (method: string, url: string, body?: unknown): Promise<Record<string, unknown>> => {
    const sent = body === undefined ? null : JSON.stringify(body);
    const answer = await fetch(url, { method, headers, body: sent });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  };
  const { paths } = (await call('GET', `${address}/sandbox/as/docs/openapi.json`)) as unknown as Document;
  let amount = 20;
  const pay = async (service: string, signed: boolean, on: string | null = null): Promise<string> => {
    const path = `/${service}/norwegian-domestic-credit-transfers`;
    const example = JSON.stringify(paths[path]?.post.requestBody.content['application/json'].examples.example.value);
    const body = Object(
      JSON.parse(example.replaceAll(/"amount":"[^"]+"/g, () => `"amount":"${(amount += 1)}.00"`)),
    ) as object;
    const { paymentId, _links: links } = (await call('POST', door + path, {
      ...body,
      ...(on !== null && { requestedExecutionDate: on }),
    })) as unknown as Initiated;
    const sca = new URL(links.scaRedirect.href).pathname.split('/').at(-1) ?? '';
    if (signed)
      await call('POST', `${address}/sandbox/sca/${sca}`, {
        outcome: 'approve',
        psu: '13039319955',
        context: 'PRIVATE',
      });
    return paymentId;
  };
  await call('POST', `${address}/sandbox/consents`, { tpp: testTppId('docs'), psu: '13039319955' });
  await pay('payments', true);
  await call('POST', `${address}/sandbox/life`, { account: '70323119469', persona: 'student', months: 1 });
  await call('POST', `${address}/sandbox/clock/advance`, { by: 'P1D' });
  for (const signed of [true, true, true, true, false]) await pay('payments', signed, '2027-04-06');
  await pay('periodic-payments', true);
  await pay('bulk-payments', true, '2027-04-06');
  const paymentId = await pay('payments', false, '2027-04-06');
  await call('POST', `${door}/signing-baskets`, { paymentIds: [paymentId] });
  await pay('payments', true, '2027-04-06');
}

interface Document {
  readonly paths: Readonly<
    Record<
      string,
      {
        readonly post: {
          readonly requestBody: {
            readonly content: {
              readonly 'application/json': { readonly examples: { readonly example: { value: unknown } } };
            };
          };
        };
      }
    >
  >;
}
interface Initiated {
  readonly paymentId: string;
  readonly _links: { readonly scaRedirect: { readonly href: string } };
}

/** Both documents as Postman imports them, without a change: newman sends that of a door to a fresh bank, and that of the control plane to a bank that a TPP has used. */
export const postman: WideCheck = {
  name: 'postman',
  summary: 'openapi-to-postmanv2 and newman: every call of both documents',
  run: async (folder) => {
    folder.write('package.json', { private: true, type: 'module' });
    await folder.run('npm', 'install', '--no-audit', '--no-fund', 'openapi-to-postmanv2@6', 'newman@6');
    folder.write('send.js', program);
    const clock = ['--clock-mode', 'frozen', '--clock-now', '2027-03-23T12:00:00+01:00'];
    const server = await startServer(
      readConfig({}, ['--port', '0', '--ledger', ':memory:', '--log-level', 'silent', ...clock]),
    );
    try {
      const door = `${server.address}/sandbox/as/docs`;
      const send = async (document: string, baseUrl: string): Promise<readonly Answer[]> => {
        const said = await folder.run('node', 'send.js', document, baseUrl);
        return JSON.parse(said.slice(said.indexOf('[{'), said.lastIndexOf('}]') + 2)) as readonly Answer[];
      };
      // The document deletes all transactions of an account before it reads one, and tells no PSU-ID.
      require(await send(`${door}/openapi.json`, `${door}/v1`), 60, ({ text }) =>
        /RESOURCE_UNKNOWN|PSU_CREDENTIALS_INVALID/.test(text));
      await use(server.address);
      const ofControl = await send(`${server.address}/sandbox/openapi.json`, server.address);
      require(ofControl, ofControl.length - 1, ({ call }) => call === 'GET /sandbox/events');
    } finally {
      await server.stop();
    }
  },
};

/** Throws an Error unless at least `least` calls were carried out, and the others may be refused as they were. */
function require(answers: readonly Answer[], least: number, mayBe: (answer: Answer) => boolean): void {
  const refused = answers.filter(({ status }) => status < 200 || status > 299);
  const told = refused.map(({ call, status, text }) => `${call} ${status} ${text}`).join('\n');
  const counts = `${answers.length - refused.length} of ${answers.length} calls were carried out, at least ${least} expected`;
  if (answers.length - refused.length < least || !refused.every(mayBe)) throw new Error(`${counts}:\n${told}`);
}
