/*
 * The script of the page /docs: it loads the document and lets Swagger UI show it. A call of the interface is sent to the
 * unsigned door, which signs it, so that what a signature needs is not asked for.
 */
const calls = document.getElementById('calls');
const token = document.getElementById('token');

/** Headers that the unsigned door makes, or refuses. */
const ofSigning = [
  'signature',
  'tpp-signature-certificate',
  'digest',
  'date',
  'authorization',
  'sandbank-control-token',
];

// Swagger UI takes the part of an address behind # for a call of its own.
document.getElementById('skip').addEventListener('click', (event) => {
  event.preventDefault();
  calls.focus();
});

if (token !== null) {
  token.value = sessionStorage.getItem('token') ?? '';
  token.addEventListener('change', () => sessionStorage.setItem('token', token.value));
}

const spec = await loadDocument();
if (calls.dataset.door !== undefined) sendThroughDoor(spec, new URL(calls.dataset.door, location.href).href);
// The page has a field of its own for the control token.
delete spec.security;
delete spec.components.securitySchemes;

// Swagger UI makes a main part of its own within that of the page.
const drawn = new MutationObserver(() => {
  const inner = calls.querySelector('main');
  if (inner === null) return;
  inner.setAttribute('role', 'none');
  drawn.disconnect();
});
drawn.observe(calls, { childList: true, subtree: true });

SwaggerUIBundle({
  spec,
  plugins: [{ fn: { resolveSubtree: partsOf(spec) } }],
  dom_id: '#calls',
  deepLinking: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  requestInterceptor: (request) => {
    if (token !== null && token.value !== '') request.headers.Authorization = `Bearer ${token.value}`;
    return request;
  },
});

/** The document; that of a bank that asks for its token is there once the token was entered. */
async function loadDocument() {
  for (;;) {
    const asked = token === null || token.value === '' ? {} : { authorization: `Bearer ${token.value}` };
    const answer = await fetch(calls.dataset.document, { headers: asked });
    if (answer.status !== 401 || token === null) return answer.json();
    await new Promise((resolve) => token.addEventListener('change', resolve, { once: true }));
  }
}

/**
 * In the place of Swagger UI's own function, which reads the whole document anew for each call that is opened and takes a second for it:
 * the part at a path with what its references stand for. They are of this document, and none leads to itself.
 */
function partsOf(wholeDocument) {
  const at = (path) => path.reduce((part, name) => part?.[name], wholeDocument);
  const known = new Map();
  function target(reference) {
    const path = reference.slice('#/'.length).split('/');
    if (!known.has(reference)) known.set(reference, whole(at(path)));
    return known.get(reference);
  }
  function whole(part) {
    if (typeof part !== 'object' || part === null) return part;
    if (Array.isArray(part)) return part.map(whole);
    const { $ref, ...rest } = part;
    const own = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, whole(value)]));
    return $ref === undefined ? own : { ...target($ref), ...own };
  }
  return async (_, path) => ({ errors: [], spec: whole(at(path)) });
}

/** Changes a document of the interface: its server is the door, and it asks for nothing that the door adds. */
function sendThroughDoor(interfaceDocument, door) {
  const { components, paths } = interfaceDocument;
  interfaceDocument.servers = [{ url: door, description: 'The unsigned door: the bank signs as the TPP docs.' }];
  const whole = (parameter) =>
    parameter.$ref === undefined ? parameter : components.parameters[parameter.$ref.split('/').at(-1)];
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
    operation.parameters = (operation.parameters ?? []).map(whole).filter((parameter) => !isOfSigning(parameter));
    for (const parameter of operation.parameters) {
      if (parameter.in !== 'header' || parameter.name.toLowerCase() !== 'x-request-id') continue;
      // Left empty, the door draws one: the same one twice would be the same call.
      parameter.required = false;
      delete parameter.example;
      delete parameter.schema.examples;
    }
    delete operation.security;
  }
}

function isOfSigning({ in: place, name }) {
  return place === 'header' && ofSigning.includes(name.toLowerCase());
}
