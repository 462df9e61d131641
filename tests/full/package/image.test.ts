import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { builtIndex, guideEntries } from '../../../api/guide/find-sections.ts';
import { builtPages, guidePages } from '../../../api/guide/guide-files.ts';
import { builtDist } from './built.ts';
import { slowness } from '../../support/cpu-time.ts';
import { freePort } from '../../support/free-port.ts';
import { pageBlocks, pagesOf } from '../../support/markdown.ts';
import { describeNotRoot, notRoot } from '../../support/not-root.ts';
import { program } from '../../support/program.ts';
import { withCurl } from '../../support/test-with.ts';

/*
 * There is no Docker engine where the tests run: they carry out what the steps of the Dockerfile and of compose.yaml run,
 * with the words that stand there.
 */
const dockerfile = readFileSync('Dockerfile', 'utf8');
const port = String(await freePort());
/** Somebody who owns nothing here, where that can be, as the user `node` owns nothing of /bank. */
const user = notRoot ?? {};
let folder: string;
let env: NodeJS.ProcessEnv;
/** What a test that failed has left running. */
const running: ChildProcess[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandbank-image-'));
  chmodSync(folder, 0o755);
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  chmodSync(temporary, 0o1777);
  // Without HOME.
  env = {
    TMPDIR: temporary,
    PATH: `${join(folder, 'bin')}:${process.env['PATH'] ?? ''}`,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: port,
    SANDBANK_LEDGER: join(folder, 'data/ledger.sqlite'),
    SANDBANK_ADDRESS_FILE: join(temporary, 'address'),
  };
  await builtDist();
  mkdirSync(join(folder, 'bin'));
  const [step = ''] = /^RUN .*sandbank\.js.*$/m.exec(dockerfile) ?? [];
  const words = step.replace('RUN ', '').replaceAll('/bank/', `${resolve('.')}/`);
  execFileSync('sh', ['-ec', words.replaceAll('/usr/local/bin', join(folder, 'bin'))]);
  mkdirSync(join(folder, 'data'));
  if (user.uid !== undefined) chownSync(join(folder, 'data'), user.uid, user.uid);
}, 120_000);
afterAll(() => {
  for (const bank of running) bank.kill();
  rmSync(folder, { recursive: true, force: true });
});

function commandOf(instruction: string): string[] {
  const found = new RegExp(`^${instruction}.*?(\\[.*\\])$`, 'm').exec(dockerfile)?.[1] ?? '[]';
  return JSON.parse(found) as string[];
}

/** What `docker run IMAGE` starts: with words of its own in the place of CMD. */
function started(words = commandOf('CMD')): readonly [program: string, args: string[]] {
  const [program = '', ...args] = [...commandOf('ENTRYPOINT'), ...words];
  return [program, args];
}

function start(more: NodeJS.ProcessEnv = {}): ChildProcess {
  const [program, args] = started();
  return spawn(program, args, { env: { ...env, ...more }, ...user, stdio: ['ignore', 'pipe', 'inherit'] });
}

/** What `docker exec CONTAINER sandbank ...` prints. */
function executed(words: readonly string[], more: NodeJS.ProcessEnv = {}): string {
  return execFileSync('sandbank', words, { env: { ...env, ...more }, ...user, encoding: 'utf8', stdio: 'pipe' });
}

