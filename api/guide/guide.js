/*
 * The script of the guide and of the API reference. It puts a button to copy on each block of code, and shows search results below the
 * field. The button needs a clipboard, which browsers give to https and local pages only. The script is not a module: a site also works from
 * the disk, where browsers load no modules.
 */
const shownFor = 2_000;
const told = document.getElementById('told');
const form = document.querySelector('form.search');

if (navigator.clipboard !== undefined) {
  for (const block of document.querySelectorAll('.code')) block.append(copyButton(block.querySelector('code')));
}

function copyButton(code) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    const isCopied = await navigator.clipboard.writeText(code.textContent).then(
      () => true,
      () => false,
    );
    told.textContent = isCopied ? 'Copied' : 'The browser allows no copy';
    button.textContent = isCopied ? 'Copied' : 'Not allowed';
    setTimeout(() => {
      button.textContent = 'Copy';
      told.textContent = '';
    }, shownFor);
  });
  return button;
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

// Follows the old address of a section that has moved to a part of its page.
function followPart() {
  const part = document.getElementById(decoded(location.hash.slice(1)))?.closest('.parts li');
  const link = part?.querySelector('a[href]');
  if (link) location.replace(link.href.replace(/#.*/, '') + location.hash);
}
addEventListener('hashchange', followPart);
followPart();

/* The search. */

const field = form.elements.q;
const list = document.createElement('ol');
list.className = 'found popup';
list.hidden = true;
form.hidden = false;
form.append(list);

document.addEventListener('keydown', (event) => {
  const isFree =
    !event.ctrlKey &&
    !event.metaKey &&
    !event.altKey &&
    document.activeElement?.closest('input, select, textarea') === null;
  if ((event.key === '/' && isFree) || (event.key === 'k' && (event.ctrlKey || event.metaKey))) {
    event.preventDefault();
    field.focus();
  }
  if (event.key === 'Escape') field.blur();
});

// The arrows move through the field and the links below it.
form.addEventListener('keydown', (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const stops = [field, ...list.querySelectorAll('a')];
  stops[(stops.indexOf(document.activeElement) + step + stops.length) % stops.length].focus();
});

/** Finds results as list items. A site searches its index; a bank answers with its page of results. */
const find = form.dataset.index === undefined ? askBank : searchIndex;

async function askBank(words) {
  const answer = await fetch(`${form.action}?${new URLSearchParams({ q: words })}`);
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  return [...page.querySelectorAll('.found li')];
}

let index;
async function searchIndex(words) {
  index ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = form.dataset.index;
    script.onload = () => resolve(globalThis.guideIndex);
    script.onerror = reject;
    document.head.append(script);
  });
  const home = new URL('.', new URL(form.dataset.index, location.href));
  return (await index).search(words).map(({ place, heading, about }) => {
    const item = document.createElement('li');
    const link = Object.assign(document.createElement('a'), { href: new URL(place, home), textContent: heading });
    item.append(link, Object.assign(document.createElement('p'), { textContent: about }));
    return item;
  });
}

const [mostShown, pauseMs] = [8, 120];
let asked = 0;
field.addEventListener('input', async () => {
  const words = field.value.trim();
  const own = ++asked;
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
  const found = words === '' || own !== asked ? [] : await find(words);
  if (own !== asked) return;
  list.replaceChildren(...found.slice(0, mostShown));
  list.hidden = words === '';
  if (found.length === 0) list.textContent = 'No page has these words.';
  told.textContent = words === '' ? '' : `${Math.min(found.length, mostShown)} results`;
});
// A site has no page of results: Enter opens the first result.
form.addEventListener('submit', (event) => {
  if (form.dataset.index === undefined) return;
  event.preventDefault();
  list.querySelector('a')?.click();
});
