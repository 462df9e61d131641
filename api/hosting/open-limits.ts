import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { constrainedMemory } from 'node:process';

const megabyte = 1024 * 1024;

/** Maximum memory of an open bank that is used, in bytes, without its payments: router, statements and pages. */
const ofBank = 4 * megabyte;

/** Memory of the rest of the process, in bytes. */
const ofProcess = 256 * megabyte;

/** The part of the memory beside the process that open banks may take. */
const share = 1 / 2;

/** Minimum number of open banks, on any machine. */
const minOpen = 16;

/** Number of named banks that may stay open by the memory of this process and, if they are in files, by the files that it may open. */
export function openLimit(areInFiles: boolean): number {
  const byMemory = openBanksIn(memoryOfProcess());
  return areInFiles ? Math.min(byMemory, openFilesIn(filesOfProcess())) : byMemory;
}

/** Number of named banks that may stay open with this much memory, in bytes. */
export function openBanksIn(memory: number): number {
  return Math.max(minOpen, Math.floor(((memory - ofProcess) * share) / ofBank));
}

/** The memory that this process may take, in bytes: the limit of its container, else the memory of the machine. */
export function memoryOfProcess(): number {
  const limit = constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** Files that an open bank has at most: its ledger with log and index, twice while it is replaced. */
const filesOfBank = 6;

/** Number of named banks in files that may stay open when a process may open this many files. */
function openFilesIn(files: number): number {
  return Math.max(minOpen, Math.floor((files * share) / filesOfBank));
}

/** The number of files that this process may open: Node has raised it to what the system allows. */
function filesOfProcess(): number {
  try {
    return Number(/^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? usualFiles);
  } catch {
    return usualFiles;
  }
}

/** Where the system does not tell. */
const usualFiles = 1_024;
