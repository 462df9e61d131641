import { createRequire } from 'node:module';
import type * as NodeForge from 'node-forge';

export type Forge = typeof NodeForge;

/** node-forge, loaded when first asked for: it is large, and only certificates need it. */
export function loadForge(): Forge {
  return createRequire(import.meta.url)('node-forge') as Forge;
}
