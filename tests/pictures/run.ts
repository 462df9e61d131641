import { writeFileSync } from 'node:fs';
import { launchBrowser } from '../lab/chromium.ts';
import { easterLine } from './easter-line.ts';
import { screenshot, walkOverEaster } from './pictures.ts';
import { runScript } from '../../scripts/run-script.ts';

const usage = `node tests/pictures/run.ts

Takes the pictures of the README and the guide, docs/pictures, from the pages of a running bank, with the Chromium in /usr/bin.
They show the same each time; how their letters look depends on the fonts of the machine.`;

await runScript(usage, {}, async () => {
  writeFileSync(new URL('../../docs/pictures/easter.svg', import.meta.url), await easterLine());
  await using browser = await launchBrowser();
  await walkOverEaster(browser, async (name, page) => {
    writeFileSync(new URL(`../../docs/pictures/${name}.webp`, import.meta.url), await screenshot(page));
  });
});
