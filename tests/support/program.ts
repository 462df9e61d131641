import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { inOneWorker } from './kept.ts';

/**
 * The command line, for processes of their own. It has a fresh build of the sources, so that a process starts in 0.1 s and prints
 * no line about making one.
 */
export const program = resolve('scripts/sandbank.js');

// `serve` makes the build before it looks at its words.
await inOneWorker('program', () => execFileSync(process.execPath, [program, 'serve', '--help'], { stdio: 'ignore' }));
