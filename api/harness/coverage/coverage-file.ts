import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { randomIds } from '../../../engine/bank/ids.ts';
import { formatInstant } from '../../../engine/values/instant.ts';
import { coverageJson } from '../../coverage/coverage-json.ts';
import type { Coverage } from '../../coverage/coverage.ts';
import { coverageFolder } from '../../start/config.ts';

/** Writes what a bank's TPPs met into the reporter's folder. Without a reporter it writes nothing. */
export async function saveCoverage(coverage: Coverage): Promise<void> {
  const folder = coverageFolder();
  if (folder === null) return;
  const behaviours = (await coverage.report()).map((each) => ({
    ...coverageJson(each),
    first: each.first === null ? null : formatInstant(each.first),
    area: each.area,
  }));
  const path = join(folder, `${randomIds.uuid()}.json`);
  try {
    // The name is there only once the file is whole: a worker may be killed while it writes.
    await writeFile(`${path}.tmp`, JSON.stringify(behaviours));
    await rename(`${path}.tmp`, path);
  } catch (error) {
    // A bank that is closed after the run comes too late for its report.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
