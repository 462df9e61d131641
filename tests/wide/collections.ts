import { startServer } from '../../api/hosting/server.ts';
import { readConfig } from '../../api/start/config.ts';
import type { WideCheck } from './check.ts';

/** Every story in the programs of Bruno, Postman and httpYac, from the collections of a running bank. */
export const collections: WideCheck = {
  name: 'collections',
  summary: 'bru run, newman run and httpyac send: every story of /collections',
  run: async (folder) => {
    folder.write('package.json', { private: true, type: 'module' });
    await folder.fetch('@usebruno/cli@2', 'newman@6', 'httpyac@6');
    const server = await startServer(readConfig({}, ['--port', '0', '--ledger', ':memory:', '--log-level', 'silent']));
    try {
      const at = `${server.address}/collections/`;
      const files = (await (await fetch(at)).text()).split('\n');
      for (const file of files) folder.write(`collections/${file}`, await (await fetch(at + file)).text());
      await folder.run('newman', 'run', 'collections/sandbank.postman_collection.json', '--bail', '--reporters', 'cli');
      // Bruno finds a collection in the working folder.
      await folder.run('sh', '-c', 'cd collections/bruno && ../../node_modules/.bin/bru run -r --bail');
      const said = await folder.run('httpyac', 'send', 'collections/sandbank.http', '--all', '--output', 'none');
      if (!/requests processed \(\d+ succeeded\)/.test(said))
        throw new Error(`httpyac did not play every story:\n${said}`);
    } finally {
      await server.stop();
    }
  },
};
