import { createBank } from '../../api/harness/index.ts';
import { testTppId } from '../../api/signing/test-tpp.ts';
import type { Place, WideCheck } from './check.ts';

/** A program of others that makes clients of `bank.json`, the document of an unsigned door, and `control.json`. */
interface Generator {
  /** Its folder, and the name of its TPP at the unsigned door. */
  readonly name: string;
  readonly packages: readonly string[];
  /** Makes clients in the folder of the generator. */
  generate(place: Place): Promise<void>;
  /** The beginning of a program with its clients. */
  readonly begin: string;
  /** The type of a status of a payment, with its import. */
  readonly status: { readonly type: string; readonly from: string };
  /** Whether an answer of this name has another status than this one. */
  readonly isRefused: (answer: string, status: number) => string;
  /** The calls: paying, signing, moving the clock, reading the payment. */
  readonly calls: readonly [pay: string, sign: string, advance: string, read: string];
}

/** What each program prints: statuses as they were answered, how many payments were settled, and the creditor. */
const settledPayment = 'RCVD 1 true ACSC Company 123';

/** What the programs share. The amount is an argument: two payments of one amount are duplicates. */
const payment = `
export const [, , address = '', amount = ''] = process.argv;
export const psu = '13039319955';
export const product = 'norwegian-domestic-credit-transfers';
export const body = {
  instructedAmount: { amount, currency: 'NOK' },
  creditorName: 'Company 123',
  creditorAccount: { bban: '74712699947', currency: 'NOK' },
  debtorAccount: { bban: '09232911044', currency: 'NOK' },
} as const;
export const headers = {
  'X-Request-ID': '4eba4445-1a4b-47b8-bdd5-4e56ef026b19',
  'TPP-Redirect-URI': 'https://tpp.example/back',
  'X-PSU-IDENTITY': psu,
  'PSU-Context': 'PRIVATE',
  'PSU-IP-Address': '192.0.2.1',
  'PSU-User-Agent': 'Mozilla/5.0',
  'ASPSP-ID': '9057',
} as const;
export const approval = { outcome: 'approve', psu, context: 'PRIVATE' } as const;
export const scaIdIn = (href = ''): string => new URL(href).pathname.split('/').at(-1) ?? '';
export const settledIn = (runs: readonly { readonly settled: number }[]): number =>
  runs.reduce((sum, run) => sum + run.settled, 0);
`;

/** A program that pays, signs and lets the payment settle. It prints what {@link settledPayment} says. */
function programOf({ begin, status, isRefused, calls }: Generator): string {
  const [pay, sign, advance, read] = calls;
  const step = (name: string, call: string, wanted: number): string =>
    `const ${name} = await ${call};\nif (${isRefused(name, wanted)}) throw new Error(JSON.stringify(${name}));`;
  return `import { address, approval, body, headers, product, psu, scaIdIn, settledIn } from '../payment.js';
import type { ${status.from} } from './bank.js';
${begin}
${step('paid', pay, 201)}
const { paymentId, transactionStatus, _links } = paid.data;
const initiated: ${status.type} = transactionStatus;
const scaId = scaIdIn(_links.scaRedirect?.href);
${step('signed', sign, 200)}
const until = { until: { paymentId, status: 'ACSC' } } as const;
${step('moved', advance, 200)}
// A client that accepts events gets them as a text.
if (typeof moved.data === 'string') throw new Error('The answer is a text.');
${step('read', read, 200)}
const { transactionStatus: last, creditorName } = read.data;
console.log(initiated, settledIn(moved.data.runs), moved.data.reached, last, creditorName);
`;
}

const openapiTypescript: Generator = {
  name: 'openapi-typescript',
  packages: ['openapi-typescript@7', 'openapi-fetch@0.17'],
  generate: async (place) => {
    for (const name of ['bank', 'control'])
      await place.run('openapi-typescript', `${name}.json`, '-o', `openapi-typescript/${name}.d.ts`);
  },
  begin: `import createClient from 'openapi-fetch';
import type { paths } from './bank.js';
import type { paths as ControlPaths } from './control.js';
const bank = createClient<paths>({ baseUrl: \`\${address}/sandbox/as/openapi-typescript/v1\` });
const control = createClient<ControlPaths>({ baseUrl: address });`,
  status: { from: 'components', type: `components['schemas']['TransactionStatus']` },
  isRefused: (answer) => `${answer}.error !== undefined`,
  calls: [
    `bank.POST('/payments/norwegian-domestic-credit-transfers', { params: { header: headers }, body })`,
    `control.POST('/sandbox/sca/{scaId}', { params: { path: { scaId } }, body: approval })`,
    `control.POST('/sandbox/clock/advance', { body: until })`,
    `bank.GET('/payments/{product}/{paymentId}', { params: { header: headers, path: { product, paymentId } } })`,
  ],
};

