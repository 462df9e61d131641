import { parts } from '../bench/parts.ts';
import { clone, type WideCheck } from './check.ts';

/** Every part of the bench runs to its end. Its targets are for a quiet machine, and are not judged. */
export const bench: WideCheck = {
  name: 'bench',
  summary: 'npm run bench -- --quick measures every part',
  run: async (place) => {
    for (const part of Object.keys(parts)) {
      const bench = ['--prefix', clone, 'run', 'bench', '--', part, '--quick'];
      const { printed } = await place.attempt('npm', ...bench);
      if (!/^\d+ figures, \d+ missed$/m.test(printed)) throw new Error(`${part} did not end:\n${printed}`);
    }
  },
};
