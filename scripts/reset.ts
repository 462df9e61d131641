import { reset } from './commands/reset.ts';
import { runCommand } from './cli/run-command.ts';
import { processTerminal } from './cli/terminal.ts';

// `npm run reset` is `sandbank reset`.
process.exitCode = await runCommand(reset, process.argv.slice(2), processTerminal, 'npm run reset --');
