import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { clone, requireText, type WideCheck } from './check.ts';

/** Starts a bank with `--tls` and the shop beside it, as two programs. A customer connects, buys and reads the account. Prints where the bank's page was, and what the account page says. */
const program = `import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connectBank } from 'sandbank';

const children = [];
function started(pattern, program, ...args) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  let said = '';
  return new Promise((resolve, reject) => {
    child.on('exit', () => reject(new Error(program + ' ended: ' + said)));
    child.stdout.on('data', (chunk) => {
      said += chunk;
      const [, address] = pattern.exec(said) ?? [];
      if (address !== undefined) resolve(address);
    });
  });
}

try {
  const clock = ['--clock-mode', 'frozen', '--clock-now', '2027-03-24T12:00:00+01:00'];
  const serve = ['serve', '--tls', '--port', '0', '--ledger', 'data/ledger.sqlite', ...clock];
  const address = await started(/^Sandbank +(https:\\S+)\\n/m, 'sandbank', ...serve);
  const trusted = 'data/sandbox-ca.crt';
  const settings = ['BANK=' + address, 'PORT=0', 'NODE_EXTRA_CA_CERTS=' + trusted];
  const shop = await started(/^The shop: (\\S+)\\n/m, 'env', ...settings, 'node', 'shop.ts');
  const bank = await connectBank(address, { ca: readFileSync(trusted, 'utf8') });
  const nora = bank.psu('13039319955');
  let cookie = '';
  const go = async (path, form) => {
    const sent = form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) };
    const answer = await fetch(new URL(path, shop), { ...sent, headers: { cookie }, redirect: 'manual' });
    cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? cookie;
    return { text: await answer.text(), sentTo: answer.headers.get('location') ?? '' };
  };
  const consent = await go('/connect', {});
  console.log('consent at ' + consent.sentTo);
  await go(await nora.approve(consent.sentTo));
  const order = await go('/orders', { id: '4eba4445-1a4b-47b8-bdd5-4e56ef026b19', item: 'bag', account: '09232911044' });
  console.log('approval at ' + order.sentTo);
  await go(await nora.approve(order.sentTo));
  await bank.clock.advance({ runs: 1 });
  const { text } = await go('/account');
  console.log(text.split('<main>')[1].replaceAll(/<[^>]*>/g, ' ').replaceAll(/\\s+/g, ' '));
} finally {
  for (const child of children) child.removeAllListeners('exit').kill();
}
`;

/** The example shop as its README copies it elsewhere, against a bank that speaks HTTPS. It trusts the bank as docs/signing.md says. */
export const shop: WideCheck = {
  name: 'shop',
  summary: 'the example shop in a project of its own, against a bank with --tls',
  run: async (place) => {
    cpSync(join(clone, 'examples/shop'), place.folder, { recursive: true });
    place.write('package.json', { private: true, type: 'module' });
    await place.install('express@5');
    place.write('buy.js', program);
    const said = await place.run('node', 'buy.js');
    requireText('the consent', said, /consent at https:\/\/[\w.]+:\d+\/sca\//);
    requireText('the approval', said, /approval at https:\/\/[\w.]+:\d+\/sca\//);
    requireText('the account', said, /17 871\.00 available .* Fjord Coffee pending NOK −129\.00/);
  },
};
