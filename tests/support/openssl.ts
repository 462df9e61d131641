import { spawnSync } from 'node:child_process';

/** Whether the machine has the command `openssl`, the judge of certificates. */
export const hasOpenssl = spawnSync('openssl', ['version'], { stdio: 'ignore' }).status === 0;
