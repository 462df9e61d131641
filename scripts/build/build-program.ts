import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild';
import { inAscii } from '../../engine/values/json-text.ts';
import { validatorsModule } from './make-validators.ts';
import { prepare } from './prepare.ts';

export const root = join(import.meta.dirname, '../..');

/** Where the build will run. */
interface BuildPlace {
  /** The file of the build, absolute. */
  readonly file: string;
  /** The folder that stands for the root of the sources: files that sources read beside them are there. */
  readonly home: string;
  /** The extension of files that run in threads of their own. */
  readonly extension: 'ts' | 'js';
}

interface Built {
  readonly text: string;
  /** Files that it was made of, from the root, packages too. */
  readonly inputs: readonly string[];
}

/**
 * Packages that stay outside the build, as one has a binary and the others are large and seldom needed. The package has
 * a file for each.
 */
export const lazyPackages = ['better-sqlite3', 'date-holidays', 'node-forge', '@sigstore/core', 'minisearch'];

/**
 * The file of the sources that is the SDK of the command mcp: in the package a file of its own, as only that command
 * needs it.
 */
export const mcpSdk = 'scripts/mcp/sdk.ts';

/** The entries of the build. Each function loads only the modules that its entry needs. */
const entrances = `
export const program = () => require('./scripts/cli/main.ts');
export const harness = () => require('./api/harness/index.ts');
export const useOfProgram = () => require('./api/pipeline/use-of-program.ts').useOfProgram();
export const jest = () => require('./api/harness/jest.ts');
`;

/**
 * Settings for what is built: no comments, no indentation, short lines for error output. Names stay, for stack traces.
 */
export const small = {
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 160,
  legalComments: 'none',
} as const satisfies BuildOptions;

/**
 * Puts the command line with the server, and the harness, into one CommonJS file: Node reads one file instead of a
 * thousand. Modules that are imported on demand are still evaluated on demand.
 */
export async function buildProgram(place: BuildPlace): Promise<Built> {
  const toHome = relative(dirname(place.file), place.home).split(sep).join('/');
  const isPackage = place.extension === 'js';
  const { outputFiles, metafile } = await build({
    ...common,
    ...small,
    stdin: {
      contents: entrances,
      resolveDir: root,
      sourcefile: 'program.ts',
      loader: 'ts',
    },
    inject: [join(root, 'scripts/build/node-globals.ts')],
    // Older than the bank needs, so that an older Node can run the check of the harness that refuses it.
    target: 'node16',
    outfile: place.file,
    write: false,
    metafile: true,
    format: 'cjs',
    // Jest's CommonJS knows no import().
    supported: { 'dynamic-import': false },
    plugins: [
      ...(isPackage ? [packagesBeside] : []),
      withoutUnused,
      fewMediaTypes,
      await preparedModule(),
      await validatorsModule(root),
      ownAddresses(place.extension),
    ],
    // Of packages; those of our own are in ownAddresses.
    define: { 'import.meta.url': 'ownUrl' },
    banner: {
      js: `const ownUrl = require('node:url').pathToFileURL(__filename).href, homeUrl = new (require('node:url').URL)('${toHome}/', ownUrl).href;`,
    },
  });
  // esbuild leaves tagged templates as they are.
  return { text: inAscii(outputFiles[0]?.text ?? ''), inputs: inputsOf(metafile) };
}

/** Builds an ES module of a file that runs in a process of its own. Returns the files that it was made of. */
export async function buildProcess(source: string, outfile: string): Promise<readonly string[]> {
  const entryPoints = [join(root, source)];
  const plugins = [packagesBeside];
  const { metafile } = await build({
    ...common,
    ...small,
    entryPoints,
    outfile,
    metafile: true,
    format: 'esm',
    plugins,
  });
  return inputsOf(metafile);
}

const common = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node22.15',
  // The last is the runner that imports the build; a clone has the SDK of the command mcp beside it.
  external: [...lazyPackages, '@modelcontextprotocol/sdk/*', '@jest/globals'],
  legalComments: 'none',
  // One byte a character in memory.
  charset: 'ascii',
  logLevel: 'warning',
} as const satisfies BuildOptions;

function inputsOf(metafile: Metafile): readonly string[] {
  return Object.keys(metafile.inputs).filter((path) => path !== 'program.ts' && !path.startsWith('left-out:'));
}

/** Replaces api/start/prepared.ts with the results of `prepare`. */
async function preparedModule(): Promise<Plugin> {
  const prepared = await prepare();
  // The ids of the seeded ledger are random.
  const build = createHash('sha256').update(prepared.ledger.image).digest('hex').slice(0, 16);
  const contents = `export const prepared = ${JSON.stringify({ ...prepared, build })};`;
  return {
    name: 'prepared',
    setup: ({ onLoad }) =>
      onLoad({ filter: /[/\\]api[/\\]start[/\\]prepared\.ts$/ }, () => ({ contents, loader: 'js' })),
  };
}

/**
 * Express without its parsers of bodies, which the bank does not use and which bring tables of 600 KB for other
 * character sets; without the package debug, which it asks several times in each request; and without depd, whose stack
 * trace counts all lines of the build as it loads. Pino without its threads: the log is written in the event loop.
 */
const withoutUnused: Plugin = {
  name: 'without-unused',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^(?:body-parser|debug|depd|thread-stream)$/ }, ({ path }) => ({
      path,
      namespace: 'left-out',
    }));
    onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({
      contents: 'module.exports = () => () => {};',
      loader: 'js',
    }));
  },
};

/**
 * Of the 2,500 media types that express ranks at each start, those of texts and images, and those with a character set.
 */
const fewMediaTypes: Plugin = {
  name: 'few-media-types',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[/\\]mime-db[/\\]db\.json$/ }, async ({ path }) => {
      const all = JSON.parse(await readFile(path, 'utf8')) as Record<string, object>;
      const few = Object.entries(all).filter(([type, facts]) => /^(?:text|image)\//.test(type) || 'charset' in facts);
      return { contents: JSON.stringify(Object.fromEntries(few)), loader: 'json' };
    }),
};

/** Finds `lazyPackages` in the files of build-packages.ts. Every file that needs one is in a folder of `dist`. */
const packagesBeside: Plugin = {
  name: 'packages-beside',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^[@a-z]/ }, ({ path }) =>
      lazyPackages.includes(path) ? { path: `../packages/${path}.cjs`, external: true } : null,
    );
    onResolve({ filter: /\/sdk\.ts$/ }, ({ path, resolveDir }) =>
      resolve(resolveDir, path) === join(root, mcpSdk) ? { path: '../packages/mcp-sdk.cjs', external: true } : null,
    );
  },
};

/**
 * `import.meta.url` of each source, as if it lay below the home of the build. What a source requires, the build
 * requires.
 */
function ownAddresses(extension: BuildPlace['extension']): Plugin {
  return {
    name: 'own-addresses',
    setup: ({ onLoad }) =>
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const [folder = '', ...below] = relative(root, path).split(sep);
        if (!['engine', 'api', 'scripts'].includes(folder)) return null;
        const text = await readFile(path, 'utf8');
        if (!text.includes('import.meta.url')) return null;
        const at = [folder, ...below].join('/').replace(/ts$/, extension);
        const required = text.replaceAll('createRequire(import.meta.url)', 'require');
        return { contents: required.replaceAll('import.meta.url', `(homeUrl + '${at}')`), loader: 'ts' };
      }),
  };
}
