/** Where a reader writes a key, if the page's script has none to fill in. */
export const SAMPLE_KEY = 'sk_sandbox_YOUR_KEY';
