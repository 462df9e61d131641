/*
 * The script of a call's page: it shows the form, sends the call with what the form says, and shows the answer. A call of the interface goes to
 * the unsigned door, which signs it.
 */
const form = document.getElementById('try');
const answer = document.getElementById('answer');
const sent = document.getElementById('sent');
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
  if (body !== null) headers.set('content-type', body.dataset.type);
  if (token !== null && token.value !== '') headers.set('authorization', `Bearer ${token.value}`);
  const address = form.dataset.from + path + (query.size === 0 ? '' : `?${query}`);
  return [address, { method: form.dataset.method, headers, body: body?.value }];
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  earlier.abort();
  earlier = new AbortController();
  const { signal } = earlier;
  const code = answer.querySelector('code');
  sent.textContent = 'Sent';
  try {
    const [address, options] = request();
    const response = await fetch(address, { ...options, signal });
    sent.textContent = `${response.status} ${response.statusText}`;
    sent.dataset.status = response.status;
    answer.hidden = false;
    code.textContent = '';
    if (!/json|text/.test(response.headers.get('content-type') ?? 'text')) {
      code.textContent = `${(await response.blob()).size} bytes of ${response.headers.get('content-type')}`;
      return;
    }
    // A stream of events has no end: what has come is shown.
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let part = await reader?.read();
    while (part !== undefined && !part.done) {
      code.textContent += part.value;
      part = await reader.read();
    }
    if (/json/.test(response.headers.get('content-type') ?? ''))
      code.textContent = JSON.stringify(JSON.parse(code.textContent), null, 2);
    if (code.textContent === '') code.textContent = 'No body';
  } catch (error) {
    if (error.name !== 'AbortError') sent.textContent = `The call was not answered: ${error.message}`;
  }
});
