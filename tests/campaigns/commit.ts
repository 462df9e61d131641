import { execFileSync } from 'node:child_process';

/** The short hash of the commit that is checked out. */
export function headCommit(): string {
  return execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8' }).trim();
}
