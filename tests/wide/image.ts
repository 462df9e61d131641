import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { processEnvironment } from '../../api/start/config.ts';
import type { WideCheck } from './check.ts';
import { Engine } from './image/engine.ts';
import { stories } from './image/stories.ts';
import { timed } from './timed.ts';

const image = 'localhost/sandbank';

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
      for (const [what, story] of stories) await timed(what, () => story((options) => engine.start(image, options)));
    } finally {
      await engine.remove();
    }
  },
};

function isOnPath(program: string): boolean {
  return (processEnvironment()['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
}
