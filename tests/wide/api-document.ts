import { startServer } from '../../api/hosting/server.ts';
import { readConfig } from '../../api/start/config.ts';
import type { Place, WideCheck } from './check.ts';
import { type Generator, generators, payment, settledPayment } from './generators.ts';

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
  summary: `redocly, swagger-parser, and clients by ${generators.map(({ name }) => name).join(', ')}: a settled payment each`,
  run: async (folder) => {
    // On a banking day, before its last run.
    const clock = ['--clock-mode', 'frozen', '--clock-now', '2027-03-24T12:00:00+01:00'];
    const flags = ['--port', '0', '--ledger', ':memory:', '--log-level', 'silent', ...clock];
    const server = await startServer(readConfig({}, flags));
    try {
      folder.write('package.json', { private: true, type: 'module' });
      // openapi-typescript needs TypeScript 5.
      const packages = ['@redocly/cli@2', '@apidevtools/swagger-parser@13', 'typescript@5', '@types/node@24'];
      await folder.run(
        'npm',
        'install',
        '--no-audit',
        '--no-fund',
        ...packages,
        ...generators.flatMap((generator) => generator.packages),
      );
      const documents = { 'bank.json': 'openapi.json', 'control.json': 'sandbox/openapi.json' };
      for (const [name, path] of Object.entries(documents)) {
        const document: unknown = await (await fetch(`${server.address}/${path}`)).json();
        folder.write(name, Object(document) as object);
        await lint(folder, name);
      }
      folder.write('parse.js', parse);
      await folder.run('node', 'parse.js', ...Object.keys(documents));
      folder.write('payment.ts', payment);
      for (const [index, generator] of generators.entries())
        await payWith(generator, folder, server.address, `${100 + index}.33`);
    } finally {
      await server.stop();
    }
  },
};

/** Makes clients with a generator and pays this amount with them. Throws an Error unless they compile, and the payment settles. */
async function payWith(generator: Generator, folder: Place, address: string, amount: string): Promise<void> {
  const { name, program, wrong } = generator;
  await generator.generate(folder);
  folder.write(`${name}/pay.ts`, program);
  folder.write(`${name}.json`, { compilerOptions: options, include: [name, 'payment.ts'] });
  await folder.run('tsc', '-p', `${name}.json`);
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
