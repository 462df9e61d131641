import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { processEnvironment } from '../../api/start/config.ts';
import type { WideCheck } from './check.ts';
import { type Container, type ContainerOptions, Engine } from './engine.ts';
import { timed } from './timed.ts';

const image = 'localhost/sandbank';
const shopImage = 'localhost/shop';

/** Programs that build an image and run containers of it. */
const needed = ['podman', 'runc', 'debootstrap'];

/** The Dockerfile, built by podman on a `node:24-slim` that is made here, and containers of it. It needs no registry of images. */
export const dockerImage: WideCheck = {
  name: 'image',
  summary: `the Docker image: built, run as each user, read-only, stopped (Linux, root, ${needed.join(', ')})`,
  missing: () => {
    if (process.getuid?.() !== 0) return 'it needs root';
    const absent = needed.filter((program) => !isOnPath(program));
    return absent.length === 0 ? null : `${absent.join(', ')} not found (apt-get install ${needed.join(' ')})`;
  },
  run: async (place) => {
    const engine = new Engine(place);
    try {
      await timed('node:24-slim', () => engine.buildBase());
      await timed('docker build', () => engine.build(image, place.clone));
      console.log(`  image size ${await engine.sizeOf(image)}, on a base of ${await engine.sizeOf('node:24-slim')}`);
      await timed('docker build, shop', () => engine.build(shopImage, place.clone, '--target', 'build'));
      const start: Start = (options) => engine.start(options.image ?? image, options);
      for (const [what, story] of stories) await timed(what, () => story(start));
    } finally {
      await engine.remove();
    }
  },
};

