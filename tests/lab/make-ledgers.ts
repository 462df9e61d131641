import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepLedger } from './kept-ledgers.ts';

/* Makes the ledgers of a version: `npm run release:ledgers`. */

const [version = ''] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'sandbank-yesterday-'));
try {
  await keepLedger(version, folder);
} finally {
  rmSync(folder, { recursive: true });
}
