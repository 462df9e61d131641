import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Place } from '../check.ts';
import type { ImageConfig, ImageStore } from './image-store.ts';

/** What `docker run` is told beside the image. */
export interface ContainerOptions {
  /** In place of the CMD of the image. */
  readonly words?: readonly string[];
  readonly entrypoint?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** `--user UID:GID`. Left out: the user of the image. */
  readonly user?: string;
  /** Name of the volume at /data; a new one begins as a copy of what the image has there. */
  readonly volume: string;
  /** `--read-only`. */
  readonly readOnly?: boolean;
  /** `--network container:OTHER`. Left out: a network of its own. */
  readonly network?: Container;
}

/** Longest time until a container is healthy, in ms. */
const startLimit = 60_000;

/*
 * Mounts, processes and network as Docker has them: a root of its own, the program as process 1, a loopback alone. The Debian that has buildah has
 * unshare and nsenter too. $1 root, $2 volume, $3 "ro" or "rw", $4 UID:GID, $5 working directory, $6 "own" or "joined" network; then the
 * environment and the program.
 */
const begin = `
root=$1 volume=$2 mode=$3 user=$4 folder=$5 network=$6; shift 6
[ "$network" = joined ] || ip link set lo up
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs -o mode=1777 shm "$root/dev/shm"
mount --bind /etc/hosts "$root/etc/hosts"
mount --bind "$volume" "$root/data"
[ "$mode" = rw ] || mount -o remount,ro,bind "$root"
exec chroot --userspec="$user" --groups= "$root" /usr/bin/env -i --chdir="$folder" "$@"`;

/** A container of an image, run without a container engine: what its config says is what is done. */
export class Container {
  readonly #place: Place;
  readonly #config: ImageConfig;
  readonly #process: ChildProcess;
  /** UID:GID. */
  readonly user: string;
  /** `NAME=value`. */
  readonly environment: readonly string[];
  #printed = '';

  private constructor(
    place: Place,
    config: ImageConfig,
    { user, environment, command }: Pick<Container, 'user' | 'environment'> & { readonly command: readonly string[] },
  ) {
    this.#place = place;
    this.#config = config;
    this.user = user;
    this.environment = environment;
    const [program = '', ...words] = command;
    this.#process = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      stream?.setEncoding('utf8').on('data', (part: string) => (this.#printed += part));
    }
  }

  /** Starts a container of the image. */
  static async start(place: Place, store: ImageStore, image: string, options: ContainerOptions): Promise<Container> {
    count += 1;
    const root = await store.mount(image, `container-${count}`);
    const config = await store.configOf(image);
    const volume = join(place.folder, 'volumes', options.volume);
    // Docker fills a new volume so, owners included.
    if (!existsSync(volume)) {
      mkdirSync(dirname(volume), { recursive: true });
      await place.run('cp', '-a', join(root, 'data'), volume);
    }
    const { user, home } = userOf(root, options.user ?? config.User);
    const given = Object.entries(options.env ?? {}).map(([name, value]) => `${name}=${value}`);
    // Docker sets PATH and HOME where the image does not.
    const environment = [`PATH=${usualPath}`, `HOME=${home}`, ...config.Env, ...given];
    const unshare = ['unshare', '--mount', '--pid', '--fork', '--kill-child=SIGKILL'];
    const joined = options.network?.pid;
    const network =
      joined === undefined ? [...unshare, '--net'] : ['nsenter', `--target=${joined}`, '--net', ...unshare];
    const settings = [options.readOnly === true ? 'ro' : 'rw', user, config.WorkingDir || '/'];
    const script = ['sh', '-ec', begin, 'sh', root, volume, ...settings, joined === undefined ? 'own' : 'joined'];
    const program = [...(options.entrypoint ?? config.Entrypoint), ...(options.words ?? config.Cmd)];
    return new Container(place, config, {
      user,
      environment,
      command: [...network, ...script, ...environment, ...program],
    });
  }

  /** Process 1 of the container, seen from this machine. */
  get pid(): number {
    const { pid } = this.#process;
    const [child = ''] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
    return Number(child);
  }

  /** All that it has written to standard output and standard error. */
  get printed(): string {
    return this.#printed;
  }

  /** What `docker exec CONTAINER WORDS` prints. */
  async exec(...words: readonly string[]): Promise<string> {
    const [uid = '', gid = ''] = this.user.split(':');
    const into = [`--target=${this.pid}`, '--mount', '--pid', '--net', '--root', '--wd', '-S', uid, '-G', gid];
    return this.#place.run('nsenter', ...into, '/usr/bin/env', '-i', ...this.environment, ...words);
  }

  /** Waits until the health check of the image passes. Throws when the program ends, or after a minute. */
  async healthy(): Promise<void> {
    const [kind, ...check] = this.#config.Healthcheck?.Test ?? [];
    if (kind !== 'CMD') throw new Error(`The health check of the image is ${kind ?? 'missing'}.`);
    const limit = performance.now() + startLimit;
    for (;;) {
      const problem = await this.exec(...check).then(
        () => null,
        (error: unknown) => String(error),
      );
      if (problem === null) return;
      if (this.#process.exitCode !== null) throw new Error(`The container ended:\n${this.#printed}`);
      if (performance.now() > limit) throw new Error(`The container is not healthy:\n${problem}\n${this.#printed}`);
      await setTimeout(100);
    }
  }

  /** Waits for its end and returns the exit code. */
  async ended(): Promise<number | null> {
    if (this.#process.exitCode === null) await once(this.#process, 'exit');
    return this.#process.exitCode;
  }

  /** `docker stop`: SIGTERM to process 1. Returns the exit code, and the ms until the end. */
  async stop(): Promise<{ readonly code: number | null; readonly ms: number }> {
    const begun = performance.now();
    process.kill(this.pid, 'SIGTERM');
    return { code: await this.ended(), ms: performance.now() - begun };
  }

  /** Ends what is left of it. */
  kill(): void {
    if (this.#process.exitCode === null) this.#process.kill('SIGKILL');
  }
}

const usualPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Number of containers so far. */
let count = 0;

/** Finds a user of the image by its name, or takes `UID:GID` as it is: UID and GID, and the home folder. */
function userOf(root: string, given: string): { readonly user: string; readonly home: string } {
  const entries = readFileSync(join(root, 'etc/passwd'), 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const found = entries.find(([name, , uid, gid]) => given === name || given === `${uid}:${gid}`);
  if (found !== undefined) return { user: `${found[2]}:${found[3]}`, home: found[5] ?? '/' };
  if (/^\d+:\d+$/.test(given)) return { user: given, home: '/' };
  throw new Error(`The image has no user ${given || 'of its own'}.`);
}
