import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemDisk, type Disk } from '../../engine/ledger/durable-file.ts';
import type { Campaign } from './campaign.ts';
import { serverFaults } from './server-faults.ts';
import { storageFaults } from './storage-faults.ts';

/**
 * Half of the faults hit the files around a ledger in this process, half the system calls of a server, if strace is there.
 * The first half works on `disk`; a test gives one that leaves files behind.
 */
export function faultsOn(disk: Disk): Campaign {
  return {
    unit: 'faults',
    usualCount: 200,
    run: async (soak) => {
      const folder = await mkdtemp(join(tmpdir(), 'sandbank-faults-'));
      const ofServer = Math.floor(soak.count / 2);
      try {
        await storageFaults(soak, soak.count - ofServer, folder, disk);
        if (!(await serverFaults(soak, ofServer, folder))) soak.tally('server: left out, there is no strace', ofServer);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

export const faults = faultsOn(systemDisk);
