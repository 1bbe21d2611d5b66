/** What remains in a shell that is not known: the standalone page. */

const ID = 'perfcompare-fallback';

/** Add a button to the standalone page, once. */
export function addButton(document, page, label) {
  if (document.getElementById(ID)) {
    return;
  }
  const link = document.createElement('a');
  link.id = ID;
  link.href = page;
  link.textContent = label;
  document.body.appendChild(link);
}

export function removeButton(document) {
  document.getElementById(ID)?.remove();
}
