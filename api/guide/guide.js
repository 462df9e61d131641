/*
 * The script of the guide and of the API reference. It puts a button to copy on each block of code, and shows search
 * results below the field. The button needs a clipboard, which browsers give to https and local pages only.
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

/** Finds results as list items, of the page of results. */
async function askBank(words) {
  const answer = await fetch(`${form.action}?${new URLSearchParams({ q: words })}`);
  const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
  return [...page.querySelectorAll('.found li')];
}

const [mostShown, pauseMs] = [8, 120];
let asked = 0;
field.addEventListener('input', async () => {
  const words = field.value.trim();
  const own = ++asked;
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
  const found = words === '' || own !== asked ? [] : await askBank(words);
  if (own !== asked) return;
  list.replaceChildren(...found.slice(0, mostShown));
  list.hidden = words === '';
  if (found.length === 0) list.textContent = 'No page has these words.';
  told.textContent = words === '' ? '' : `${Math.min(found.length, mostShown)} results`;
});
