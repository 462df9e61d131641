/*
 * The script of the console. It loads the page again when something that the page shows happens in the bank. The
 * console also works without the script; a page then stays as it was loaded.
 */
const least = 1_000;
const runningClock = 20_000;

let timer = null;
let last = 0;
let isAsked = false;
let isWaiting = false;
let clearing = null;
const told = document.getElementById('told');

sayOnce();
hint();
// A browser has a clipboard at an https or a local address alone.
if (navigator.clipboard !== undefined) document.documentElement.classList.add('copies');

let events = null;
listen();

// A browser has six connections to a host: a page that nobody sees takes none.
document.addEventListener('visibilitychange', () => {
  if (document.hidden) {
    events?.close();
    events = null;
  } else if (events === null) {
    listen();
    soon();
  }
});

/** Follows what happens in the bank. The clock bar is on every page. */
function listen() {
  events = new EventSource(document.body.dataset.events);
  for (const kind of ['payment', 'run', 'clock', 'sca', 'request', 'reset']) {
    events.addEventListener(kind, () => {
      const kinds = document.getElementById('main').dataset.live.split(' ');
      if (['run', 'clock', 'reset', ...kinds].includes(kind)) soon();
    });
  }
  events.addEventListener('error', ({ target }) => {
    if (target.readyState === EventSource.CONNECTING) tellGone();
  });
  events.addEventListener('open', () => {
    if (document.getElementById('gone') !== null) location.reload();
  });
}

/** Says that the bank does not answer, until it does. */
function tellGone() {
  if (document.getElementById('gone') !== null) return;
  const text = document.createElement('p');
  Object.assign(text, { id: 'gone', className: 'problem', role: 'alert' });
  text.textContent = 'The bank does not answer. The page shows what was, until it answers again.';
  document.getElementById('main').prepend(text);
}

// A running clock sends no events.
setInterval(() => {
  if (document.getElementById('clock')?.dataset.mode === 'running' && !document.hidden) soon();
}, runningClock);

document.addEventListener('focusout', ({ target }) => {
  if (dragged === null && target.closest?.('.handle')) leave();
  if (isWaiting) soon();
});

document.addEventListener('click', async ({ target }) => {
  const button = target.closest('[data-copy]');
  if (button === null) return;
  const isCopied = await navigator.clipboard.writeText(button.dataset.copy).then(
    () => true,
    () => false,
  );
  button.dataset.state = isCopied ? 'Copied' : 'Not allowed';
  told.textContent = isCopied ? 'Copied' : 'The browser allows no copy';
  setTimeout(() => delete button.dataset.state, 2_000);
});

// The key / leads to the search, and the key b to the other banks.
// No key is a shortcut while the user writes.
document.addEventListener('keydown', (event) => {
  const { key } = event;
  if (key.length > 1 || event.ctrlKey || event.metaKey || event.altKey || isWriting()) return;
  if (key === '/') toSearch(event);
  else if (key === 'b') document.getElementById('switch')?.click();
});

// The arrows go through what a search has found.
document.addEventListener('keydown', (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const links = [...document.querySelectorAll('.found a')];
  if (step === undefined || links.length === 0) return;
  const at = links.indexOf(document.activeElement);
  if (at < 0 && document.activeElement?.matches('main input, header input, body, main') !== true) return;
  event.preventDefault();
  links[Math.min(Math.max(at + step, 0), links.length - 1)].focus();
});

function toSearch(event) {
  const field = document.querySelector('header input[type=search]');
  if (field === null) return;
  if (!field.checkVisibility()) document.getElementById('menu').showPopover();
  event.preventDefault();
  field.focus();
}

// The handle of the settlement line: the pointer and the arrow keys preview a move of the clock, Enter and letting go
// make it.
let stop = null;
let dragged = null;
document.addEventListener('pointerdown', (event) => {
  dragged = event.target.closest('.handle');
  if (dragged === null) return;
  event.preventDefault();
  dragged.focus({ preventScroll: true });
  dragged.setPointerCapture(event.pointerId);
  document.getElementById('settlement').classList.add('moving');
});
document.addEventListener('pointermove', ({ clientX, clientY }) => {
  if (dragged === null) return;
  const svg = dragged.ownerSVGElement;
  const { x } = new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM().inverse());
  const places = placesIn(svg);
  preview(places.reduce((near, place, index) => (Math.abs(place - x) < Math.abs(places[near] - x) ? index : near), 0));
});
document.addEventListener('pointerup', () => {
  if (dragged !== null) moveTo(stop ?? 0);
  dragged = null;
});
document.addEventListener('pointercancel', leave);
document.addEventListener('scroll', () => stop !== null && preview(stop), { passive: true });
document.addEventListener('keydown', (event) => {
  const handle = event.target.closest?.('.handle') ?? null;
  if (event.key === 'Escape' && stop !== null) leave();
  if (handle === null || event.ctrlKey || event.metaKey || event.altKey) return;
  const [now, last] = [stop ?? 0, placesIn(handle.ownerSVGElement).length - 1];
  const steps = {
    ArrowRight: 1,
    ArrowDown: 1,
    ArrowLeft: -1,
    ArrowUp: -1,
    PageDown: 6,
    PageUp: -6,
    Home: -now,
    End: last - now,
  };
  if (event.key === 'Enter') moveTo(now);
  else if (event.key in steps) preview(Math.min(last, Math.max(0, now + steps[event.key])));
  else return;
  event.preventDefault();
});

