import { existsSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { processEnvironment } from '../../api/start/config.ts';
import { slowness } from '../support/cpu-time.ts';
import { clone, type Place, requireText, timed, type WideCheck } from './check.ts';

const image = 'localhost/sandbank';
const shopImage = 'localhost/shop';
/** The image that the Dockerfile begins with, by its name in a registry, and the Debian release that it is made of. */
const base = 'docker.io/library/node:24-slim';
const debian = 'bookworm';

/** Programs that build an image and run containers of it. */
const needed = ['podman', 'runc', 'debootstrap'];
/** Longest time until a container is healthy, and from SIGTERM to its end, in ms. */
const [startLimit, stopLimit] = [60_000, 2_000];

/** The Dockerfile, built by podman on a `node:24-slim` that is made here, and containers of it. It needs no registry of images. */
export const dockerImage: WideCheck = {
  name: 'image',
  summary: `the Docker image: built, run as each user, read-only, stopped (Linux, root, ${needed.join(', ')})`,
  missing: () => {
    if (process.getuid?.() !== 0) return 'it needs root';
    const folders = (processEnvironment()['PATH'] ?? '').split(delimiter);
    const absent = needed.filter((program) => !folders.some((folder) => existsSync(join(folder, program))));
    return absent.length === 0 ? null : `${absent.join(', ')} not found (apt-get install ${needed.join(' ')})`;
  },
  run: async (place) => {
    const podman = podmanIn(place);
    let count = 0;
    const start: Start = async (volume, { from = image, flags = [], words = [] } = {}) => {
      const name = `container-${(count += 1)}`;
      const given = ['--name', name, '--volume', `${volume}:/data`, '--log-driver', 'k8s-file'];
      // A network of its own is a loopback alone.
      const network = flags.includes('--network') ? [] : ['--network', 'none'];
      await podman('run', '--detach', ...limits, ...given, ...network, ...flags, from, ...words);
      return new Container(name, podman);
    };
    try {
      await timed('node:24-slim', () => buildBase(place, podman));
      const onBase = ['--build-arg', `NODE_IMAGE=${base}`];
      await timed('docker build', () => build(place, podman, image, clone, ...onBase));
      await timed('size', () => measureSize(place, podman));
      await timed('docker build, shop', () => build(place, podman, shopImage, clone, '--target', 'build', ...onBase));
      for (const [what, story] of stories) await timed(what, () => story(start));
    } finally {
      // Ends all containers, and unmounts what keeps the folder from being removed.
      await podman('system', 'reset', '--force');
    }
  },
};

/** Runs `podman WORDS`, and returns what it printed. */
type Podman = (...words: readonly string[]) => Promise<string>;

/** podman with its own images, containers and volumes, in the folder of a check: those of this machine stay as they are. */
function podmanIn(place: Place): Podman {
  const own = ['--root', join(place.folder, 'store'), '--runroot', join(place.folder, 'run')];
  // Root needs no cgroups of version 2 for these.
  const settings = ['--log-level', 'error', '--cgroup-manager', 'cgroupfs', '--runtime', 'runc'];
  return (...words) => place.run('podman', ...own, ...settings, ...words);
}

/** Root needs no right to raise limits for these. */
const limits = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1024:1024'];

/** Builds an image of a folder, with the network, the packages and the trusted authorities of this machine. */
async function build(place: Place, podman: Podman, name: string, folder: string, ...flags: readonly string[]) {
  const setting = async (key: string): Promise<string> => {
    const value = (await place.run('npm', 'config', 'get', key)).trim().split('\n').at(-1) ?? '';
    return ['null', 'undefined'].includes(value) ? '' : value;
  };
  const authorities = (await setting('cafile')) || (processEnvironment()['NODE_EXTRA_CA_CERTS'] ?? '');
  const volumes = [`${await setting('cache')}:/root/.npm`, `${join(place.folder, 'npmrc')}:/usr/local/etc/npmrc:ro`];
  const lines = [`registry=${await setting('registry')}`];
  if (authorities !== '') {
    volumes.push(`${authorities}:/authorities.pem:ro`);
    lines.push('cafile=/authorities.pem');
  }
  place.write('npmrc', `${lines.join('\n')}\n`);
  // OCI, the other format, has no health checks.
  const options = ['--format', 'docker', '--isolation', 'chroot', '--network', 'host', '--pull=never', '--tag', name];
  await podman('build', ...options, ...flags, ...volumes.flatMap((each) => ['--volume', each]), folder);
}

/** Builds `node:24-slim` without a registry of images: the smallest Debian, and Node and npm from the npm registry. */
async function buildBase(place: Place, podman: Podman): Promise<void> {
  const context = place.within('base');
  context.write('package.json', { private: true, allowScripts: { node: true } });
  await context.fetch('node@24', 'npm@11');
  await context.run('debootstrap', '--variant=minbase', debian, 'root');
  const modules = '/usr/local/lib/node_modules/npm';
  const programs = ['npm', 'npx'].map((each) => `ln -s ${modules}/bin/${each}-cli.js /usr/local/bin/${each}`);
  const steps = [
    ...['FROM scratch', 'COPY root /', `COPY node_modules/npm ${modules}`],
    ...['COPY node_modules/node/bin/node /usr/local/bin/node', 'CMD ["node"]'],
    `RUN useradd --create-home node && ${programs.join(' && ')}`,
  ];
  context.write('Dockerfile', `${steps.join('\n')}\n`);
  await build(place, podman, base, context.folder);
  rmSync(context.folder, { recursive: true });
}

/** Largest size of the layers above the base, compressed as a registry keeps them, in bytes. */
const sizeLimit = 5_000_000;

/** Prints the size of the layers of the image that its base does not have, compressed. Throws when they are too large. */
async function measureSize(place: Place, podman: Podman): Promise<void> {
  const pushed = async (name: string): Promise<readonly Layer[]> => {
    const to = join(place.folder, 'pushed');
    await podman('push', '--quiet', '--compress', name, `dir:${to}`);
    const { layers } = JSON.parse(readFileSync(join(to, 'manifest.json'), 'utf8')) as { layers: readonly Layer[] };
    rmSync(to, { recursive: true });
    return layers;
  };
  const below = (await pushed(base)).length;
  const sizes = (await pushed(image)).slice(below).map(({ size }) => size);
  const size = sizes.reduce((sum, each) => sum + each, 0);
  const told = `${megabytes(size)} compressed beyond its base: ${sizes.map(megabytes).join(', ')}`;
  console.log(`  the image is ${told}`);
  if (size > sizeLimit) throw new Error(`the image is to be at most ${megabytes(sizeLimit)}, and is ${told}`);
}

interface Layer {
  readonly size: number;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

class Container {
  readonly name: string;
  readonly #podman: Podman;

  constructor(name: string, podman: Podman) {
    this.name = name;
    this.#podman = podman;
  }

  /** All that it has written to standard output and standard error. */
  printed(): Promise<string> {
    return this.#podman('logs', this.name);
  }

  /** What `docker exec CONTAINER WORDS` prints. */
  exec(...words: readonly string[]): Promise<string> {
    return this.#podman('exec', this.name, ...words);
  }

  /** Status and body of a GET inside the container. */
  answer(address: string): Promise<string> {
    return this.exec(
      'node',
      '-e',
      `fetch('${address}').then(async (got) => console.log(got.status, await got.text()))`,
    );
  }

  /** Waits until the health check of the image passes. Throws after a minute. */
  async healthy(): Promise<this> {
    const limit = performance.now() + startLimit;
    for (;;) {
      const problem = await this.#podman('healthcheck', 'run', this.name).then(() => null, String);
      if (problem === null) return this;
      if (performance.now() > limit) throw new Error(`${problem}\n${await this.printed()}`);
      await setTimeout(100);
    }
  }

  /** Waits for its end and returns the exit code. */
  async ended(): Promise<number> {
    return Number(await this.#podman('wait', this.name));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }

  /** `docker stop`: SIGTERM to process 1 ends it soon, with exit code 0. */
  async stop(): Promise<void> {
    const begun = performance.now();
    await this.#podman('stop', this.name);
    const [ms, code] = [performance.now() - begun, await this.ended()];
    if (code === 0 && ms < stopLimit) return;
    throw new Error(`SIGTERM ended it in ${Math.round(ms)} ms with exit code ${code}:\n${await this.printed()}`);
  }
}

/** Starts a container with this volume at /data: of the image of the bank or another one, with flags of `docker run`, and words in place of its CMD. */
type Start = (
  volume: string,
  more?: { readonly from?: string; readonly flags?: readonly string[]; readonly words?: readonly string[] },
) => Promise<Container>;

/** Shares the network of a container. */
const beside = ({ name }: Container) => ['--network', `container:${name}`];

/** What is done with containers of the image, in order; each throws when it does not work. */
const stories: readonly (readonly [what: string, story: (start: Start) => Promise<void>])[] = [
  ['start', measureStart],
  ['as node', asNode],
  ['read-only', readOnly],
  ['another user', anotherUser],
  ['PORT and --port', ports],
  ['compose', compose],
];

/** Longest processor time from `docker run` to ready, on an idle machine, in seconds. */
const startSeconds = 0.5;

/** Prints the time from `docker run` to healthy, and the processor time of the bank until then. Throws when that is too long. */
async function measureStart(start: Start): Promise<void> {
  const begun = performance.now();
  const bank = await (await start('measured')).healthy();
  const ms = Math.round(performance.now() - begun);
  // After the name: utime, stime, cutime and cstime of proc(5), in hundredths of a second.
  const [, fields = ''] = /\) (.*)/.exec(await bank.exec('cat', '/proc/1/stat')) ?? [];
  const seconds =
    fields
      .split(' ')
      .slice(11, 15)
      .map(Number)
      .reduce((sum, each) => sum + each, 0) / 100;
  console.log(`  healthy ${ms} ms after docker run, ${seconds} s of processor time`);
  const printed = await bank.printed();
  console.log(printed.replaceAll(/^/gm, '  > ').trimEnd());
  requireText('the log until then', printed, /^(?:.*\n){1,10}$/);
  const [id = ''] = (await bank.exec('hostname')).split('\n');
  requireText('the log', printed, new RegExp(`^First steps docker exec ${id} sandbank demo$`, 'm'));
  await bank.stop();
  const limit = startSeconds * slowness();
  if (seconds > limit) throw new Error(`the start took ${seconds} s of processor time, more than ${limit} s`);
}

/** Without any option it is healthy and does its work, and its volume outlives it. */
async function asNode(start: Start): Promise<void> {
  const bank = await (await start('usual')).healthy();
  requireText('the user', await bank.exec('id', '-un'), /^node\n$/);
  requireText('process 1', await bank.exec('cat', '/proc/1/cmdline'), /^node\0.*sandbank\0serve\0$/);
  // A published port leads to another address of the container than 127.0.0.1.
  requireText('from outside', await bank.answer('http://127.0.0.2:7263/health'), /^200 /);
  requireText('the guide', await bank.answer('http://127.0.0.1:7263/llms.txt'), /^200 [^]*\]\(\/docs\/signing\.md\)/);
  requireText('packages', await failure(bank.exec('ls', '/bank/node_modules')), /No such file/);
  await work(bank);
  requireText('pay', await bank.exec('sandbank', 'pay', '--amount', '123.45'), /Status {5}(PDNG|ACSP)\n/);
  const other = await start('beside', { flags: beside(bank), words: ['advance', '--runs', '1'] });
  const code = await other.ended();
  requireText(
    'a command in a container beside it',
    `${code} ${await other.printed()}`,
    /^0 [^]*The bank clock went from /,
  );
  await bank.stop();

  await using again = await (await start('usual')).healthy();
  requireText('the payments after a restart', await again.answer(payments), /123\.45/);
  await again.exec('sandbank', 'reset');
  requireText('the payments after a reset', await again.answer(payments), /^200 (?![^]*123\.45)/);
}

/** Nothing but /data can be written, not even /tmp. */
async function readOnly(start: Start): Promise<void> {
  const bank = await (await start('read-only', { flags: ['--read-only', '--read-only-tmpfs=false'] })).healthy();
  for (const folder of ['/tmp', '/bank', '/home/node'])
    requireText(`writing to ${folder}`, await failure(bank.exec('touch', `${folder}/x`)), /Read-only file system/);
  await workAndStop(bank);
}

/** A user that the image does not know, with a new volume; and with one that is another user's. */
async function anotherUser(start: Start): Promise<void> {
  const bank = await (await start('another-user', { flags: ['--user', '12345:12345'] })).healthy();
  requireText('the user', await bank.exec('id', '-u'), /^12345\n$/);
  await workAndStop(bank);

  const refused = await start('another-user', { flags: ['--user', '54321:54321'] });
  const code = await refused.ended();
  const printed = `${code} ${await refused.printed()}`;
  requireText(
    'the refusal of a ledger of another user, in one line',
    printed,
    /^[1-9]\d* .*\/data\/ledger\.sqlite.*\n*$/,
  );
}

/** The health check and the commands follow the port, wherever it is set. */
async function ports(start: Start): Promise<void> {
  const settings = [
    { flags: ['--env', 'PORT=9001'], port: 9001 },
    { words: ['serve', '--port', '9002'], port: 9002 },
    { flags: ['--env', 'PORT=9001'], words: ['serve', '--port', '9003'], port: 9003 },
  ];
  for (const { port, ...given } of settings) {
    await using bank = await (await start(`port-${port}`, given)).healthy();
    requireText(`port ${port}`, await bank.answer(`http://127.0.0.1:${port}/ready`), /^200 /);
    requireText(`port ${port}: reset`, await failure(bank.exec('sandbank', 'reset')), /^$/);
  }
}

/** The shop of compose.yaml starts in a container beside the bank. */
async function compose(start: Start): Promise<void> {
  await using bank = await (await start('compose', { flags: ['--env', 'SANDBANK_ALLOWED_HOSTS=bank'] })).healthy();
  const entrypoint = ['--entrypoint', JSON.stringify(['node', 'examples/shop/shop.ts'])];
  const settings = ['--env', 'BANK=http://127.0.0.1:7263', '--env', 'HOST=0.0.0.0'];
  await using shop = await start('shop', { from: shopImage, flags: [...beside(bank), ...entrypoint, ...settings] });
  for (let attempt = 0; !(await shop.printed()).includes('The shop: http://localhost:3000'); attempt += 1) {
    if (attempt === 100) throw new Error(`The shop does not start:\n${await shop.printed()}`);
    await setTimeout(100);
  }
  requireText('the shop', await bank.answer('http://127.0.0.2:3000/'), /^200 [^]*<html/);
}

const payments = 'http://127.0.0.1:7263/sandbox/payments';

/** What the guide does with a running container. */
async function work(bank: Container): Promise<void> {
  requireText('demo', await bank.exec('sandbank', 'demo'), /The account had 18000\.00 NOK and has 17750\.00 NOK\./);
  const words = ['POST', '/v1/bank-offered-consents', '--pick', '_links.scaRedirect.href'];
  requireText('sign', await bank.exec('sandbank', 'sign', ...words), /\/sca\//);
  requireText('advance', await bank.exec('sandbank', 'advance', '--runs', '1'), /The bank clock went from /);
}

async function workAndStop(bank: Container): Promise<void> {
  await work(bank);
  await bank.exec('sandbank', 'reset');
  await bank.stop();
}

/** What a program says that fails; empty when it does not. */
async function failure(run: Promise<string>): Promise<string> {
  return run.then(() => '', String);
}
