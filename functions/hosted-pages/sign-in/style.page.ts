import { createHash } from 'node:crypto';

/**
 * What can be pressed is 44 pixels high at least. Each pair of colours that meets has its contrast: 4.5 for text, 3 for
 * edges.
 */
export const STYLE = `
:root{color-scheme:light dark;--ground:#f2f4f7;--card:#fff;--text:#17202c;--muted:#4c596a;--line:#dde2e9;--edge:#76828f;--accent:#0b57c4;--held:#08479f;--on:#fff;--tint:#eef4fd;--good:#14692f;--good-tint:#e6f5ea;--bad:#b01c16;--bad-tint:#fdecea}
@media (prefers-color-scheme:dark){:root{--ground:#0e131a;--card:#19212b;--text:#e9eef5;--muted:#aeb9c7;--line:#313c4a;--edge:#8492a3;--accent:#9cc2ff;--held:#bdd6ff;--on:#07264f;--tint:#1f2d40;--good:#8bdba2;--good-tint:#143222;--bad:#ffb3ab;--bad-tint:#431a17}}
*,::before,::after{box-sizing:border-box}
[hidden]{display:none!important}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;min-height:100vh;min-height:100dvh;padding:16px;background:var(--ground);color:var(--text);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;overflow-wrap:anywhere}
main{max-width:26rem;margin:0 auto;padding:1.5rem 24px;border:1px solid var(--line);border-radius:1rem;background:var(--card)}
h1,p,form{margin:0}
h1{font-size:1.375rem;line-height:1.3;font-weight:650}
a{color:var(--accent);text-underline-offset:.2em}
.stack>*+*{margin-top:1.25rem}
.muted{color:var(--muted)}
.told:not(:empty){padding:.875rem 16px;border:1px solid;border-left-width:.375rem;border-radius:.5rem;background:var(--tint);color:var(--accent)}
.told.good{background:var(--good-tint);color:var(--good)}
.told.bad{background:var(--bad-tint);color:var(--bad)}
.told:empty{margin:0}
noscript>*{margin-top:1.25rem}
label{display:block;margin-bottom:.375rem;font-weight:600}
input{display:block;width:100%;min-height:3rem;padding:.625rem 14px;border:1px solid var(--edge);border-radius:.5rem;background:var(--card);color:var(--text);font:inherit}
input.code{font-size:1.375rem;letter-spacing:.15em;font-variant-numeric:tabular-nums}
[aria-invalid=true]{border:2px solid var(--bad)}
.button{display:block;width:100%;min-height:3rem;padding:.75rem 1rem;border:1px solid var(--accent);border-radius:.5rem;background:var(--accent);color:var(--on);font:inherit;font-weight:650;text-align:center;cursor:pointer}
.button:hover{background:var(--held);border-color:var(--held)}
.button.second{background:none;color:var(--accent);border-color:var(--edge)}
.button.second:hover{background:var(--tint)}
.or{display:flex;gap:.75rem;align-items:center;color:var(--muted)}
.or::before,.or::after{content:"";flex:1;border-top:1px solid var(--line)}
.link{display:inline-block;padding:.75rem 0}
[aria-busy=true] .button{cursor:progress;opacity:.75}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
@media (min-width:40rem){body{padding:3.5rem 1.5rem}main{padding:2.25rem}}
@media (max-width:22rem){body{padding:0;background:var(--card)}main{border:0;border-radius:0;padding:1.25rem 20px}}
`;

/** The policy lets this style in, and no other. */
export const STYLE_HASH = `sha256-${createHash('sha256').update(STYLE).digest('base64')}`;
