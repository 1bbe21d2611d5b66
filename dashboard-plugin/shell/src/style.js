/** The few styles that the shell needs in the host's document. */

export const ON = 'perfcompare-on'; // on <html> while we are shown

// On paper there is our page alone, as long as it is.
//
// Carbon draws the menus of the host's header into a placeholder inside the
// container of the pages: that alone has to stay.
const CSS = `
html.${ON} #content > :not(perfcompare-app) { display: contents !important }
html.${ON} #content > :not(perfcompare-app) > :not(cds-placeholder) {
  display: none !important }
html:not(.${ON}) perfcompare-app { display: none !important }
#content > perfcompare-app { display: block; box-sizing: border-box }
[data-perfcompare=item] .cds--side-nav__link-text {
  white-space: normal !important; line-height: 1.2 }
[data-perfcompare=item] a.cds--side-nav__link {
  block-size: auto !important; min-block-size: 2rem }
.perfcompare-note { max-width: 60ch; padding: 24px; font-size: 14px }
.perfcompare-note button { margin-top: 16px; padding: 8px 16px;
  border: 1px solid currentColor; background: none; font: inherit }
#perfcompare-fallback { position: fixed; right: 16px; bottom: 16px;
  z-index: 2147483000; padding: 8px 14px; border-radius: 4px;
  background: #25828e; color: #fff; font: 600 13px sans-serif;
  text-decoration: none; box-shadow: 0 1px 4px rgba(0, 0, 0, .4) }
@media print {
  html.${ON} body :not(:has(perfcompare-app), perfcompare-app,
    perfcompare-app *) { display: none !important }
  html.${ON}, html.${ON} :has(perfcompare-app), html.${ON} perfcompare-app {
    display: block !important; position: static !important;
    width: auto !important; height: auto !important; min-height: 0 !important;
    margin: 0 !important; padding: 0 !important;
    overflow: visible !important; transform: none !important } }
`;

export function addStyle(document) {
  const style = document.createElement('style');
  style.textContent = CSS.replace(/\s+/g, ' ');
  (document.head ?? document.documentElement).appendChild(style);
}
