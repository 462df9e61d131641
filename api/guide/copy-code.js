/*
 * The script of the guide: a button on each block of code that copies it. A browser without a clipboard, as at an address that is neither
 * https nor local, gets none.
 */
const shownFor = 2_000;
const told = document.getElementById('told');

if (navigator.clipboard !== undefined) {
  for (const block of document.querySelectorAll('.code')) block.append(copyButton(block.querySelector('code')));
}

// The key / leads to the search of the console, where there is one.
document.addEventListener('keydown', (event) => {
  const isFree =
    !event.ctrlKey &&
    !event.metaKey &&
    !event.altKey &&
    document.activeElement?.closest('input, select, textarea') === null;
  if (event.key === '/' && isFree) {
    const link = document.querySelector('header a[href$="/console"]');
    if (link !== null) location.href = `${link.href}/search`;
  }
});

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
