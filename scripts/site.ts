import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { guidePages, guidePictures, pictureBytes, relativeTo } from '../api/guide/guide-files.ts';
import { guidePage } from '../api/guide/guide-page.ts';
import { guideStyles } from '../api/guide/guide-styles.ts';
import { renderPage } from '../api/guide/render-page.ts';
import { runScript, WrongFlags } from './run-script.ts';

const usage = `npm run site [-- FOLDER]

Writes the guide as a site of plain files into FOLDER, or into site. All links are relative: the site works below any address, and from
the disk. It replaces an older site in FOLDER, and refuses a folder with anything else.`;

/** A folder with this file is a site. */
const stylesheet = 'guide.css';
const script = new URL('../api/guide/copy-code.js', import.meta.url);

await runScript(usage, { allowPositionals: true }, ({ positionals: [folder = 'site'] }) => writeSite(resolve(folder)));

async function writeSite(folder: string): Promise<void> {
  const isOther = existsSync(folder) && readdirSync(folder).length > 0 && !existsSync(join(folder, stylesheet));
  if (isOther) throw new WrongFlags(`${folder} has something else than a site. Nothing was written.`);
  rmSync(folder, { recursive: true, force: true });
  const [pages, pictures] = [await guidePages(), await guidePictures()];
  const write = (name: string, content: string | Buffer): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  };
  for (const page of pages) {
    const fileAt = (name: string): string => relativeTo(page.path, name);
    const pageAt = (path: string): string => fileAt(fileOf(path));
    const content = await renderPage(page.path, fileOf);
    write(fileOf(page.path), guidePage({ page, pages, content, pictures, fileAt, pageAt, bank: null }));
  }
  for (const name of pictures) write(name, await pictureBytes(name));
  write(stylesheet, guideStyles);
  copyFileSync(script, join(folder, 'guide.js'));
  console.log(`${pages.length} pages in ${folder}`);
}

/** The file of a page. The first one is what a server shows for the folder. */
function fileOf(path: string): string {
  return path === 'README' ? 'index.html' : `${path}.html`;
}
