import { startServer } from '../../api/hosting/server.ts';
import { readConfig } from '../../api/start/config.ts';
import type { Place, WideCheck } from './check.ts';

/** A program on clients that openapi-typescript generates of both documents: it pays, signs and lets the payment settle. */
const client = `import createClient from 'openapi-fetch';
import type { components, paths } from './bank.js';
import type { components as Control, paths as ControlPaths } from './control.js';

const address = process.argv[2] ?? '';
const bank = createClient<paths>({ baseUrl: \`\${address}/sandbox/as/generated/v1\` });
const control = createClient<ControlPaths>({ baseUrl: address });
const psuNumber = '13039319955';
const requestId = '4eba4445-1a4b-47b8-bdd5-4e56ef026b19';
const body: components['schemas']['CreditTransferInitiation'] = {
  instructedAmount: { amount: '100.33', currency: 'NOK' },
  creditorName: 'Company 123',
  creditorAccount: { bban: '74712699947', currency: 'NOK' },
  debtorAccount: { bban: '09232911044', currency: 'NOK' },
};
const psu = { 'X-PSU-IDENTITY': psuNumber, 'PSU-Context': 'PRIVATE', 'PSU-IP-Address': '192.0.2.1' } as const;
const paid = await bank.POST('/payments/norwegian-domestic-credit-transfers', {
  params: { header: { 'X-Request-ID': requestId, 'TPP-Redirect-URI': 'https://tpp.example/back', ...psu } },
  body,
});
if (paid.error !== undefined) throw new Error(paid.error.tppMessages[0]?.text);
const { paymentId, transactionStatus, _links } = paid.data;
const initiated: components['schemas']['TransactionStatus'] = transactionStatus;

const scaId = new URL(_links.scaRedirect?.href ?? '').pathname.split('/').at(-1) ?? '';
const answer: Control['schemas']['ScaOutcome'] = { outcome: 'approve', psu: psuNumber, context: 'PRIVATE' };
const signed = await control.POST('/sandbox/sca/{scaId}', { params: { path: { scaId } }, body: answer });
if (signed.error !== undefined) throw new Error(signed.error.detail);

const moved = await control.POST('/sandbox/clock/advance', { body: { until: { paymentId, status: 'ACSC' } } });
if (moved.error !== undefined) throw new Error(moved.error.detail);
// A client that accepts events gets them as a text.
if (typeof moved.data === 'string') throw new Error(moved.data);
const settled = moved.data.runs.reduce((sum, run) => sum + run.settled, 0);

const read = await bank.GET('/payments/{product}/{paymentId}', {
  params: {
    header: { 'X-Request-ID': requestId, ...psu },
    path: { product: 'norwegian-domestic-credit-transfers', paymentId },
  },
});
if (read.error !== undefined) throw new Error(read.error.tppMessages[0]?.text);
console.log(initiated, settled, moved.data.reached, read.data.transactionStatus, read.data.creditorName);
`;

const wrong = `import type { components } from './bank.js';

export const status: components['schemas']['TransactionStatus'] = 'PAID';
`;

const options = { strict: true, target: 'es2024', lib: ['es2024', 'dom'], module: 'nodenext', types: ['node'] };

/** Both documents of a running bank pass the linter of redocly, and clients made of them compile, pay and see the payment settle. */
export const apiDocument: WideCheck = {
  name: 'api-document',
  summary: "redocly's linter, and clients by openapi-typescript: a settled payment",
  run: async (folder) => {
    // On a banking day, before its last run.
    const clock = ['--clock-mode', 'frozen', '--clock-now', '2027-03-24T12:00:00+01:00'];
    const flags = ['--port', '0', '--ledger', ':memory:', '--log-level', 'silent', ...clock];
    const server = await startServer(readConfig({}, flags));
    try {
      folder.write('package.json', { private: true, type: 'module' });
      // openapi-typescript needs TypeScript 5.
      const packages = [
        '@redocly/cli@2',
        'openapi-typescript@7',
        'openapi-fetch@0.17',
        'typescript@5',
        '@types/node@24',
      ];
      await folder.run('npm', 'install', '--no-audit', '--no-fund', ...packages);
      await lint(folder, server.address, 'openapi.json');
      await lint(folder, server.address, 'sandbox/openapi.json');
      await folder.run('openapi-typescript', 'openapi.json', '-o', 'bank.d.ts');
      await folder.run('openapi-typescript', 'sandbox/openapi.json', '-o', 'control.d.ts');
      folder.write('pay.ts', client);
      folder.write('wrong.ts', wrong);
      folder.write('tsconfig.json', { compilerOptions: options, files: ['pay.ts', 'bank.d.ts', 'control.d.ts'] });
      folder.write('wrong.json', { compilerOptions: { ...options, noEmit: true }, files: ['wrong.ts', 'bank.d.ts'] });
      await folder.run('tsc', '-p', 'tsconfig.json');
      const isRefused = await folder.run('tsc', '-p', 'wrong.json').then(
        () => false,
        () => true,
      );
      if (!isRefused) throw new Error('The client takes a status that there is not: its types say nothing.');
      const paid = await folder.run('node', 'pay.js', server.address);
      if (!paid.includes('RCVD 1 true ACSC Company 123'))
        throw new Error(`The generated clients did not pay:\n${paid}`);
    } finally {
      await server.stop();
    }
  },
};

/** Throws what redocly finds in a document of the server, which it keeps in the folder. */
async function lint(folder: Place, address: string, path: string): Promise<void> {
  const document: unknown = await (await fetch(`${address}/${path}`)).json();
  folder.write(path, Object(document) as object);
  const said = await folder.run('redocly', 'lint', path, '--format', 'json');
  const { totals } = JSON.parse(said.slice(said.indexOf('{'), said.lastIndexOf('}') + 1)) as {
    readonly totals: { readonly errors: number; readonly warnings: number };
  };
  if (totals.errors + totals.warnings > 0) throw new Error(`redocly finds faults in ${path}:\n${said}`);
}
