import { nextDates } from '../api/commands/next-dates.ts';
import { runCommand } from '../api/commands/run-command.ts';
import { processTerminal } from '../api/terminal.ts';

// `npm run next-dates` is `sandbank next-dates`.
process.exitCode = await runCommand(nextDates, process.argv.slice(2), processTerminal, 'npm run -s next-dates --');
