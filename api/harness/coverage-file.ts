import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomIds } from '../../engine/bank/ids.ts';
import { coverageJson } from '../coverage/coverage-json.ts';
import type { Coverage } from '../coverage/coverage.ts';
import { coverageFolder } from '../start/config.ts';

/** Writes what a bank's TPPs met into the folder that a reporter asks for; without a reporter nothing. */
export async function saveCoverage(coverage: Coverage): Promise<void> {
  const folder = coverageFolder();
  if (folder === null) return;
  const behaviours = (await coverage.report()).map((each) => ({ ...coverageJson(each), area: each.area }));
  // A bank that is closed after the run comes too late for its report.
  await writeFile(join(folder, `${randomIds.uuid()}.json`), JSON.stringify(behaviours)).catch(ignoreMissing);
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
}
