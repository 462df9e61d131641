import { reset } from '../api/commands/reset.ts';
import { runCommand } from '../api/commands/run-command.ts';
import { processTerminal } from '../api/terminal.ts';

// `npm run reset` is `sandbank reset`.
process.exitCode = await runCommand(reset, process.argv.slice(2), processTerminal, 'npm run reset --');
