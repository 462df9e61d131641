import { cpSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { clone, type Place, requireText, type WideCheck } from './check.ts';

const example = join(clone, 'examples/one-clock');
const library = '/usr/lib/*/faketime/libfaketime.so.1';

/** docs/one-clock.md: the story of the example in vitest, and with its processes under libfaketime. The core has it in jest. */
export const oneClock: WideCheck = {
  name: 'one-clock',
  summary: 'one clock for bank and shop: in vitest, and under libfaketime, which it installs (Debian, root, python3)',
  missing: () => {
    const isHere = globSync(library).length > 0 || process.getuid?.() === 0;
    return isHere ? null : 'libfaketime not found (apt-get install faketime)';
  },
  run: async (place) => {
    await inVitest(place.within('vitest'));
    if (globSync(library).length === 0) await place.run('apt-get', 'install', '--yes', 'faketime');
    requireText('the story', await place.run('python3', join(example, 'story.py')), /The story is told\./);
  },
};

async function inVitest(place: Place): Promise<void> {
  place.write('package.json', { private: true, type: 'module' });
  await place.install('vitest@4');
  cpSync(join(example, 'shop.ts'), join(place.folder, 'shop.ts'));
  const test = readFileSync(join(example, 'one-clock.test.ts'), 'utf8')
    .replace('jest, test }', 'vi as jest, test }')
    .replace('@jest/globals', 'vitest')
    .replace('sandbank/jest', 'sandbank/vitest');
  place.write('one-clock.test.ts', test);
  await place.run('vitest', 'run', '--testTimeout', '60000');
}
