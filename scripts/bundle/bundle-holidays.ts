import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { root } from './bundle-program.ts';

/** Bundles date-holidays with the holidays of Norway alone: 47 MB of packages in 180 KB. Returns the files that it was made of. */
export async function bundleHolidays(dist: string): Promise<readonly string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    stdin: { contents: "module.exports = require('date-holidays');", resolveDir: root, loader: 'js' },
    bundle: true,
    platform: 'node',
    target: 'node22.15',
    format: 'cjs',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
    outfile: join(dist, 'engine/time/date-holidays.cjs'),
    plugins: [norwayAlone],
  });
  return Object.keys(metafile.inputs);
}

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
