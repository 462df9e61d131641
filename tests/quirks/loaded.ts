/* Prints which files of quirks a server has loaded: without a quirk, and after one was switched on. */
import { registerHooks } from 'node:module';

const loaded: string[] = [];
registerHooks({
  load: (url, context, next) => {
    const [, name] = /\/api\/quirks\/([\w-]+)\.ts$/.exec(url) ?? [];
    if (name !== undefined) loaded.push(name);
    return next(url, context);
  },
});
const { readConfig } = await import('../../api/start/config.ts');
const { startServer } = await import('../../api/hosting/server.ts');
const flags = ['--port=0', '--ledger=:memory:', '--log-level=silent'];
const server = await startServer(readConfig({}, flags));
const answers: object[] = [];
const ask = async (): Promise<void> => {
  const answer = await fetch(`${server.address}/v1/accounts`);
  await answer.text();
  answers.push({ type: answer.headers.get('content-type'), loaded: loaded.toSorted() });
};
await ask();
await fetch(`${server.address}/sandbox/quirks`, {
  method: 'PUT',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ quirks: { 'plain-json': true } }),
});
await ask();
console.log(JSON.stringify(answers));
await server.stop();
