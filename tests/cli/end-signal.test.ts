import { expect, test } from '@jest/globals';
import { endSignal } from '../../scripts/cli/end-signal.ts';

test.each(['SIGTERM', 'SIGINT'] as const)('%s ends the program; again, it is heard and changes nothing', (name) => {
  const before = process.listenerCount(name);
  const { signal, release } = endSignal({ env: {} });
  expect(signal.aborted).toBe(false);
  process.emit(name);
  expect([signal.aborted, process.listenerCount(name)]).toEqual([true, before + 1]);
  process.emit(name);
  expect(process.listenerCount(name)).toBe(before + 1);
  release();
  expect(process.listenerCount(name)).toBe(before);
});
