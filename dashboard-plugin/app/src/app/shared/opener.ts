/** Give the focus back to what a question was asked from. */

/** Return the element that has the focus, within whatever shadow it is. */
function focused(): HTMLElement | null {
  let found = document.activeElement;
  while (found?.shadowRoot?.activeElement) {
    found = found.shadowRoot.activeElement;
  }
  return found instanceof HTMLElement && found !== document.body ? found : null;
}

/** Remember what has the focus; return what gives it back, as far as it is still there. */
export function rememberFocus(): () => void {
  const opener = focused();
  return () => {
    if (opener?.isConnected) {
      opener.focus();
    }
  };
}
