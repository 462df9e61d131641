import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { catalogue } from '../api/catalogue/catalogue.ts';
import { scenarioPage, scenariosPage } from './play/scenario-page.ts';
import { runScript } from './run-script.ts';

const usage = `node scripts/scenarios-md.ts

Writes docs/scenarios.md and docs/scenarios/*.md from the folder scenarios; a test fails if they differ.`;

await runScript(usage, {}, () => {
  const docs = new URL('../docs/', import.meta.url);
  const folder = new URL('scenarios/', docs);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  writeFileSync(new URL('scenarios.md', docs), scenariosPage());
  for (const scenario of catalogue()) writeFileSync(new URL(`${scenario.name}.md`, folder), scenarioPage(scenario));
});