function isOnPath(program: string): boolean {
  return (processEnvironment()['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
}

type Start = (options: ContainerOptions) => Promise<Container>;

/** Longest time from SIGTERM to the end, in ms. */
const stopLimit = 2_000;

/** What is done with containers of the image, in order; each throws when it does not work. */
const stories: readonly (readonly [what: string, story: (start: Start) => Promise<void>])[] = [
  ['as node', asNode],
  ['read-only', readOnly],
  ['another user', anotherUser],
  ['PORT and --port', ports],
  ['compose', compose],
];

/** Without any option it is healthy and does its work, and its volume outlives it. */
async function asNode(start: Start): Promise<void> {
  const bank = await start({ volume: 'usual' });
  await bank.healthy();
  expectText('the user', await bank.exec('id', '-un'), /^node\n$/);
  expectText('process 1', await bank.exec('cat', '/proc/1/cmdline'), /^node\0.*sandbank\0serve\0$/);
  // A published port leads to another address of the container than 127.0.0.1.
  expectText('from outside', await answer(bank, 'http://127.0.0.2:8080/health'), /^200 /);
  expectText('the guide', await answer(bank, 'http://127.0.0.1:8080/llms.txt'), /^200 [^]*\]\(\/docs\/signing\.md\)/);
  expectText('packages', await failure(bank.exec('ls', '/bank/node_modules')), /No such file/);
  await work(bank);
  expectText('pay', await bank.exec('sandbank', 'pay', '--amount', '123.45'), /Status {5}(PDNG|ACSP)\n/);
  const beside = await start({ volume: 'beside', network: bank, words: ['advance', '--runs', '1'] });
  if ((await beside.ended()) !== 0)
    throw new Error(`A command in a container beside it failed:\n${await beside.printed()}`);
  expectText('a command in a container beside it', await beside.printed(), /The bank clock went from /);
  await stop(bank);

  const again = await start({ volume: 'usual' });
  await again.healthy();
  expectText('the payments after a restart', await answer(again, payments), /123\.45/);
  await again.exec('sandbank', 'reset');
  expectText('the payments after a reset', await answer(again, payments), /^200 (?![^]*123\.45)/);
  await stop(again);
}

/** Nothing but /data can be written, not even /tmp. */
async function readOnly(start: Start): Promise<void> {
  const bank = await start({ volume: 'read-only', readOnly: true });
  await bank.healthy();
  for (const folder of ['/tmp', '/bank', '/home/node']) {
    expectText(`writing to ${folder}`, await failure(bank.exec('touch', `${folder}/x`)), /Read-only file system/);
  }
  await work(bank);
  await bank.exec('sandbank', 'reset');
  await stop(bank);
}

/** A user that the image does not know, with a new volume; and with one that is another user's. */
async function anotherUser(start: Start): Promise<void> {
  const bank = await start({ volume: 'another-user', user: '12345:12345' });
  await bank.healthy();
  expectText('the user', await bank.exec('id', '-u'), /^12345\n$/);
  await work(bank);
  await bank.exec('sandbank', 'reset');
  await stop(bank);

  const refused = await start({ volume: 'another-user', user: '54321:54321' });
  const code = await refused.ended();
  const printed = await refused.printed();
  const lines = printed.trim().split('\n');
  if (code === 0 || lines.length !== 1)
    throw new Error(`The ledger of another user is not refused:\n${lines.join('\n')}`);
  expectText('the refusal of a ledger of another user', printed, /\/data\/ledger\.sqlite/);
}

/** The health check and the commands follow the port, wherever it is set. */
async function ports(start: Start): Promise<void> {
  const settings = [
    { env: { PORT: '9001' }, port: 9001 },
    { words: ['serve', '--port', '9002'], port: 9002 },
    { env: { PORT: '9001' }, words: ['serve', '--port', '9003'], port: 9003 },
  ];
  for (const { port, ...given } of settings) {
    const bank = await start({ volume: `port-${port}`, ...given });
    await bank.healthy();
    expectText(`port ${port}`, await answer(bank, `http://127.0.0.1:${port}/ready`), /^200 /);
    expectText(`port ${port}: reset`, await failure(bank.exec('sandbank', 'reset')), /^$/);
    await stop(bank);
  }
}

/** The shop of compose.yaml starts in a container beside the bank. */
async function compose(start: Start): Promise<void> {
  const bank = await start({ volume: 'compose', env: { SANDBANK_ALLOWED_HOSTS: 'bank' } });
  await bank.healthy();
  const shop = await start({
    image: shopImage,
    volume: 'shop',
    network: bank,
    entrypoint: ['node', 'examples/shop/shop.ts'],
    words: [],
    env: { BANK: 'http://127.0.0.1:8080', HOST: '0.0.0.0' },
  });
  for (let attempt = 0; !(await shop.printed()).includes('The shop: http://localhost:3000'); attempt += 1) {
    if (attempt === 100) throw new Error(`The shop does not start:\n${await shop.printed()}`);
    // Also a pause.
    await bank.exec('sleep', '0.1');
  }
  expectText('the shop', await answer(bank, 'http://127.0.0.2:3000/'), /^200 [^]*<html/);
  await stop(shop);
  await stop(bank);
}

const payments = 'http://127.0.0.1:8080/sandbox/payments';

/** What the guide does with a running container. */
async function work(bank: Container): Promise<void> {
  expectText('demo', await bank.exec('sandbank', 'demo'), /The account had 18000\.00 NOK and has 17750\.00 NOK\./);
  const words = ['POST', '/v1/bank-offered-consents', '--pick', '_links.scaRedirect.href'];
  expectText('sign', await bank.exec('sandbank', 'sign', ...words), /\/sca\//);
  expectText('advance', await bank.exec('sandbank', 'advance', '--runs', '1'), /The bank clock went from /);
}

/** Status and body of a GET inside the container. */
function answer(bank: Container, address: string): Promise<string> {
  return bank.exec('node', '-e', `fetch('${address}').then(async (got) => console.log(got.status, await got.text()))`);
}

/** What a program says that fails; empty when it does not. */
async function failure(run: Promise<string>): Promise<string> {
  return run.then(
    () => '',
    (error: unknown) => String(error),
  );
}

async function stop(container: Container): Promise<void> {
  const { code, ms } = await container.stop();
  if (code === 0 && ms < stopLimit) return;
  throw new Error(`SIGTERM ended it in ${Math.round(ms)} ms with exit code ${code}:\n${await container.printed()}`);
}

function expectText(what: string, text: string, pattern: RegExp): void {
  if (!pattern.test(text)) throw new Error(`${what}: ${pattern} is not in\n${text}`);
}
