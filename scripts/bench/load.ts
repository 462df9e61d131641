import { Agent, request } from 'node:http';

/** A POST that is ready to be sent. */
export interface PreparedRequest {
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

const connections = 16;

/** Sends all of them over a few connections, each as soon as one is free. Throws on any other status. */
export async function requestsPerSecond(
  address: string,
  requests: readonly PreparedRequest[],
  status: number,
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const left = requests.values();
  const start = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (const next of left) await send(agent, address, next, status);
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  agent.destroy();
  return requests.length / seconds;
}

function send(agent: Agent, address: string, prepared: PreparedRequest, status: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', agent, headers: { ...prepared.headers, 'content-length': prepared.body.length } };
    const sent = request(address + prepared.target, options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => {
        if (response.statusCode === status) resolve();
        else reject(new Error(`${response.statusCode} instead of ${status}: ${text}`));
      });
    });
    sent.on('error', reject);
    sent.end(prepared.body);
  });
}
