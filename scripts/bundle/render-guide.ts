import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { guidePages } from '../../api/guide/guide-files.ts';
import { renderPage } from '../../api/guide/render-page.ts';

/** Renders the content of each page of the guide into a folder, as a server reads it (api/guide/guide.ts). */
export async function renderGuide(folder: string): Promise<void> {
  for (const { path } of await guidePages()) {
    const file = join(folder, `${path}.html`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, await renderPage(path, (name) => name));
  }
}
