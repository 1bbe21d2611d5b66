/** Start the standalone page; the script is at the end of its body. */

import { prepare } from './standalone.js';

import(new URL(prepare(window), document.currentScript.src).href);
