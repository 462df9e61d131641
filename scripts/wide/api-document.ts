import { startServer } from '../../api/hosting/server.ts';
import { readConfig } from '../../api/start/config.ts';
import type { Place, WideCheck } from './check.ts';

/** A program on a client that openapi-typescript generates: it pays, and reads the payment. */
const client = `import createClient from 'openapi-fetch';
import type { components, paths } from './bank.js';

const client = createClient<paths>({ baseUrl: \`\${process.argv[2] ?? ''}/sandbox/as/generated/v1\` });
const requestId = '4eba4445-1a4b-47b8-bdd5-4e56ef026b19';
const body: components['schemas']['CreditTransferInitiation'] = {
  instructedAmount: { amount: '100.33', currency: 'NOK' },
  creditorName: 'Company 123',
  creditorAccount: { bban: '74712699947', currency: 'NOK' },
  debtorAccount: { bban: '09232911044', currency: 'NOK' },
};
const psu = { 'X-PSU-IDENTITY': '13039319955', 'PSU-Context': 'PRIVATE', 'PSU-IP-Address': '192.0.2.1' } as const;
const paid = await client.POST('/payments/norwegian-domestic-credit-transfers', {
  params: { header: { 'X-Request-ID': requestId, 'TPP-Redirect-URI': 'https://tpp.example/back', ...psu } },
  body,
});
if (paid.error !== undefined) throw new Error(paid.error.tppMessages[0]?.text);
const status: components['schemas']['TransactionStatus'] = paid.data.transactionStatus;
const read = await client.GET('/payments/{product}/{paymentId}', {
  params: {
    header: { 'X-Request-ID': requestId, ...psu },
    path: { product: 'norwegian-domestic-credit-transfers', paymentId: paid.data.paymentId },
  },
});
if (read.error !== undefined) throw new Error(read.error.tppMessages[0]?.text);
console.log(status, read.data.creditorName, paid.data._links.scaRedirect !== undefined);
`;

const wrong = `import type { components } from './bank.js';

export const status: components['schemas']['TransactionStatus'] = 'PAID';
`;

const options = { strict: true, target: 'es2024', lib: ['es2024', 'dom'], module: 'nodenext', types: ['node'] };

/** Both documents of a running bank pass the linter of redocly, and a client made of the first compiles and pays. */
export const apiDocument: WideCheck = {
  name: 'api-document',
  summary: "redocly's linter, and a client by openapi-typescript",
  run: async (folder) => {
    const flags = ['--port', '0', '--ledger', ':memory:', '--log-level', 'silent'];
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
      folder.write('pay.ts', client);
      folder.write('wrong.ts', wrong);
      folder.write('tsconfig.json', { compilerOptions: options, files: ['pay.ts', 'bank.d.ts'] });
      folder.write('wrong.json', { compilerOptions: { ...options, noEmit: true }, files: ['wrong.ts', 'bank.d.ts'] });
      await folder.run('tsc', '-p', 'tsconfig.json');
      const isRefused = await folder.run('tsc', '-p', 'wrong.json').then(
        () => false,
        () => true,
      );
      if (!isRefused) throw new Error('The client takes a status that there is not: its types say nothing.');
      const paid = await folder.run('node', 'pay.js', server.address);
      if (!paid.includes('RCVD Company 123 true')) throw new Error(`The generated client did not pay:\n${paid}`);
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
