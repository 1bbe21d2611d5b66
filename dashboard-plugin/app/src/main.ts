/**
 * All there is of the page is in files that are named by their content, so
 * that browsers keep them; only this one is asked for each time. No other
 * may import it: the shell loads it under an address with a version.
 */

const { definePerfcompareApp } = await import('./app/element');

definePerfcompareApp(import.meta.url);

export {};
