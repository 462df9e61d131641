import { quirks } from '../engine/core/quirk.ts';
import { flagOf, settings } from './settings.ts';

/** What `--help` prints: commands, settings, quirks, each from its own table. */
export function helpText(): string {
  const setting = settings.map((each) => {
    const fallback = each.default === '' ? '' : ` [${each.default}]`;
    return `  --${flagOf(each).padEnd(18)} ${each.name.padEnd(26)} ${each.what}${fallback}`;
  });
  const quirk = Object.entries(quirks).map(([name, effect]) => `  ${name.padEnd(24)} ${effect}`);
  return [
    'sandbank serve   start the bank (the default)',
    'sandbank ready   exit 0 when the bank of these settings is ready, else 1',
    '',
    'Settings, as a flag or an environment variable [default]:',
    ...setting,
    '',
    'Quirks, all off by default:',
    ...quirk,
  ].join('\n');
}
