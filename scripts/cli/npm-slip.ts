import { flagOf, settings } from '../../api/start/settings.ts';
import type { Terminal } from './terminal.ts';

const own = [...settings.map(flagOf), 'bank', 'base'];

/**
 * What to write where npm kept a flag of ours for itself: `npm start --port 9000` starts the program without it, and tells it in a
 * variable, an npm that does not know its value as `true` with the value left among the words. Null: npm kept none.
 */
export function keptByNpm({ env }: Pick<Terminal, 'env'>, words: readonly string[]): string | null {
  const script = env['npm_lifecycle_event'];
  // Of this package's scripts: a program of others may start us below an npm of its own.
  if (script === undefined || env['npm_package_name'] !== 'sandbank') return null;
  const kept = own
    .map((flag) => [flag, env[`npm_config_${flag.replaceAll('-', '_')}`] ?? ''] as const)
    .filter(([, value]) => value !== '');
  if (kept.length === 0) return null;
  const [left] = kept.length === 1 ? words : [];
  const typed = kept.map(([flag, value]) => `--${flag} ${value === 'true' ? (left ?? 'VALUE') : value}`).join(' ');
  const names = kept.map(([flag]) => `--${flag}`).join(' ');
  return `npm kept ${names} for itself: write npm ${script === 'start' ? 'start' : `run ${script}`} -- ${typed}`;
}
