import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { transform } from 'esbuild';
import MiniSearch from 'minisearch';
import { askedWords, guideEntries, indexOptions, ranked, stemOf } from '../api/guide/find-sections.ts';
import { guidePages, guidePictures, pictureBytes, relativeTo } from '../api/guide/guide-files.ts';
import { guidePage } from '../api/guide/guide-page.ts';
import { guideStyles } from '../api/guide/guide-styles.ts';
import { renderPage } from '../api/guide/render-page.ts';
import { runScript } from './run-script.ts';
import { Mistake } from '../engine/values/mistake.ts';

const usage = `npm run site [-- FOLDER]

Writes the guide as a site of plain files into FOLDER, or into site. All links are relative: the site works below any address, and from
the disk. It replaces an older site in FOLDER, and refuses a folder with anything else.`;

/** A folder with this file is a site. */
const stylesheet = 'guide.css';
const script = new URL('../api/guide/guide.js', import.meta.url);
const searchProgram = new URL('../node_modules/minisearch/dist/umd/index.js', import.meta.url);

await runScript(usage, { allowPositionals: true }, ({ positionals: [folder = 'site'] }) => writeSite(resolve(folder)));

async function writeSite(folder: string): Promise<void> {
  const isOther = existsSync(folder) && readdirSync(folder).length > 0 && !existsSync(join(folder, stylesheet));
  if (isOther) throw new Mistake(`${folder} has something else than a site. Nothing was written.`);
  rmSync(folder, { recursive: true, force: true });
  const [pages, pictures] = [await guidePages(), await guidePictures()];
  const write = (name: string, content: string | Buffer): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  };
  const shown = pages.flatMap((page) => [page, ...page.parts].map(({ path }) => ({ page, path })));
  for (const { page, path } of shown) {
    const fileAt = (name: string): string => relativeTo(path, name);
    const pageAt = (to: string): string => fileAt(fileOf(to));
    const rendered = await renderPage(path, fileOf);
    write(fileOf(path), guidePage({ page, path, pages, rendered, pictures, fileAt, pageAt, bank: null }));
  }
  write('guide-index.js', await searchScript());
  for (const name of pictures) write(name, await pictureBytes(name));
  write(stylesheet, guideStyles);
  copyFileSync(script, join(folder, 'guide.js'));
  console.log(`${shown.length} pages in ${folder}`);
}

/** The file of a page. The first page is the index of the folder. */
function fileOf(path: string): string {
  return path === 'README' ? 'index.html' : `${path}.html`;
}

/** The script that pages load for a search: the search program, and the index of all pages. */
async function searchScript(): Promise<string> {
  const index = new MiniSearch({ ...indexOptions, processTerm: stemOf });
  const entries = await guideEntries();
  index.addAll(entries.map((entry) => ({ ...entry, place: entry.place.replace(/[^#]+/, fileOf) })));
  const { code } = await transform(readFileSync(searchProgram, 'utf8'), { minify: true });
  const [text, options] = [JSON.stringify(JSON.stringify(index)), JSON.stringify(indexOptions)];
  const loaded = `MiniSearch.loadJSON(${text}, { ...${options}, processTerm: ${stemOf} })`;
  return `${code}globalThis.guideIndex = { search: (words) => (${ranked})(loadedIndex, words) };\n${askedWords}\nconst loadedIndex = ${loaded};\n`;
}
