import { createHash } from 'node:crypto';

/** Line breaks are allowed after `{`, `}`, `;` and `,` only, as they are removed. */
const joinLines = (css: string): string => css.replaceAll(/\n\s*/g, '');

/** One style for the pages of all providers, light and dark. It loads nothing. */
export const PAGE_STYLE = joinLines(`
:root{
  color-scheme:light dark;--ground:#f3f1f8;--card:#ffffff;--text:#1d1a26;--muted:#565065;--line:#ded9ea;
  --edge:#7d7590;--accent:#5b35b5;--held:#472890;--on-accent:#ffffff;--bad:#a81c1c;--bad-tint:#fdecea;--tint:#f1ecfb
}
@media (prefers-color-scheme:dark){:root{
  --ground:#121019;--card:#1d1a27;--text:#eeebf5;--muted:#b7b0c6;--line:#393447;
  --edge:#8d85a1;--accent:#c6adff;--held:#dccbff;--on-accent:#2a1260;--bad:#ffb3ab;--bad-tint:#431a17;--tint:#2a2439
}}
*{box-sizing:border-box}
h1,p,form{margin:0}
body{
  margin:0;min-height:100vh;padding:24px 16px;background:var(--ground);color:var(--text);
  font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;overflow-wrap:anywhere
}
main{
  max-width:27rem;margin:0 auto;padding:1.5rem 24px;
  border:1px solid var(--line);border-radius:1rem;background:var(--card)
}
main>*+*{margin-top:1.25rem}
header{display:flex;flex-wrap:wrap;gap:.5rem .75rem;align-items:center;padding-bottom:1rem;
  border-bottom:1px solid var(--line)}
h1{font-size:1.5rem;line-height:1.3}
.provider{font-size:1.125rem;font-weight:700}
.simulated{
  padding:.125rem .625rem;border:1px solid;border-radius:2rem;background:var(--tint);color:var(--accent);
  font-size:.8125rem
}
.muted{color:var(--muted);font-size:.875rem}
.alert{
  padding:.75rem 14px;border:1px solid;border-left-width:.375rem;border-radius:.5rem;
  background:var(--bad-tint);color:var(--bad)
}
form{display:grid;gap:.625rem}
button{
  width:100%;min-height:3rem;padding:.75rem 1rem;border:1px solid var(--edge);border-radius:.5rem;
  background:none;color:var(--accent);font:inherit;font-weight:650;cursor:pointer
}
button.first{border-color:var(--accent);background:var(--accent);color:var(--on-accent)}
button:hover{background:var(--tint)}
button.first:hover{border-color:var(--held);background:var(--held)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
@media (min-width:40rem){body{padding:4rem 1.5rem}main{padding:2rem}}
`);

/** Allows only this style. Forms are not limited: they lead on to shops and banks of any address. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(PAGE_STYLE).digest('base64')}'`,
  "base-uri 'none'",
].join('; ');
