import { runCommand } from '../api/commands/run-command.ts';
import { sign } from '../api/commands/sign.ts';
import { processTerminal } from '../api/terminal.ts';

// `npm run sign` is `sandbank sign`.
process.exitCode = await runCommand(sign, process.argv.slice(2), processTerminal, 'npm run -s sign --');
