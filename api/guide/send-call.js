/*
 * The script of a call's page: it shows the form, sends the call with what the form says, and shows the answer. A call
 * of the interface goes to the unsigned door, which signs it.
 */
const form = document.getElementById('try');
const answer = document.getElementById('answer');
const sent = document.getElementById('sent');
const approve = document.getElementById('approve');
const body = document.getElementById('send-body');
const token = document.getElementById('token');
let earlier = new AbortController();

form.hidden = false;
if (token !== null) {
  token.value = sessionStorage.getItem('token') ?? '';
  token.addEventListener('change', () => sessionStorage.setItem('token', token.value));
}
const example = document.getElementById('example');
example?.addEventListener('change', () => (body.value = example.value));

/** The address and the headers that the fields say. An empty field is left out. */
function request() {
  let path = form.dataset.path;
  const query = new URLSearchParams();
  const headers = new Headers();
  for (const { name, value, dataset } of form.querySelectorAll('input[data-in]')) {
    if (value === '') continue;
    if (dataset.in === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (dataset.in === 'query') query.set(name, value);
    else headers.set(name, value);
  }
  if (body !== null) headers.set('content-type', 'application/json');
  if (token !== null && token.value !== '') headers.set('authorization', `Bearer ${token.value}`);
  const address = form.dataset.from + path + (query.size === 0 ? '' : `?${query}`);
  return [address, { method: form.dataset.method, headers, body: body?.value }];
}

function indented(json) {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  earlier.abort();
  earlier = new AbortController();
  const { signal } = earlier;
  const code = answer.querySelector('code');
  sent.textContent = 'Sent';
  delete sent.dataset.status;
  approve.hidden = true;
  try {
    const [address, options] = request();
    const response = await fetch(address, { ...options, signal });
    sent.textContent = `${response.status} ${response.statusText}`;
    sent.dataset.status = response.status;
    const type = response.headers.get('content-type') ?? '';
    const text = await response.text();
    answer.hidden = text === '';
    code.textContent = /json/.test(type) ? indented(text) : text;
    // A refusal may name the page on which the customer approves, and so may a new payment or consent.
    const [, href] = /"scaRedirect":\{"href":"(https?:[^"]+)"/.exec(text) ?? [];
    approve.hidden = href === undefined;
    approve.querySelector('a').href = href ?? '';
    if (/vnd/.test(type)) code.textContent = `${text.length} bytes of ${type}`;
  } catch (error) {
    if (error.name !== 'AbortError') sent.textContent = `The call was not answered: ${error.message}`;
  }
});
