import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { catalogue } from '../../api/catalogue/catalogue.ts';
import { faultGuide } from '../../api/faults/errors-page.ts';
import { callsIn, ownReasons, traitsOf } from '../../api/guide/call-page.ts';
import { findSections, guideEntries } from '../../api/guide/find-sections.ts';
import { guidePages } from '../../api/guide/guide-files.ts';
import { guidePage } from '../../api/guide/guide-page.ts';
import { describeControl } from '../../api/openapi/control-document.ts';
import { describeInterface } from '../../api/openapi/interface-document.ts';
import { noSamples } from '../../api/openapi/samples.ts';
import { Html } from '../../api/pages/html.ts';
import { renderText } from '../../api/guide/render-page.ts';
import { controlEndpoints } from '../support/control-endpoints.ts';
import { deadLinks } from './links.ts';
import { testBank } from '../support/test-bank.ts';

const bank = testBank('2027-03-24T12:00:00+01:00');
beforeAll(async () => {
  await bank.control('POST', '/sandbox/banks', { name: 'other' });
});

const texts = new Map<string, string>();

/** Of a page that has been read, the text that came then. */
async function html(path: string): Promise<string> {
  const known = texts.get(path);
  if (known !== undefined) return known;
  const answer = await fetch(bank.address + path);
  expect([path, answer.status, answer.headers.get('content-type')]).toEqual([path, 200, 'text/html; charset=utf-8']);
  const text = await answer.text();
  texts.set(path, text);
  return text;
}

test('C11: the pages stand in groups; the group of a page is open, and shows the pages of its folder', async () => {
  const page = await html('/docs/signing/by-hand');
  const [, list = ''] = page.split('aria-label="All pages">');
  const groups = [...list.matchAll(/<details (open)?.*?<summary>(.*?)<\/summary>(.*?)<\/details>/gs)];
  expect(groups.map(([, open, name]) => [name, open])).toEqual([
    ['Begin', undefined],
    ['Understand', 'open'],
    ['Real banks', undefined],
    ['Look up', undefined],
  ]);
  expect(groups[1]?.[3]).toMatch(/How do I verify the bank.*aria-current="page"/s);
  expect(groups[1]?.[3]).not.toContain('standing-orders');
});

test('a heading that is a code breaks after its underscores', async () => {
  expect(await html('/docs/errors')).toMatch(/<h\d id="http_header_required">HTTP_<wbr \/>HEADER_<wbr \/>REQUIRED /);
});

test('C21: each section of the interface document that a scenario tells of leads to it, and its steps lead to their rules', async () => {
  const page = (await guidePages()).find(({ path }) => path === 'spec/interface');
  const sections = page?.parts.flatMap(({ path, ids }) => ids.map((id) => ({ id, path }))) ?? [];
  const told = catalogue().flatMap(({ name, tells = [] }) => tells.map((id) => ({ name, id })));
  expect(new Set(told.map(({ id }) => id)).size).toBeGreaterThan(18);
  for (const { name, id } of told) {
    const path = sections.find((each) => each.id === id)?.path;
    const [, after = ''] = (await html(`/docs/${path}`)).split(new RegExp(`<h\\d id="${id}">`));
    expect([name, id, /<p>Story:.*?<\/p>/s.exec(after)?.[0]]).toEqual([
      name,
      id,
      expect.stringContaining(`href="../../scenarios/${name}"`),
    ]);
  }
  expect(readFileSync('docs/scenarios.md', 'utf8')).toContain('its page links to the stories, after "Story"');
  expect(await html('/docs/spec/interface/versioning')).toContain('A change that a bank has not made yet');
  const rules = new Set(catalogue().flatMap(({ steps }) => steps.flatMap(({ rule = [] }) => rule)));
  for (const rule of rules)
    expect(await html(`/docs/spec/rules/${rule.toLowerCase()}`)).toContain(`<strong id="${rule.toLowerCase()}">`);
  expect(await html('/docs/scenarios/five-attempts')).toMatch(/Rule: <a href="\.\.\/spec\/rules[^"]*#s4">S4<\/a>/);
});

