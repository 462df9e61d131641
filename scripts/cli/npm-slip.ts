import { flagOf, settings } from '../../api/start/settings.ts';
import type { Terminal } from './terminal.ts';

const own = [...settings.map(flagOf), 'bank'];

/**
 * What to write where npm kept a flag of ours for itself: `npm start --port 9000` starts the program without it, and tells it in a
 * variable. Null: npm kept none.
 */
export function keptByNpm({ env }: Pick<Terminal, 'env'>): string | null {
  const script = env['npm_lifecycle_event'];
  // Of this package's scripts: a program of others may start us below an npm of its own.
  if (script === undefined || env['npm_package_name'] !== 'sandbank') return null;
  const flags = own.flatMap((flag) => {
    const value = env[`npm_config_${flag.replaceAll('-', '_')}`] ?? '';
    return value === '' ? [] : [`--${flag} ${value}`];
  });
  if (flags.length === 0) return null;
  const typed = flags.join(' ');
  return `npm kept ${typed} for itself: write npm ${script === 'start' ? 'start' : `run ${script}`} -- ${typed}`;
}
