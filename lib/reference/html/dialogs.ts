import { type Html, html } from '#shared/http/html.ts';

/** The script fills the list as somebody types. */
export const searchDialog = (): Html => html`<dialog id="search" aria-label="Search">
<form method="dialog"><label class="visually-hidden" for="search-input">Search the documentation</label>
<input id="search-input" type="search" placeholder="Search pages, endpoints, errors, events" autocomplete="off" spellcheck="false" role="combobox" aria-expanded="false" aria-controls="search-results" aria-autocomplete="list">
<button type="submit" class="tool">Close</button></form>
<ul id="search-results" role="listbox" aria-label="Results" tabindex="-1"></ul>
<p id="search-status" role="status">Type to search. Arrow keys choose, Enter opens.</p>
</dialog>`;

/** Where a reader gets a key into the examples. It stays in the tab. The script shows what fits this host. */
export const keyDialog = (): Html => html`<dialog id="reader-key" aria-labelledby="reader-key-title">
<h2 id="reader-key-title">Your sandbox key in the examples</h2>
<p>The examples of all pages then work as they are copied. The key stays in this tab and is forgotten when you close it. Only this page reads it.</p>
<p id="reader-key-now" role="status"></p>
<div class="dialog-actions"><button type="button" class="tool main" id="reader-key-make">Make a key for these examples</button><button type="button" class="tool" id="reader-key-forget" hidden>Forget the key</button></div>
<form id="reader-key-form"><label for="reader-key-text">Or paste a sandbox key of your own</label>
<div class="dialog-actions"><input id="reader-key-text" type="password" placeholder="sk_sandbox_…" autocomplete="off" spellcheck="false"><button type="submit" class="tool">Use it</button></div></form>
<form method="dialog"><button type="submit" class="tool">Close</button></form>
</dialog>`;