/** Where the handle of a picture may stand: at now, and at each run and midnight to come. */
function placesIn(svg) {
  return JSON.parse(svg.dataset.places);
}

/** Shows the line as it would be at a stop; 0: now. */
function preview(index) {
  const figure = document.getElementById('settlement');
  stop = index === 0 ? null : index;
  for (const mark of figure.querySelectorAll('[data-stop]'))
    mark.classList.toggle('soon', Number(mark.dataset.stop) < index);
  for (const svg of figure.querySelectorAll('svg[data-places]')) {
    const handle = svg.querySelector('.handle');
    const pill = handle.querySelector('.pt');
    pill.dataset.now ??= pill.textContent;
    const [, time, what] = index === 0 ? ['', pill.dataset.now, ''] : JSON.parse(figure.dataset.stops)[index - 1];
    pill.textContent = time;
    handle.setAttribute('aria-valuenow', index);
    handle.setAttribute('aria-valuetext', index === 0 ? `now, ${time}` : `${time}: ${what}`);
    place(svg, placesIn(svg)[index], what);
  }
}

/** Puts the handle at a place of its picture, its pill where the reader sees it, and a text below the pill. */
function place(svg, x, text) {
  for (const each of svg.querySelectorAll('.at-now')) each.setAttribute('transform', `translate(${x} 0)`);
  const { width, height } = svg.viewBox.baseVal;
  const [pill, told] = [svg.querySelector('.pill'), svg.querySelector('.told')];
  told.textContent = text;
  const half = Math.max(pill.firstChild.width.baseVal.value / 2 + 1, told.getComputedTextLength() / 2 + 4);
  const across = Math.max(half - x, Math.min(0, width - half - x));
  const above = document.getElementById('clock').getBoundingClientRect().bottom - svg.getBoundingClientRect().top;
  const y = pill.firstChild.y.baseVal.value;
  const down = Math.min(Math.max(0, above / svg.getScreenCTM().a + 8 - y), height - y - 45);
  pill.setAttribute('transform', `translate(${across} ${down})`);
}

function moveTo(index) {
  const figure = document.getElementById('settlement');
  figure.classList.remove('moving');
  if (index === 0) return;
  localStorage.setItem('handle-used', '');
  const form = figure.querySelector('form');
  form.elements.to.value = JSON.parse(figure.dataset.stops)[index - 1][0];
  form.requestSubmit();
  stop = null;
}

function leave() {
  dragged = null;
  document.getElementById('settlement')?.classList.remove('moving');
  if (stop !== null) preview(0);
}

/** Says what the handle is for, until somebody has used it. */
function hint() {
  if (localStorage.getItem('handle-used') !== null) return;
  for (const svg of document.querySelectorAll('#settlement svg[data-places]'))
    if (svg.checkVisibility()) place(svg, placesIn(svg)[0], 'Drag to move the clock');
}

// A form is sent from here: if its answer is the same page, the page stays where it is, with its focus.
document.addEventListener('submit', async (event) => {
  const form = event.target;
  if (form.method !== 'post' || event.defaultPrevented) return;
  event.preventDefault();
  const body = new URLSearchParams(new FormData(form, event.submitter));
  const answer = await fetch(form.action, { method: 'POST', body }).catch(() => null);
  if (answer === null) tellGone();
  else if (new URL(answer.url).pathname !== location.pathname) location.assign(answer.url);
  else {
    form.reset();
    history.replaceState(null, '', answer.url);
    show(await answer.text());
  }
});

/** Shows the result of a form once: takes it off the address. While work is under way, loads the page again. */
function sayOnce() {
  const here = new URL(location.href);
  if (document.querySelector('#note[data-going]') !== null) setTimeout(soon, least);
  else if (here.searchParams.has('note')) {
    here.searchParams.delete('note');
    history.replaceState(null, '', here);
  }
}

/** Loads the page again, at most once a second and never twice at a time. Events meanwhile cause one more load. */
function soon() {
  isAsked = true;
  timer ??= setTimeout(() => void read(), Math.max(50, last + least - Date.now()));
}

async function read() {
  isAsked = false;
  last = Date.now();
  try {
    await renew();
  } finally {
    timer = null;
    if (isAsked) soon();
  }
}

