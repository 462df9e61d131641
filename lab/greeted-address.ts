import type { Readable } from 'node:stream';

/** The address in the greeting of a server in a process of its own. */
export function greetedAddress(output: Readable): Promise<string> {
  let said = '';
  return new Promise((resolve, reject) => {
    output.on('data', (chunk) => {
      said += String(chunk);
      const address = /http:\/\/\S+/.exec(said)?.[0];
      if (address !== undefined) resolve(address);
    });
    output.on('end', () => reject(new Error('the server did not start')));
  });
}