const orval: Generator = {
  name: 'orval',
  packages: ['orval@8'],
  generate: async (place) => {
    const client = (name: string, headers: boolean, baseUrl: object) => ({
      input: `./${name}.json`,
      output: { target: `./orval/${name}.ts`, client: 'fetch', headers, baseUrl },
    });
    const door = { getBaseUrlFromSpecification: true, variables: { tpp: 'orval' } };
    const config = {
      bank: client('bank', true, door),
      control: client('control', false, { getBaseUrlFromSpecification: true }),
    };
    place.write('orval.config.mjs', `export default ${JSON.stringify(config)};\n`);
    await place.run('orval', '--config', 'orval.config.mjs');
  },
  begin: `import * as bank from './bank.js';
import * as control from './control.js';`,
  status: { from: 'TransactionStatus', type: 'TransactionStatus' },
  isRefused: (answer, status) => `${answer}.status !== ${status}`,
  calls: [
    'bank.postPaymentsNorwegianDomesticCreditTransfers(body, undefined, headers)',
    'control.postSandboxScaByScaId(scaId, approval)',
    'control.postSandboxClockAdvance(until)',
    'bank.getPaymentsByProductByPaymentId(product, paymentId, headers)',
  ],
};

/** Profiles whose documents are far from that of a bank without quirks. */
const profiles = ['bien-sparebank', 'every-quirk'];

/** A program that pays, signs and reads under a profile. It prints the status of the payment, and whether it read an account. */
const underProfile = `import createClient from 'openapi-fetch';
import type { paths } from './bank.js';
import type { paths as ControlPaths } from './control.js';
import { address, approval, body, headers, product, psu, scaIdIn } from '../payment.js';
const bank = createClient<paths>({ baseUrl: \`\${address}/sandbox/as/shop/v1\` });
const control = createClient<ControlPaths>({ baseUrl: address });
const paid = await bank.POST('/payments/norwegian-domestic-credit-transfers', { params: { header: headers }, body });
if (paid.error !== undefined) throw new Error(JSON.stringify(paid));
const { paymentId, _links } = paid.data;
const scaId = scaIdIn(_links.scaRedirect?.href);
const signed = await control.POST('/sandbox/sca/{scaId}', { params: { path: { scaId } }, body: approval });
if (signed.error !== undefined) throw new Error(JSON.stringify(signed));
const path = { product, paymentId } as const;
const status = await bank.GET('/payments/{product}/{paymentId}/status', { params: { header: headers, path } });
if (status.error !== undefined) throw new Error(JSON.stringify(status));
const granted = await control.POST('/sandbox/consents', { body: { tpp: '${testTppId('shop')}', psu } });
if (granted.error !== undefined) throw new Error(JSON.stringify(granted));
const header = { 'PSU-User-Agent': headers['PSU-User-Agent'], 'PSU-ID': granted.data.psuId };
const accounts = await bank.GET('/accounts', { params: { header } });
if (accounts.error !== undefined) throw new Error(JSON.stringify(accounts));
const accountId = accounts.data.accounts[0]?.resourceId ?? '';
const list = await bank.GET('/accounts/{accountId}/transactions', { params: { header, path: { accountId } } });
if (list.error !== undefined) throw new Error(JSON.stringify(list));
const { booked = [], pending = [] } = list.data.transactions;
const dates: readonly string[] = pending.map(({ bookingDate, valueDate }) => bookingDate + valueDate);
console.log(status.data.transactionStatus, accountId !== '' && booked.length + dates.length >= 0);
`;

/** What clients that do not sign are made of: the document of a door, and that of the control plane. */
const documents = { bank: 'sandbox/as/shop/openapi.json', control: 'sandbox/openapi.json' };

