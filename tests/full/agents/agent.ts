import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Arguments } from '../../../scripts/cli/arguments.ts';
import { Desk } from '../../../scripts/mcp/desk.ts';
import { mcpServer } from '../../../scripts/mcp/mcp-server.ts';

/** An answer of a tool: its data as JSON, its bank, and its next step. */
export interface Said {
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read members of answers whose shape they assert
  readonly data: any;
  readonly bank: string;
  readonly next: string;
}

/** An agent that calls tools through the protocol and follows the next step of each answer, and nothing else. */
export class Agent {
  readonly #client = new Client({ name: 'a fixed sequence', version: '1' });
  readonly #desk = new Desk(new Arguments([], new Map(), { env: {}, program: 'sandbank' }));

  async open(): Promise<void> {
    const [near, far] = InMemoryTransport.createLinkedPair();
    await (await mcpServer(this.#desk)).connect(far);
    await this.#client.connect(near);
  }

  async close(): Promise<void> {
    await this.#client.close();
    await this.#desk.close();
  }

  async call(name: string, given: object): Promise<Said> {
    const { content, isError } = await this.#client.callTool({ name, arguments: { ...given } });
    const [{ text = '' } = {}] = content as readonly { readonly text?: string }[];
    const [, data = '', bank = '', next = ''] =
      /^<data>\n(.*)\n<\/data>\nBank: (http\S+)\nNext: (.*)$/s.exec(text) ?? [];
    if (isError === true) throw new Error(`${name} ${JSON.stringify(given)}: ${text}`);
    return { data: JSON.parse(data), bank, next };
  }

  /**
   * Follows the next steps from an answer until one says done: it calls the tool that a step names, and has the client of the task send its
   * request again, the same or the corrected one, where a step says so. Returns all answers. Throws after 30 steps.
   */
  async follow(begun: Said, send: (isSame: boolean) => Promise<unknown>): Promise<readonly Said[]> {
    const all = [begun];
    for (let { next } = begun; !next.startsWith('done'); next = all.at(-1)?.next ?? '') {
      if (all.length > 30) throw new Error(`no end: ${all.map((each) => each.next).join('\n')}`);
      const called = /^(\w+) (\{.*\})/.exec(next) ?? /Then (\w+) (\{.*\})/.exec(next);
      if (called === null) throw new Error(`no step to follow: ${next}`);
      if (next.startsWith(called[0])) {
        const [, name = '', given = ''] = called;
        all.push(await this.call(name, JSON.parse(given) as object));
        continue;
      }
      await send(next.includes('the same X-Request-ID'));
      all.push(await this.call(called[1] ?? '', JSON.parse(called[2] ?? '') as object));
    }
    return all;
  }
}
