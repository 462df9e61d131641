import { nextDates } from './commands/next-dates.ts';
import { runCommand } from './cli/run-command.ts';
import { processTerminal } from './cli/terminal.ts';

// `npm run next-dates` is `sandbank next-dates`.
process.exitCode = await runCommand(nextDates, process.argv.slice(2), processTerminal, 'npm run -s next-dates --');
