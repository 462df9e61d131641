import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { processEnvironment } from '../../api/start/config.ts';
import type { Place } from './check.ts';

/** What `docker run` is told beside the image. */
export interface ContainerOptions {
  /** Left out: the image of the bank. */
  readonly image?: string;
  /** Replaces the CMD of the image. */
  readonly words?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** `--user UID:GID`. Left out: the user of the image. */
  readonly user?: string;
  /** Name of the volume at /data. */
  readonly volume: string;
  readonly readOnly?: boolean;
  /** Shares the network of this container. Left out: its own network, a loopback alone. */
  readonly network?: Container;
}

/** Longest time until a container is healthy, in ms. */
const startLimit = 60_000;

/** Root needs no right to raise limits for these, and no cgroups of version 2. */
const limits = ['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=1024:1024'];
const settings = ['--log-level', 'error', '--cgroup-manager', 'cgroupfs', '--runtime', 'runc'];

/** The image that the Dockerfile begins with, by its name in a registry, and the Debian release that it is made of. */
const base = 'docker.io/library/node:24-slim';
const debian = 'bookworm';

/** podman with its own images, containers and volumes, in the folder of a check: those of this machine stay as they are. */
export class Engine {
  readonly #place: Place;
  #count = 0;

  constructor(place: Place) {
    this.#place = place;
  }

  /** Runs `podman WORDS` and returns what it printed. */
  run(...words: readonly string[]): Promise<string> {
    const { folder } = this.#place;
    return this.#place.run(
      'podman',
      '--root',
      join(folder, 'store'),
      '--runroot',
      join(folder, 'run'),
      ...settings,
      ...words,
    );
  }

  /** Builds an image of a folder, with the network, the packages and the trusted authorities of this machine. */
  async build(name: string, folder: string, ...flags: readonly string[]): Promise<void> {
    const cache = await this.#npmSetting('cache');
    const authorities = (await this.#npmSetting('cafile')) || (processEnvironment()['NODE_EXTRA_CA_CERTS'] ?? '');
    const volumes = [`${cache}:/root/.npm`, `${join(this.#place.folder, 'npmrc')}:/usr/local/etc/npmrc:ro`];
    const lines = [`registry=${await this.#npmSetting('registry')}`];
    if (authorities !== '') {
      volumes.push(`${authorities}:/authorities.pem:ro`);
      lines.push('cafile=/authorities.pem');
    }
    this.#place.write('npmrc', `${lines.join('\n')}\n`);
    // OCI, the other format, has no health checks.
    const options = [
      '--format',
      'docker',
      '--isolation',
      'chroot',
      '--network',
      'host',
      '--pull=never',
      ...flags,
      '--tag',
      name,
    ];
    await this.run('build', ...options, ...volumes.flatMap((each) => ['--volume', each]), folder);
  }

  /** Builds `node:24-slim` without a registry of images: the smallest Debian, and Node and npm from the npm registry. */
  async buildBase(): Promise<void> {
    const context = this.#place.within('base');
    context.write('package.json', { private: true, allowScripts: { node: true } });
    await context.run('npm', 'install', '--no-audit', '--no-fund', 'node@24', 'npm@11');
    await context.run('debootstrap', '--variant=minbase', debian, 'root');
    cpSync(join(context.folder, 'node_modules/npm'), join(context.folder, 'root/usr/local/lib/node_modules/npm'), {
      recursive: true,
    });
    cpSync(join(context.folder, 'node_modules/node/bin/node'), join(context.folder, 'root/usr/local/bin/node'));
    const programs = ['npm', 'npx'].map(
      (each) => `ln -s ../lib/node_modules/npm/bin/${each}-cli.js /usr/local/bin/${each}`,
    );
    context.write(
      'Dockerfile',
      `FROM scratch\nCOPY root /\nRUN useradd --create-home node && ${programs.join(' && ')}\nCMD ["node"]\n`,
    );
    await this.build(base, context.folder);
    rmSync(context.folder, { recursive: true });
  }

  /** `359 MB`. */
  async sizeOf(image: string): Promise<string> {
    return (await this.run('images', '--format', '{{.Size}}', image)).trim();
  }

  /** Starts a container of the image. */
  async start(image: string, options: ContainerOptions): Promise<Container> {
    const { words = [], entrypoint, env = {}, user, volume, readOnly = false, network } = options;
    const name = `container-${(this.#count += 1)}`;
    const given = [
      ...['--name', name, '--volume', `${volume}:/data`, '--log-driver', 'k8s-file'],
      ...['--network', network === undefined ? 'none' : `container:${network.name}`],
      ...(user === undefined ? [] : ['--user', user]),
      ...(readOnly ? ['--read-only', '--read-only-tmpfs=false'] : []),
      ...(entrypoint === undefined ? [] : ['--entrypoint', JSON.stringify(entrypoint)]),
      ...Object.entries(env).flatMap(([variable, value]) => ['--env', `${variable}=${value}`]),
    ];
    await this.run('run', '--detach', ...limits, ...given, image, ...words);
    return new Container(name, this);
  }

  /** Ends all containers, and unmounts what keeps the folder from being removed. */
  async remove(): Promise<void> {
    await this.run('system', 'reset', '--force');
  }

  async #npmSetting(key: string): Promise<string> {
    const value = (await this.#place.run('npm', 'config', 'get', key)).trim().split('\n').at(-1) ?? '';
    return ['null', 'undefined'].includes(value) ? '' : value;
  }
}

export class Container {
  readonly name: string;
  readonly #engine: Engine;

  constructor(name: string, engine: Engine) {
    this.name = name;
    this.#engine = engine;
  }

  /** All that it has written to standard output and standard error. */
  printed(): Promise<string> {
    return this.#engine.run('logs', this.name);
  }

  /** What `docker exec CONTAINER WORDS` prints. */
  exec(...words: readonly string[]): Promise<string> {
    return this.#engine.run('exec', this.name, ...words);
  }

  /** Waits until the health check of the image passes. Throws after a minute. */
  async healthy(): Promise<void> {
    const limit = performance.now() + startLimit;
    for (;;) {
      const problem = await this.#engine.run('healthcheck', 'run', this.name).then(() => null, String);
      if (problem === null) return;
      if (performance.now() > limit) throw new Error(`${problem}\n${await this.printed()}`);
      await setTimeout(100);
    }
  }

  /** Waits for its end and returns the exit code. */
  async ended(): Promise<number> {
    return Number(await this.#engine.run('wait', this.name));
  }

  /** `docker stop`: SIGTERM to process 1. Returns the exit code, and the ms until the end. */
  async stop(): Promise<{ readonly code: number; readonly ms: number }> {
    const begun = performance.now();
    await this.#engine.run('stop', this.name);
    return { ms: performance.now() - begun, code: await this.ended() };
  }
}
