import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { processEnvironment } from '../../api/start/config.ts';
import type { Place, WideCheck } from './check.ts';
import { Container, type ContainerOptions } from './image/container.ts';
import { ImageStore } from './image/image-store.ts';
import { makeNodeBase } from './image/node-base.ts';
import { stories } from './image/stories.ts';
import { timed } from './timed.ts';

const image = 'localhost/sandbank';

/** Programs that build an image and run containers of it. */
const needed = ['buildah', 'debootstrap', 'unshare', 'nsenter', 'chroot', 'ip'];

/**
 * The Dockerfile, built by buildah on a `node:24-slim` that is made here, and containers of it, begun as a container engine does. It needs
 * no registry of images and no engine.
 */
export const dockerImage: WideCheck = {
  name: 'image',
  summary: 'the Docker image: built, run as each user, read-only, stopped (Linux, root, buildah, debootstrap)',
  missing: () => {
    if (process.getuid?.() !== 0) return 'it needs root';
    const absent = needed.filter((program) => !isOnPath(program));
    return absent.length === 0 ? null : `${absent.join(', ')} not found (apt-get install buildah debootstrap iproute2)`;
  },
  run: async (place) => {
    const store = new ImageStore(place);
    const containers: Container[] = [];
    const start = async (options: ContainerOptions): Promise<Container> => {
      const container = await Container.start(place, store, image, options);
      containers.push(container);
      return container;
    };
    try {
      await timed('node:24-slim', () => makeNodeBase(place, store));
      await timed('docker build', () => build(place, store));
      console.log(`  image size ${await store.sizeOf(image)}, on a base of ${await store.sizeOf('node:24-slim')}`);
      for (const [what, story] of stories) await timed(what, () => story(start));
    } finally {
      for (const container of containers) container.kill();
      await Promise.all(containers.map((container) => container.ended()));
      await store.remove();
    }
  },
};

async function build(place: Place, store: ImageStore): Promise<void> {
  const cache = (await place.run('npm', 'config', 'get', 'cache')).trim().split('\n').at(-1) ?? '';
  // OCI, the other format, has no health checks. The network and npm's cache are those of this machine.
  const options = ['--format', 'docker', '--isolation', 'chroot', '--network', 'host', '--pull=never'];
  await store.run('bud', ...options, '--volume', `${cache}:/root/.npm`, '--tag', image, place.clone);
}

function isOnPath(program: string): boolean {
  return (processEnvironment()['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
}
