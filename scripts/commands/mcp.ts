import { once } from 'node:events';
import type { Command } from '../cli/arguments.ts';
import { aborted, endSignal } from '../cli/end-signal.ts';

/** Tools for a coding agent, by the Model Context Protocol over standard input and output. */
export const mcp: Command = {
  name: 'mcp',
  summary: 'Gives a coding agent tools: start a bank, pay, move the clock, explain a refusal.',
  flags: { '--json': 'Prints the tools as JSON, and ends.' },
  settings: ['SANDBANK_CONTROL_TOKEN'],
  notes: [
    'An agent starts the command and talks to it over standard input and output (docs/agents.md has the lines for each agent). A bank that a tool starts ends with the agent.',
    'Tools read and write files in the working folder only. The control token is for a bank that a tool attaches to.',
  ],
  examples: ['sandbank mcp --json'],
  run: async (given, terminal) => {
    // Loaded here only, so that the other commands start faster.
    const { toldTools } = await import('../mcp/tools.ts');
    if (given.has('json')) return terminal.print(JSON.stringify({ tools: toldTools() }, null, 2));
    const { Desk } = await import('../mcp/desk.ts');
    const { mcpServer } = await import('../mcp/mcp-server.ts');
    const { StdioServerTransport } = await import('../mcp/sdk.ts');
    const desk = new Desk(given);
    const server = await mcpServer(desk);
    const { signal, release } = endSignal({ env: terminal.env });
    const transport = new StdioServerTransport();
    // What is no message is answered by the code of JSON-RPC: a line that is no JSON, or a batch.
    transport.onerror = (error) => {
      const [code, message] = error instanceof SyntaxError ? [-32_700, 'Parse error'] : [-32_600, 'Invalid Request'];
      terminal.print(
        JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message: `${message}: one message a line` } }),
      );
    };
    await server.connect(transport);
    await Promise.race([aborted(signal), once(process.stdin, 'end')]);
    release();
    await server.idle();
    await server.close();
    await desk.close();
  },
};