/** Whether the reader is writing or has selected text: the page then stays. */
function isBusy() {
  return isWriting() || stop !== null || dragged !== null || getSelection()?.isCollapsed === false;
}

function isWriting() {
  return (document.activeElement?.closest('input, select, textarea') ?? null) !== null;
}

async function renew() {
  isWaiting = isBusy();
  if (isWaiting) return;
  const answer = await fetch(location.href, { headers: { accept: 'text/html' } }).catch(() => null);
  if (answer === null || !answer.ok || answer.redirected) return;
  const text = await answer.text();
  isWaiting = isBusy();
  if (isWaiting) return;
  show(text);
}

/** Shows another state of the page. What the reader looks at stays where it is. */
function show(text) {
  const fresh = new DOMParser().parseFromString(text, 'text/html');
  takeStyles(fresh);
  const time = document.querySelector('#clock .now')?.textContent;
  const top = () => (document.getElementById('settlement') ?? document.activeElement).getBoundingClientRect().top;
  const before = top();
  for (const id of ['clock', 'main']) replace(document.getElementById(id), fresh.getElementById(id));
  scrollBy(0, top() - before);
  hint();
  sayOnce();
  const now = document.querySelector('#clock .now');
  told.textContent =
    now !== null && now.textContent !== time
      ? `Bank time ${now.textContent.replaceAll(/\s+/g, ' ').trim()}`
      : 'The page shows what is new';
  clearTimeout(clearing);
  clearing = setTimeout(() => (told.textContent = ''), 3_000);
}

/** Takes the styles of the new page: it may have parts that the old one had none for. */
function takeStyles(fresh) {
  const [old, styles] = [document, fresh].map(({ head }) => [...head.querySelectorAll('style')]);
  if (styles.every(({ textContent }, index) => textContent === old[index]?.textContent)) return;
  document.head.append(...styles);
  for (const each of old) each.remove();
}

/**
 * Replaces a part of the page. Keeps its open details, its focus, what is entered in its forms, and the result of a
 * form.
 */
function replace(old, fresh) {
  if (old === null || fresh === null || old.innerHTML === fresh.innerHTML) return;
  for (const { id } of old.querySelectorAll('details[open][id]'))
    fresh.querySelector(`#${CSS.escape(id)}`)?.setAttribute('open', '');
  keepEntered(old, fresh);
  const opened = old.querySelector(':popover-open') !== null;
  const note = old.querySelector('#note');
  if (note !== null && fresh.querySelector('#note') === null) {
    fresh.prepend(note);
    fresh.append(...old.querySelectorAll('#happened'));
  }
  const place = placeOf(old, document.activeElement);
  const scroll = [...old.querySelectorAll('pre[tabindex]')].map(({ scrollLeft }) => scrollLeft);
  old.replaceWith(document.adoptNode(fresh));
  if (opened) fresh.querySelector('[popover]')?.showPopover();
  fresh.querySelectorAll('pre[tabindex]').forEach((each, index) => (each.scrollLeft = scroll[index] ?? 0));
  if (place !== null) fresh.querySelectorAll(place.what)[place.index]?.focus({ preventScroll: true });
}

/** Fills in what somebody has entered in the forms of the old part, and not sent yet. */
function keepEntered(old, fresh) {
  for (const field of old.querySelectorAll('form :is(input, select, textarea)')) {
    const what = field.type === 'checkbox' ? 'checked' : 'value';
    if (field[what] === loadedWith(field)) continue;
    const [form, name] = [field.form.getAttribute('action'), field.name].map((text) => CSS.escape(text));
    const same = fresh.querySelector(`form[action="${form}"] [name="${name}"]`);
    if (same !== null) same[what] = field[what];
  }
}

/** What a field had when its page was loaded. */
function loadedWith(field) {
  if (field.type === 'checkbox') return field.defaultChecked;
  if (field.localName === 'select') return (field.querySelector('[selected]') ?? field.options[0])?.value;
  return field.defaultValue;
}

/** The place of the focus, as a selector that also works on the new page, or null if the focus is elsewhere. */
function placeOf(part, element) {
  if (element === null || element === part || !part.contains(element)) return null;
  if (element.id !== '') return { what: `#${CSS.escape(element.id)}`, index: 0 };
  const href = element.getAttribute('href');
  const own = href === null ? element.localName : `${element.localName}[href="${CSS.escape(href)}"]`;
  // A form is known by its action: its id, if it has one, stands on the form itself and not around it.
  const form = element.closest('form')?.getAttribute('action') ?? null;
  const near = form === null ? `#${CSS.escape(element.closest('[id]').id)}` : `form[action="${CSS.escape(form)}"]`;
  const what = `${near} ${own}`;
  return { what, index: [...part.querySelectorAll(what)].indexOf(element) };
}
