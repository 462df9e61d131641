import { appendFileSync, cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processEnvironment } from '../../../api/start/config.ts';
import type { Place } from '../check.ts';
import type { ImageStore } from './image-store.ts';

/** The name that the Dockerfile begins with, as a registry would have it. */
const name = 'docker.io/library/node:24-slim';

/** The release of Debian that `node:24-slim` is made of. */
const debian = 'bookworm';

/**
 * Makes the image `node:24-slim` without a registry of images: the smallest Debian by debootstrap, Node and npm from the npm registry,
 * and the user `node` with the number 1000.
 */
export async function makeNodeBase(place: Place, store: ImageStore): Promise<void> {
  const root = join(place.folder, 'base');
  await place.run('debootstrap', '--variant=minbase', debian, root);
  for (const cache of ['var/cache/apt/archives', 'var/lib/apt/lists']) rmSync(join(root, cache), { recursive: true });
  await addNode(place, root);
  appendFileSync(join(root, 'etc/passwd'), 'node:x:1000:1000::/home/node:/bin/bash\n');
  appendFileSync(join(root, 'etc/group'), 'node:x:1000:\n');
  await place.run('install', '-d', '-o', '1000', '-g', '1000', join(root, 'home/node'));
  await store.run('from', '--name', 'base', 'scratch');
  await store.run('add', '--quiet', 'base', root, '/');
  await store.run('config', '--cmd', '["node"]', 'base');
  await store.run('commit', '--quiet', '--rm', 'base', name);
  rmSync(root, { recursive: true });
}

async function addNode(place: Place, root: string): Promise<void> {
  place.write('packages/package.json', { private: true, allowScripts: { node: true } });
  const packages = place.within('packages');
  await packages.run('npm', 'install', '--no-audit', '--no-fund', 'node@24', 'npm@11');
  const modules = join(packages.folder, 'node_modules');
  cpSync(join(modules, 'node/bin/node'), join(root, 'usr/local/bin/node'));
  cpSync(join(modules, 'npm'), join(root, 'usr/local/lib/node_modules/npm'), { recursive: true });
  for (const program of ['npm', 'npx']) {
    symlinkSync(`../lib/node_modules/npm/bin/${program}-cli.js`, join(root, 'usr/local/bin', program));
  }
  mkdirSync(join(root, 'usr/local/etc'), { recursive: true });
  writeFileSync(join(root, 'usr/local/etc/npmrc'), await npmSettings(place, root));
}

/** Where npm of this machine finds packages, and the authorities that it trusts there; no secret of it. */
async function npmSettings(place: Place, root: string): Promise<string> {
  const setting = async (key: string): Promise<string> => {
    const value = (await place.run('npm', 'config', 'get', key)).trim().split('\n').at(-1) ?? '';
    return value === 'null' || value === 'undefined' ? '' : value;
  };
  const authorities = (await setting('cafile')) || (processEnvironment()['NODE_EXTRA_CA_CERTS'] ?? '');
  const lines = [`registry=${await setting('registry')}`];
  if (authorities !== '') {
    cpSync(authorities, join(root, 'usr/local/etc/authorities.pem'), { dereference: true });
    lines.push('cafile=/usr/local/etc/authorities.pem');
  }
  return `${lines.join('\n')}\n`;
}
