import { registerHooks } from 'node:module';
import { URL } from 'node:url';

/*
 * Has Node find the package `sandbank` in the sources of this clone, which has no build, as a program of somebody else
 * finds the installed one: `node --import ./scripts/own-package.js examples/shop/shop.ts`. The tests load it too.
 * tsconfig.json has the same paths.
 */
const sources = {
  sandbank: '../api/harness/index.ts',
  'sandbank/jest': '../api/harness/jest.ts',
  'sandbank/client': '../api/client/index.ts',
};

registerHooks({
  resolve: (specifier, context, next) =>
    Object.hasOwn(sources, specifier)
      ? { url: new URL(sources[specifier], import.meta.url).href, shortCircuit: true }
      : next(specifier, context),
});
