import type { Readable } from 'node:stream';

/** The address in the greeting of a server in a process of its own. What it prints later is thrown away. */
export function greetedAddress(output: Readable): Promise<string> {
  let said = '';
  return new Promise((resolve, reject) => {
    const hear = (chunk: unknown): void => {
      said += String(chunk);
      const address = /https?:\/\/[\w.:[\]-]+(?=[\s/])/.exec(said)?.[0];
      if (address === undefined) return;
      output.off('data', hear).resume();
      resolve(address);
    };
    output.on('data', hear).on('end', () => reject(new Error('the server did not start')));
  });
}
