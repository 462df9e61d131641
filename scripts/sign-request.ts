import { runCommand } from './cli/run-command.ts';
import { sign } from './commands/sign.ts';
import { processTerminal } from './cli/terminal.ts';

// `npm run sign` is `sandbank sign`.
process.exitCode = await runCommand(sign, process.argv.slice(2), processTerminal, 'npm run -s sign --');
