import { type Disk, systemDisk } from '../../engine/ledger/durable-file.ts';
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
      const folder = soak.folder();
      const ofServer = Math.floor(soak.count / 2);
      await storageFaults(soak, soak.count - ofServer, folder, disk);
      if (!(await serverFaults(soak, ofServer, folder))) soak.tally('server: left out, there is no strace', ofServer);
    },
  };
}

export const faults = faultsOn(systemDisk);
