import type { Beginning } from '../../engine/read-beginning.ts';
import { formatInstant } from '../../engine/values/instant.ts';
import { shellWord } from '../../engine/values/text.ts';
import type { Config } from '../../api/start/config.ts';
import type { Arguments } from '../cli/arguments.ts';

/**
 * The settings of a new ledger that were given and that this one ignores, one line each with the command that applies it (control-plane.md
 * C5). `reset` is the start of that command, which names the server.
 */
export function ignoredSettings(given: Arguments, config: Config, began: Beginning, reset: string): string[] {
  const { ledger, clockNow, clockMode, fixtures } = config;
  const warning = (flag: string, value: string, has: string): string => {
    const word = shellWord(value);
    return `Warning: --${flag} ${word} is ignored: the ledger ${ledger} ${has}. Apply it: ${reset} --${flag} ${word}`;
  };
  const at = clockNow === null ? '' : formatInstant(clockNow);
  return [
    ...(given.isSet('fixtures') && !began.isOfKnownState
      ? [
          warning(
            'fixtures',
            fixtures,
            began.fixtures === fixtures ? 'began with other contents of it' : `began with ${began.fixtures}`,
          ),
        ]
      : []),
    ...(given.isSet('clock-now') && clockNow !== null && clockNow !== began.at
      ? [warning('clock-now', at, `began at ${formatInstant(began.at)}`)]
      : []),
    ...(given.isSet('clock-mode') && clockMode !== began.mode
      ? [warning('clock-mode', clockMode, `began with a ${began.mode} clock`)]
      : []),
  ];
}
