import { parts } from '../bench/parts.ts';
import type { WideCheck } from './check.ts';
import { ProgramFailed } from './run-in.ts';

/** Every part of the bench runs to its end. Its targets are for a quiet machine, and are not judged. */
export const bench: WideCheck = {
  name: 'bench',
  summary: 'npm run bench -- --quick measures every part',
  run: async (place) => {
    for (const part of Object.keys(parts)) {
      const printed = await place
        .run('npm', '--prefix', place.clone, 'run', 'bench', '--', part, '--quick')
        .catch((error: unknown) => {
          if (error instanceof ProgramFailed) return error.printed;
          throw error;
        });
      if (!/^\d+ figures, \d+ missed$/m.test(printed)) throw new Error(`${part} did not end:\n${printed}`);
    }
  },
};