/** Makes a client by openapi-typescript for the document of a bank under this profile, and pays and reads with it. */
async function readUnder(profile: string, folder: Place): Promise<void> {
  await using bank = await createBank({ port: 0, now: '2027-03-24T12:00:00+01:00', profile });
  for (const [name, path] of Object.entries(documents)) {
    folder.write(`${profile}/${name}.json`, Object(await (await fetch(`${bank.url}/${path}`)).json()) as object);
    await folder.run('openapi-typescript', `${profile}/${name}.json`, '-o', `${profile}/${name}.d.ts`);
  }
  folder.write(`${profile}/read.ts`, underProfile);
  folder.write(`${profile}.json`, { compilerOptions: options, include: [`${profile}/*.ts`, 'payment.ts'] });
  await folder.run('tsc', '-p', `${profile}.json`);
  const read = await folder.run('node', `${profile}/read.js`, bank.url, '12.34');
  if (!/^(?:RCVD|ACSP|PDNG|ACSC) true$/m.test(read)) throw new Error(`Under ${profile} the client read:\n${read}`);
}

/** One whose clients return an error, and one whose clients return a status. */
const generators: readonly Generator[] = [openapiTypescript, orval];

// All of the generated code is checked, declarations too.
const options = {
  strict: true,
  skipLibCheck: false,
  target: 'es2024',
  lib: ['es2024', 'dom', 'dom.iterable'],
  module: 'nodenext',
  types: ['node'],
};

const parse = `import SwaggerParser from '@apidevtools/swagger-parser';
for (const name of process.argv.slice(2)) await SwaggerParser.validate(name);
`;

/** Both documents of a running bank pass redocly and swagger-parser, and clients made of them compile, pay and see the payment settle. */
export const apiDocument: WideCheck = {
  name: 'api-document',
  summary: `redocly, swagger-parser, and clients by ${generators.map(({ name }) => name).join(', ')}: a settled payment each; and under ${profiles.join(' and ')}`,
  run: async (folder) => {
    // On a banking day, before its last run.
    await using bank = await createBank({ port: 0, now: '2027-03-24T12:00:00+01:00' });
    folder.write('package.json', { private: true, type: 'module' });
    // openapi-typescript needs TypeScript 5.
    const packages = ['@redocly/cli@2', '@apidevtools/swagger-parser@13', 'typescript@5', '@types/node@24'];
    await folder.fetch(...packages, ...generators.flatMap((generator) => generator.packages));
    const files = Object.entries({ ...documents, signed: 'openapi.json' }).map(([name, path]) => [
      `${name}.json`,
      path,
    ]);
    for (const [name = '', path = ''] of files) {
      const document: unknown = await (await fetch(`${bank.url}/${path}`)).json();
      folder.write(name, Object(document) as object);
      await lint(folder, name);
    }
    folder.write('parse.js', parse);
    await folder.run('node', 'parse.js', ...files.map(([name = '']) => name));
    folder.write('payment.ts', payment);
    for (const profile of profiles) await readUnder(profile, folder);
    for (const [index, generator] of generators.entries())
      await payWith(generator, folder, bank.url, `${100 + index}.33`);
  },
};

/** Makes clients with a generator and pays this amount with them. Throws an Error unless they compile, and the payment settles. */
async function payWith(generator: Generator, folder: Place, address: string, amount: string): Promise<void> {
  const { name, status } = generator;
  await generator.generate(folder);
  folder.write(`${name}/pay.ts`, programOf(generator));
  folder.write(`${name}.json`, { compilerOptions: options, include: [name, 'payment.ts'] });
  await folder.run('tsc', '-p', `${name}.json`);
  const wrong = `import type { ${status.from} } from './bank.js';\nexport const status: ${status.type} = 'PAID';\n`;
  folder.write(`${name}/wrong.ts`, wrong);
  const said = await folder.fail('tsc', '-p', `${name}.json`, '--noEmit');
  if (!said.includes(`'"PAID"' is not assignable`)) throw new Error(`${name} has types that say nothing:\n${said}`);
  const paid = await folder.run('node', `${name}/pay.js`, address, amount);
  if (!paid.includes(settledPayment)) throw new Error(`The clients of ${name} did not pay:\n${paid}`);
}

/** Throws what redocly finds in a document of the folder. */
async function lint(folder: Place, name: string): Promise<void> {
  const said = await folder.run('redocly', 'lint', name, '--format', 'json');
  const { totals } = JSON.parse(said.slice(said.indexOf('{'), said.lastIndexOf('}') + 1)) as {
    readonly totals: { readonly errors: number; readonly warnings: number };
  };
  if (totals.errors + totals.warnings > 0) throw new Error(`redocly finds in ${name}:\n${said}`);
}