/** The health check of the image; null when it says the bank is not ready. */
function healthCheck(more: NodeJS.ProcessEnv = {}): string | null {
  const [program = '', ...args] = commandOf('HEALTHCHECK');
  try {
    return execFileSync(program, args, { env: { ...env, ...more }, ...user, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return null;
  }
}

/** Until the bank answers that it is ready; the health check says so then. */
async function untilReady(): Promise<void> {
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  // The limit of the test ends it.
  while (!(await isReady())) await new Promise((resolved) => setTimeout(resolved, 20));
  // Docker asks three times, too, before it calls a container unhealthy.
  expect(healthCheck() ?? healthCheck() ?? healthCheck()).toBe('ready');
}

async function ended(bank: ChildProcess): Promise<number | null> {
  const code = new Promise<number | null>((resolved) => bank.once('exit', resolved));
  bank.kill('SIGTERM');
  return code;
}

test('the built bank starts, says six lines, is healthy, and SIGTERM ends it cleanly in under 2 s', async () => {
  expect(healthCheck()).toBeNull();
  const bank = start();
  let said = '';
  bank.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await untilReady();
  const info = await fetch(`http://127.0.0.1:${port}/sandbox/info`);
  expect(info.status).toBe(200);
  // The pages are found beside `dist`.
  expect(await (await fetch(`http://127.0.0.1:${port}/llms.txt`)).text()).toContain('](/docs/signing.md)');
  // The index of their search is in `dist`, and knows each section.
  const [sections = ''] = readFileSync(join('dist', builtIndex), 'latin1').split('\n\n');
  const places = sections.split('\n').map((line) => (JSON.parse(line) as { readonly place: string }).place);
  expect(places).toEqual((await guideEntries()).map(({ place }) => place));
  expect(JSON.parse(readFileSync(join('dist', builtPages), 'utf8'))).toEqual(await guidePages());
  const search = await fetch(`http://127.0.0.1:${port}/docs/search?q=holidays`);
  expect(await search.text()).toContain('href="tests/time#holidays"');
  const advanced = execFileSync(...started(['advance', '--runs', '1']), { env, encoding: 'utf8', stdio: 'pipe' });
  expect(advanced).toMatch(/^0 runs with work, 1 without\.\nThe bank clock went from /);
  expect(execFileSync(...started(['--help']), { env, encoding: 'utf8' })).toContain('sandbank COMMAND');
  const begun = performance.now();
  expect(await ended(bank)).toBe(0);
  expect(performance.now() - begun).toBeLessThan(2_000 * slowness());
  expect(said.trim().split('\n')).toHaveLength(6);
}, 60_000);

test('in a container the first steps, the CA and a warning say lines for the machine of the container', async () => {
  const [, SANDBANK_ADDRESS_FILE] = /^ENV SANDBANK_ADDRESS_FILE=(.*)$/m.exec(dockerfile) ?? [];
  const here = { ...env, SANDBANK_ADDRESS_FILE, SANDBANK_LEDGER: join(folder, 'data/container.sqlite') };
  const linesOf = async (date: string, more: NodeJS.ProcessEnv): Promise<string[]> => {
    const [command, args] = started(['serve', '--clock-now', date]);
    const bank = spawn(command, args, { env: { ...here, ...more }, ...user, stdio: 'pipe' });
    running.push(bank);
    let said = '';
    for (const stream of [bank.stdout, bank.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
    // The limit of the test ends it.
    while (!/(?:^CA|^Warning).*\n/m.test(said)) await new Promise((resolved) => setTimeout(resolved, 20));
    expect(await ended(bank)).toBe(0);
    return said.split('\n');
  };
  expect(await linesOf('2027-03-24', { HOSTNAME: '0123456789ab', SANDBANK_TLS: '1' })).toEqual(
    expect.arrayContaining([
      'First steps docker exec 0123456789ab sandbank demo',
      `CA          docker cp 0123456789ab:${join(folder, 'data/sandbox-ca.crt')} .`,
    ]),
  );
  // `--network host` gives a container the name of its machine.
  const [warning] = (await linesOf('2027-03-25', { HOSTNAME: 'laptop' })).filter((line) => line.startsWith('Warning'));
  expect(warning).toMatch(/Apply it: docker exec CONTAINER sandbank reset --now '2027-03-25T\S*'$/);
}, 60_000);

test('the health check follows --port and PORT, with a ledger in memory too', async () => {
  expect(dockerfile).toContain('\nENV SANDBANK_ADDRESS_FILE=/dev/shm/sandbank-address\n');
  for (const [words, more] of [
    [['serve', '--port', '0', '--ledger', ':memory:'], {}],
    [['--port=0'], { PORT: '1' }],
    [['serve'], { PORT: '0' }],
  ] satisfies [string[], NodeJS.ProcessEnv][]) {
    const [command, args] = started(words);
    const bank = spawn(command, args, { env: { ...env, ...more }, ...user, stdio: ['ignore', 'pipe', 'inherit'] });
    running.push(bank);
    await once(bank.stdout, 'data');
    expect(healthCheck(more)).toBe('ready');
    expect(await ended(bank)).toBe(0);
    expect(healthCheck(more)).toBeNull();
  }
}, 60_000);

describeNotRoot('as a user who can write to /data alone, without a home', () => {
  let bank: ChildProcess;
  beforeAll(async () => {
    bank = start();
    await untilReady();
  }, 60_000);
  afterAll(() => ended(bank));

  test('demo, pay and sign work', () => {
    expect(executed(['demo'])).toContain('The account had 18000.00 NOK and has 17750.00 NOK.');
    expect(executed(['pay', '--amount', '100'])).toMatch(/Status {5}(PDNG|ACSP)\n/);
    expect(executed(['sign', 'POST', '/v1/bank-offered-consents', '--pick', '_links.scaRedirect.href'])).toContain(
      '/sca/',
    );
    expect(existsSync(join(folder, 'data/tpp/default.key.pem'))).toBe(true);
  }, 60_000);

  test.each([
    ['where no folder can be', '/proc/nowhere/ledger.sqlite'],
    ['below a file', join(resolve('.'), 'package.json/ledger.sqlite')],
    // Only somebody else finds these folders closed.
    ...(user.uid === undefined
      ? []
      : [['whose folder is not theirs', join(resolve('.'), 'fixtures/ledger.sqlite')] as const]),
    ...(user.uid === undefined ? [] : [['in memory, in a working directory that is not theirs', ':memory:'] as const]),
  ])(
    'sign works with a ledger %s',
    (_what, ledger) => {
      const words = ['sign', 'POST', '/v1/bank-offered-consents', '--pick', '_links.scaRedirect.href'];
      expect(executed(words, { SANDBANK_LEDGER: ledger })).toContain('/sca/');
    },
    60_000,
  );
});

describe('compose.yaml', () => {
  interface Service {
    readonly environment: Record<string, string>;
    readonly volumes?: readonly string[];
    readonly entrypoint?: readonly string[];
    readonly ports?: readonly string[];
    readonly build?: string | object;
    readonly depends_on?: object;
  }
  const { services, volumes } = parse(readFileSync('compose.yaml', 'utf8')) as {
    readonly services: { readonly bank: Service; readonly shop: Service };
    readonly volumes: object;
  };
  /** As the network of compose resolves the name of the service. */
  const resolver = `import dns from 'node:dns';
const { lookup } = dns;
dns.lookup = (name, ...rest) => lookup(name === 'bank' ? '127.0.0.1' : name, ...rest);`;
  /** Starts the shop with more of its environment, and connects a customer to the bank: returns the address to which the shop sends the browser. */
  async function connectedShop(more: Readonly<Record<string, string>>): Promise<string | null> {
    const { entrypoint = [], environment } = services.shop;
    const [program = '', ...words] = entrypoint;
    const preload = `data:text/javascript,${encodeURIComponent(resolver)}`;
    // As the image has it: beside `dist`, which is the package `sandbank` there.
    const shop = spawn(program, ['--import', preload, ...words], {
      env: { PATH: env['PATH'], ...environment, ...more, PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    running.push(shop);
    const greeting = await new Promise<string>((resolved) =>
      shop.stdout.once('data', (chunk) => resolved(String(chunk))),
    );
    const [, home = ''] = /^The shop: http:\/\/localhost(:\d+)\n/.exec(greeting) ?? [];
    const connected = await fetch(`http://127.0.0.1${home}/connect`, { method: 'POST', redirect: 'manual' });
    shop.kill();
    return connected.headers.get('location');
  }

  test('the bank is built here, keeps /data, and is for this machine alone', () => {
    const { bank, shop } = services;
    expect(bank).toMatchObject({ build: '.', ports: ['127.0.0.1:7263:7263'], volumes: ['bank:/data'] });
    expect(Object.keys(volumes)).toEqual(['bank']);
    expect(shop).toMatchObject({
      // The image of the bank has no packages: not express, which the shop needs.
      build: { context: '.', target: /^FROM .* AS (\w+)$/m.exec(dockerfile)?.[1] },
      ports: ['127.0.0.1:3000:3000'],
      depends_on: { bank: { condition: 'service_healthy' } },
    });
  });

  withCurl(
    'its shop reaches http://bank, and sends a browser where it finds it; others of the network do not reach the control plane by another name',
    async () => {
      const { bank: settings, shop: client } = services;
      const bank = start(settings.environment);
      running.push(bank);
      await untilReady();
      const address = (client.environment['BANK'] ?? '').replace(':7263', `:${port}`);
      expect(address).toBe(`http://bank:${port}`);
      expect(await connectedShop({ BANK: address })).toMatch(/^http:\/\/localhost:7263\/sca\//);
      const foreign = execFileSync('curl', ['-s', '-H', 'Host: other:7263', `http://127.0.0.1:${port}/sandbox/info`], {
        encoding: 'utf8',
      });
      expect(JSON.parse(foreign)).toMatchObject({ status: 403 });
      expect(await ended(bank)).toBe(0);
    },
    60_000,
  );

  test('compose.tls.yaml: the same over HTTPS; the shop trusts the CA that it finds in the volume of the bank', async () => {
    const { services: secure } = parse(readFileSync('compose.tls.yaml', 'utf8')) as {
      readonly services: { readonly bank: Service; readonly shop: Service };
    };
    const settings = { ...services.bank.environment, ...secure.bank.environment };
    const bank = start(settings);
    running.push(bank);
    // The limit of the test ends it.
    while (healthCheck(settings) !== 'ready') await new Promise((resolved) => setTimeout(resolved, 50));
    const { BANK = '', NODE_EXTRA_CA_CERTS = '' } = secure.shop.environment;
    expect(secure.shop.volumes).toEqual([`bank:${dirname(NODE_EXTRA_CA_CERTS)}:ro`]);
    const asked = await connectedShop({
      BANK: BANK.replace(':7263', `:${port}`),
      NODE_EXTRA_CA_CERTS: join(folder, 'data', basename(NODE_EXTRA_CA_CERTS)),
    });
    expect(asked).toMatch(/^https:\/\/localhost:7263\/sca\//);
    expect(await ended(bank)).toBe(0);
  }, 60_000);
});

test('the image begins with a Node of a known digest, which a workflow renews', () => {
  expect(dockerfile).toMatch(/^ARG NODE_IMAGE=node:24-slim@sha256:[\da-f]{64}$/m);
  expect(dockerfile.match(/^FROM \S+/gm)).toEqual(['FROM ${NODE_IMAGE}', 'FROM ${NODE_IMAGE}']);
  const workflow = readFileSync('.github/workflows/base-image.yml', 'utf8');
  expect(parse(workflow)).toMatchObject({ on: { schedule: [{ cron: expect.any(String) }] } });
  const [, from = '', to = ''] = /sed -i "s\/(.*?)\/(.*?)\$digest\//.exec(workflow) ?? [];
  expect(dockerfile.replace(new RegExp(from, 'gm'), `${to}sha256:${'0'.repeat(64)}`)).toContain(
    `ARG NODE_IMAGE=node:24-slim@sha256:${'0'.repeat(64)}\nFROM`,
  );
});

describe('docs/running.md and the pages of its folder', () => {
  interface Service {
    readonly image?: string;
    readonly name?: string;
    readonly ports?: readonly string[];
    readonly volumes?: readonly string[];
    readonly environment?: Record<string, string>;
    readonly env?: Record<string, string>;
  }
  interface Job {
    readonly services?: Readonly<Record<string, Service>> | readonly Service[];
    readonly env?: Record<string, string>;
    readonly variables?: Record<string, string>;
    readonly steps?: readonly { readonly run?: string }[];
    readonly script?: readonly string[];
  }
  const paths = pagesOf('running');
  const page = paths.map((path) => readFileSync(path, 'utf8')).join('\n');
  const documents = paths
    .flatMap((path) => pageBlocks(path))
    .filter(({ language }) => language === 'yaml')
    .map(
      ({ section, text }) =>
        [section, parse(text) as Job & { readonly jobs?: Record<string, Job>; test?: Job }] as const,
    );
  const written = documents.map(([section, document]) => ({
    section,
    job: document.jobs?.['test'] ?? document.test ?? document,
  }));
  const jobs = written.flatMap(({ section, job }) => {
    if (job.services === undefined) return [];
    const [service = {}] = Object.values(job.services);
    const settings = { ...service.environment, ...service.env, ...job.variables };
    const lines = job.script ?? job.steps?.flatMap(({ run = [] }) => run) ?? [];
    return { section, service, settings, address: job.env?.['BANK'] ?? job.variables?.['BANK'] ?? '', lines };
  });
  const { version, repository } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly version: string;
    readonly repository: { readonly url: string };
  };

  test('each image is that of this version, in the registry that the release pushes to', () => {
    const [, name] = /github\.com\/(.*)\.git$/.exec(repository.url) ?? [];
    expect(readFileSync('.github/workflows/release.yml', 'utf8')).toContain('images: ghcr.io/${{ github.repository }}');
    const images = [...page.matchAll(/ghcr\.io\/[^\s'"`]+/g)].map(([image]) => image);
    expect(images.length).toBeGreaterThan(3);
    expect(new Set(images)).toEqual(new Set([`ghcr.io/${name}:${version}`]));
    expect(jobs.map(({ service }) => service.image ?? service.name)).toEqual(jobs.map(() => images[0]));
  });

  test('ports and volumes are those of the Dockerfile, and each setting is one that there is', () => {
    expect(jobs.map(({ section }) => section)).toEqual(['compose', 'GitHub Actions', 'GitLab']);
    const [, exposed] = /^EXPOSE (\d+)$/m.exec(dockerfile) ?? [];
    const [, volume] = /^VOLUME (\S+)$/m.exec(dockerfile) ?? [];
    for (const { service, settings, address } of jobs) {
      const { BANK: _, ...own } = settings;
      expect((service.ports ?? []).filter((each) => !each.endsWith(`:${exposed}`))).toEqual([]);
      const mounted = (service.volumes ?? []).map((each) => each.split(':')[1]);
      expect(mounted.filter((path) => path !== volume && path !== own['SANDBANK_FIXTURES'])).toEqual([]);
      expect(Object.keys(own).filter((name) => !page.includes(`| \`${name}\` `))).toEqual([]);
      if (address !== '') expect(new URL(address).port).toBe(exposed);
    }
  });

  withCurl.each(jobs.filter(({ address }) => address !== ''))(
    'the service of $section starts with its settings, and the lines that ask it reach it',
    async ({ settings, address, lines }) => {
      const bank = start(settings);
      running.push(bank);
      const home = mkdtempSync(join(folder, 'home-'));
      writeFileSync(join(home, '.curlrc'), `connect-to = "${new URL(address).host}:127.0.0.1:${port}"\n`);
      const asked = lines.filter((line) => line.includes('$BANK'));
      expect(asked.length).toBeGreaterThan(0);
      await untilReady();
      for (const line of asked) {
        const shell = { env: { ...process.env, CURL_HOME: home, BANK: address }, encoding: 'utf8' } as const;
        expect(JSON.parse(execFileSync('sh', ['-ec', line], shell))).toMatchObject({});
      }
      const info = (await (await fetch(`http://127.0.0.1:${port}/sandbox/clock`)).json()) as object;
      expect(info).toMatchObject({ now: '2027-03-24T12:00:00.000+01:00', mode: 'frozen' });
      expect(await ended(bank)).toBe(0);
    },
    60_000,
  );

  test('the job without Docker starts a bank, waits for it and resets it', () => {
    const [job] = written.filter(({ section }) => section === 'Without Docker');
    const steps = job?.job.steps?.flatMap(({ run = [] }) => run) ?? [];
    const own = steps.filter((step) => step.includes('npx --no sandbank'));
    expect(own).toHaveLength(2);
    const lines = own.join('\n').replaceAll('npx --no sandbank', `'${process.execPath}' '${program}'`);
    const env = { PATH: process.env['PATH'], PORT: port, BANK: `http://127.0.0.1:${port}` };
    // The next test starts a bank on this port.
    const whole = `trap 'kill $!; wait $!' EXIT\n${lines}`;
    const said = execFileSync('sh', ['-ec', whole], { cwd: folder, env, encoding: 'utf8' });
    expect(said).toContain(`The bank at http://127.0.0.1:${port} is back to its known state`);
  }, 60_000);

  test('a copy of the ledger of a stopped server goes on in another', async () => {
    const ledger = join(folder, 'data/kept.sqlite');
    const first = start({ SANDBANK_LEDGER: ledger });
    running.push(first);
    await untilReady();
    executed(['pay', '--amount', '77']);
    expect(await ended(first)).toBe(0);
    const copy = join(folder, 'data/copy.sqlite');
    cpSync(ledger, copy);
    if (user.uid !== undefined) chownSync(copy, user.uid, user.uid);
    const second = start({ SANDBANK_LEDGER: copy });
    running.push(second);
    await untilReady();
    expect(await (await fetch(`http://127.0.0.1:${port}/sandbox/payments`)).text()).toContain('"77.00"');
    expect(await ended(second)).toBe(0);
  }, 60_000);
});

test('what the image copies is there, the docs with it', () => {
  const ignored = readFileSync('.dockerignore', 'utf8').split('\n');
  const copied = [...dockerfile.matchAll(/^COPY --from=build (.*) \S+$/gm)].flatMap(([, words = '']) =>
    words.split(' '),
  );
  expect(copied).toEqual(expect.arrayContaining(['/bank/docs', '/bank/README.md', '/bank/dist']));
  const sources = copied.map((path) => path.replace('/bank/', ''));
  expect(sources.filter((path) => path !== 'dist' && path !== 'node_modules' && ignored.includes(path))).toEqual([]);
  expect(sources.filter((path) => !existsSync(path))).toEqual([]);
});

test.each([
  [
    'node_modules/sandbank/dist/scripts',
    [],
    /^Sandbank needs Node 22\.15, or 24 or newer, and runs on v20\.20\.2\. .*node@24/,
  ],
  ['scripts', [], /^A clone of Sandbank runs on the Node that npm ci brings, not on v20\.20\.2\. npm ci is the line/],
  ['scripts', ['package.json', 'bin/node'], /not on v20\.20\.2\. npm scripts run on it: npm start/],
  [
    'scripts',
    ['package.json'],
    /node_modules\/node has no Node, because its install script did not run\. .*: npm rebuild node$/,
  ],
])(
  'the program and the tests say in one line which Node they need, and how to get it: in %s, with %j of the package node',
  (where, brought, line) => {
    const clone = mkdtempSync(join(folder, 'older-'));
    for (const path of [`${where}/sandbank.js`, 'package.json', ...brought.map((name) => `node_modules/node/${name}`)])
      mkdirSync(dirname(join(clone, path)), { recursive: true });
    for (const name of brought) writeFileSync(join(clone, 'node_modules/node', name), '{}');
    writeFileSync(join(clone, 'package.json'), '{ "type": "module" }');
    const asOldNode = readFileSync('scripts/sandbank.js', 'utf8')
      .replace('process.versions.node', "'20.20.2'")
      .replaceAll('process.version}', "'v20.20.2'}");
    writeFileSync(join(clone, where, 'sandbank.js'), asOldNode);
    const run = readFileSync('tests/run.js', 'utf8').replace('module.registerHooks', 'undefined');
    writeFileSync(join(clone, 'run.js'), run);
    for (const path of [join(where, 'sandbank.js'), ...(where === 'scripts' ? ['run.js'] : [])]) {
      const { status, stderr } = spawnSync('node', [path], { cwd: clone, env, encoding: 'utf8' });
      expect(status).toBe(1);
      expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(line)]);
    }
  },
);
