import { cpSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { lazyPackages, mcpSdk, root, small } from './build-program.ts';

const require = createRequire(import.meta.url);

/**
 * Puts each of `lazyPackages` into a file of its own in `packages`, and copies the compiled files of better-sqlite3
 * into `prebuilds` beside that folder, where its code looks for them. Returns the files that all are made of.
 */
export async function buildPackages(dist: string): Promise<readonly string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    // As `require` finds them.
    entryPoints: {
      ...Object.fromEntries(lazyPackages.map((name) => [name, require.resolve(name)])),
      'mcp-sdk': join(root, mcpSdk),
    },
    bundle: true,
    platform: 'node',
    target: 'node22.15',
    format: 'cjs',
    ...small,
    logLevel: 'warning',
    metafile: true,
    outdir: join(dist, 'packages'),
    outExtension: { '.js': '.cjs' },
    plugins: [norwayAlone, derAlone],
  });
  cpSync(join(root, 'node_modules/better-sqlite3/prebuilds'), join(dist, 'prebuilds'), { recursive: true });
  // Its headers are in the compiled files.
  return [...Object.keys(metafile.inputs), 'node_modules/node-addon-api/package.json'];
}

/** Of node-forge what reads and writes DER, a seventh of it: keys and signatures are Node's. */
const derAlone: Plugin = {
  name: 'der-alone',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[/\\]node-forge[/\\]lib[/\\]index\.js$/ }, () => ({
      contents: "require('./asn1'); module.exports = require('./forge');",
      loader: 'js',
    })),
};

/** The holidays of Norway, and Oslo's time zone. */
const norwayAlone: Plugin = {
  name: 'norway-alone',
  setup: ({ onLoad }) => {
    // Holidays by the sun, the moon and calendars that Norway has none of: two thirds of the code.
    onLoad(
      { filter: /[/\\]date-holidays-parser[/\\]lib[/\\](?:BengaliRevised|Chinese|Equinox|Jalaali|Julian)\.cjs$/ },
      () => ({
        contents: 'module.exports = class {};',
        loader: 'js',
      }),
    );
    onLoad({ filter: /[/\\]date-holidays[/\\]lib[/\\]data\.cjs$/ }, async ({ path }) => {
      const { data } = (await import(pathToFileURL(path).href)) as {
        readonly data: { readonly holidays: { readonly NO: object } };
      };
      const contents = `exports.data = ${JSON.stringify({ ...data, holidays: { NO: data.holidays.NO } })};`;
      return { contents, loader: 'js' };
    });
    onLoad({ filter: /[/\\]moment-timezone[/\\]data[/\\]packed[/\\]latest\.json$/ }, async ({ path }) => {
      const all = JSON.parse(await readFile(path, 'utf8')) as Record<
        'zones' | 'links' | 'countries',
        readonly string[]
      >;
      const links = all.links.filter((link) => link.endsWith('|Europe/Oslo'));
      const names = ['Europe/Oslo', ...links.map((link) => link.split('|')[0])];
      const zones = all.zones.filter((zone) => names.includes(zone.split('|')[0]));
      return { contents: JSON.stringify({ ...all, zones, links, countries: [] }), loader: 'json' };
    });
  },
};
