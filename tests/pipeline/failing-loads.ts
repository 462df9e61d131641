/* Prints how a server answers where a module that is loaded late cannot be loaded, and whether it is still ready. */
import { registerHooks } from 'node:module';

/** Each module, with a path whose first request loads it. */
const late = {
  'hosting/app': '/v1/accounts',
  'console/console': '/console',
  'console/clock/moves': '/console',
  'guide/reference': '/docs',
  'guide/render-page': '/docs/first-payment',
  'openapi/interface-document': '/openapi.json',
  'openapi/control-document': '/sandbox/openapi.json',
  'openapi/described-by': '/docs/interface/getAccounts',
  'catalogue/collections': '/collections',
  'hosting/bundle/bundle': '/sandbox/bundle',
  'quirks/plain-json': '/v1/accounts',
};
let failing = '';
registerHooks({
  load: (url, context, next) => {
    if (url.endsWith(`/api/${failing}.ts`)) throw new Error(`${failing} cannot be loaded`);
    return next(url, context);
  },
});
const { readConfig } = await import('../../api/start/config.ts');
const { startServer } = await import('../../api/hosting/server.ts');
const server = await startServer(readConfig({}, ['--port=0', '--ledger=:memory:', '--log-level=silent']));
const answers: unknown[] = [];
const ask = async (path: string): Promise<number> => {
  const answer = await fetch(server.address + path, { headers: { accept: 'text/html' } });
  await answer.text();
  return answer.status;
};
for (const [name, path] of Object.entries(late)) {
  if (name.startsWith('quirks/'))
    await fetch(`${server.address}/sandbox/quirks`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ quirks: { 'plain-json': true } }),
    });
  failing = name;
  answers.push([name, await ask(path)]);
  failing = '';
  answers.push([name, await ask('/ready')]);
}
console.log(JSON.stringify(answers));
await server.stop();