test('the page of a call lists the refusals that it has reasons for, and folds the others; each code is there once for its status', async () => {
  const document = (await bank.control('GET', '/openapi.json')).body;
  const all = Object.entries<{ description: string }>(document.components.responses).flatMap(
    ([, { description }]) => description.match(/^`[A-Z_]+`:/gm) ?? [],
  );
  const codesIn = (text: string): string[] => [...text.matchAll(/#[a-z_]+">([A-Z_]+)</g)].map(([, code = '']) => code);
  for (const [id, own, other] of [
    ['getAccounts', 'ACCESS_EXCEEDED', 'EXECUTION_DATE_INVALID'],
    ['postPaymentsNorwegianDomesticCreditTransfers', 'KID_MISSING', 'CONSENT_EXPIRED'],
    ['postSigningBaskets', 'REFERENCE_MIX_INVALID', 'KID_MISSING'],
  ] as const) {
    const [, told = ''] = (await html(`/docs/interface/${id}`)).split('id="refusals"');
    const [shown = '', folded = ''] = told.split('Refusals that any call can have');
    expect([id, codesIn(shown)]).toEqual([id, expect.arrayContaining([own])]);
    expect(codesIn(shown)).not.toContain(other);
    expect(codesIn(folded)).toEqual(expect.arrayContaining([other, 'SIGNATURE_INVALID']));
    expect(codesIn(told)).toHaveLength(all.length);
  }
});

test('C11: a call is shown with its whole path, as it is sent', async () => {
  expect(await html('/docs/interface/postSandboxInitialize')).toMatch(
    /class="route">[^]*?\/(<wbr \/>)?v1\/[^]*?initialize/,
  );
  expect(await html('/docs')).toContain('<code>/v1/sandbox/initialize</code>');
  expect(await html('/docs?of=control')).toContain('<code>/sandbox/clock/advance</code>');
});

test('each code of the reasons of calls is one of the bank, and each reason is that of a call that has its codes', () => {
  const control = describeControl(controlEndpoints, { address: bank.address, samples: noSamples, isRoot: true });
  const calls = [describeInterface(), control].flatMap(callsIn);
  for (const [reason, codes] of ownReasons) {
    const met = calls.filter((call) => reason.test(traitsOf(call)));
    const refused = JSON.stringify(met.map(({ answers }) => answers));
    expect([reason, met.length > 0]).toEqual([reason, true]);
    expect([reason, codes.split(' ').filter((code) => !(code in faultGuide))]).toEqual([reason, []]);
    expect([reason, codes.split(' ').filter((code) => !refused.includes(`\`${code}\`:`))]).toEqual([reason, []]);
  }
});

test('C11: duplicate finds the rule of the logical duplicate first, and no list of tests among the first', async () => {
  const places = (await findSections('duplicate', 3)).map(({ place }) => place.replace(/[#/].*/, ''));
  expect(places).toEqual(['spec', 'first-payment', 'settlement']);
});

test.each([
  ['signeture', 'signature'],
  ['jertificate', 'certificate'],
  ['cetrificate', 'certificate'],
  ['certifikat', 'certificate'],
])('C11: %s finds what %s does', async (misspelt, right) => {
  const placeOf = async (word: string) => (await findSections(word, 1))[0]?.place;
  expect(await placeOf(right)).toMatch(/^(?:signing|signing\/.+)#/);
  expect(await placeOf(misspelt)).toBe(await placeOf(right));
});

test('C11: a short word that begins with a Norwegian letter is found', async () => {
  const pages = (await findSections('øre', 3)).map(({ page }) => page);
  expect(pages).toContain('foreign-payments');
});

const questions = readFileSync('tests/data/guide-questions.tsv', 'utf8').trim().split('\n').slice(1);

test.each(questions.map((line) => line.split('\t')))('C11: %s: the first result is on %s', async (question, right) => {
  const [first] = await findSections(question ?? '', 1);
  const isRight = (page: string): boolean =>
    first?.place === page || first?.page === page || first?.page.startsWith(`${page}/`) === true;
  expect([first?.place, right?.split(', ').some(isRight)]).toEqual([first?.place, true]);
});

test('C11: what a search tells of a section has no marks of Markdown', async () => {
  const marks = /```|(?<!\S)!\w|\]\(|\\[_*]| \| |\*\*|^- |<https?:/;
  for (const { place, about } of await guideEntries())
    expect([place, marks.exec(about)?.[0]]).toEqual([place, undefined]);
});

test('an old address of a section of a long page leads to its part: by its anchor, without a script', async () => {
  const front = await html('/docs/spec/rules');
  const [, part = ''] = /<li id="s-status-and-settlement">.*?<a href="([^"]+)"/s.exec(front) ?? [];
  expect(part).toBe('rules/s-status-and-settlement');
  const text = await html(`/docs/spec/${part}`);
  expect(text).toContain('<h1 id="s-status-and-settlement">');
  expect(text).toContain('<strong id="s4c">');
  expect(text).toMatch(/<p class="above"><a href="..\/rules">/);
  // Links of other pages lead to the part, and one of a deeper heading does too.
  expect(await html('/docs/settlement/cut-offs')).toMatch(/href="..\/habits\/own-accounts-at-once[#"]/);
  expect(await html('/docs/gauntlet/habits')).toMatch(/href="..\/habits\/status-before-approval#h1"/);
  expect(front).not.toContain('Payment statuses are');
});

test('each link of the first page of another bank leads on, to its anchor too', async () => {
  expect(await deadLinks(`${bank.address}/banks/other`, 1)).toMatchObject({ dead: [] });
});

test('commands name the address of the bank, so that a block can be copied alone', async () => {
  const port = new URL(bank.address).port;
  for (const [base, address] of [
    ['', bank.address],
    ['/banks/other', `${bank.address}/banks/other`],
  ]) {
    const page = await html(`${base}/docs/first-payment`);
    expect(page).toContain(`BANK=${address}\n`);
    expect(page).toContain(`${address}/sandbox/clock/advance&quot;`);
    // The list of banks is the server's.
    expect(page).toContain(`&quot;http://127.0.0.1:${port}/sandbox/banks&quot;`);
    expect(page).not.toContain('127.0.0.1:7263');
    expect(page.match(/<pre.*?<\/pre>/gs)?.filter((block) => block.includes('$BANK'))).toEqual([]);
  }
});

test('programs read the same page as text: docs/{page}.md, with links to other texts', async () => {
  const answer = await fetch(`${bank.address}/docs/first-payment.md`);
  expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  const text = await answer.text();
  expect(text).toMatch(/^# How do I make a first payment\?\n/);
  expect(text).toContain('](running.md#the-npm-lines)');
  expect(await html('/docs/first-payment')).toContain('href="first-payment.md"');
  expect(await (await fetch(`${bank.address}/docs/README.md`)).text()).toContain('](tests.md)');
});

test('a page loads its stylesheet, its script and pictures of the bank, and nothing else', async () => {
  const answer = await fetch(`${bank.address}/docs/first-payment`);
  expect(answer.headers.get('content-security-policy')).toBe(
    "default-src 'none';base-uri 'none';style-src 'self';script-src 'self';img-src 'self' data:;connect-src 'self';frame-ancestors 'none'",
  );
  const page = await answer.text();
  expect(page.match(/<script[^>]*>/g)).toEqual(['<script src="guide.js" defer>']);
  expect(page).not.toMatch(/ style="| on\w+="|<style/);
  expect(await (await fetch(`${bank.address}/docs/README`)).text()).toContain('<img src="pictures/easter.svg" alt="');
  for (const [path, type] of [
    ['guide.css', 'text/css'],
    ['guide.js', 'text/javascript'],
    ['pictures/sca-page.webp', 'image/webp'],
    ['pictures/easter.svg', 'image/svg+xml'],
  ])
    expect((await fetch(`${bank.address}/docs/${path}`)).headers.get('content-type')).toContain(type);
});

describe('Markdown becomes HTML', () => {
  const shown = (text: string): string =>
    renderText(text, {
      file: 'signing',
      shown: 'signing',
      hrefOf: (page, anchor) => ({ signing: '', tests: 'tests' })[page]?.concat(anchor) ?? null,
    }).content.text;

  test('HTML in it is text, comments fall away, and no address runs a script', () => {
    const hostile =
      '# A <img src=x onerror=hit>\n\n<script>hit()</script>\n\n`<b>` [go](javascript:hit) <!-- a note -->';
    const page = shown(hostile);
    expect(page).not.toMatch(/<script|<img|<b>|javascript:|a note/);
    expect(page).toContain('&lt;script&gt;hit()&lt;/script&gt;');
    expect(page).toContain('<code>&lt;b&gt;</code> go');
    expect(shown('`x --flag-of y`')).toContain('<code>x <span>--flag-of</span> y</code>');
    expect(shown('```sh\necho "<script>"\n```')).toContain('<code>echo &quot;&lt;script&gt;&quot;</code>');
  });

  test('headings of the same words have anchors of their own', () => {
    const ids = [...shown('# One\n## Two\n## Two\n## A `b`: c').matchAll(/<h\d id="([^"]*)"/g)].map(([, id]) => id);
    expect(ids).toEqual(['one', 'two', 'two-1', 'a-b-c']);
  });

  test('a link to a file that is no page is plain words; those to pages and sites stay', () => {
    const page = shown('[a](../compose.yaml) [b](tests.md#x) [c](https://example.com/) [d](no-such.md) [e](#here)');
    expect(page).toBe(
      '<p>a <a href="tests#x">b</a> <a href="https://example.com/">c</a> d <a href="#here">e</a></p>\n',
    );
  });

  test('a picture that is not there is left out, as in the image', () => {
    const content = shown('# Title\n\n![What it shows](pictures/calendar.webp)\n\nBelow.');
    const about = { path: 'signing', title: 'Signing', section: 'Understand', parts: [] };
    const at = (name: string): string => name;
    const withPictures = (pictures: string[]): string =>
      guidePage({
        ...{ page: about, path: 'signing', pages: [about], rendered: { content: new Html(content), sections: [] } },
        ...{ pictures, fileAt: at, pageAt: at, bank: '../' },
      });
    expect(withPictures(['pictures/calendar.webp'])).toContain('<img src="pictures/calendar.webp" alt="What it shows"');
    expect(withPictures([])).not.toMatch(/<img|What it shows|<p><\/p>/);
  });
});
