import { definePerfcompareApp } from './app/element';

definePerfcompareApp(import.meta.url);
